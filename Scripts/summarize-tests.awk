# Shortens the output of `swift test`: a line for each suite, failures and known issues in full, and the closing lines.
# The failures are repeated at the end, where a reader of a long log looks first. The complete output is in the log that
# Scripts/test.sh names.

function show_issue(line) {
    print line
    issues[count++] = line
}

# Details of an issue follow its line, indented with an arrow or without a symbol of their own.
/^(✔|✘) Test run /, 0 { closing = closing $0 "\n"; next }
/^✘ (Test|Suite) .* failed after / { detail = 0; print; next }
/^✘|^±/ { detail = 1; show_issue($0); next }
/^↳/ { if (detail) show_issue($0); next }
/^✔ Suite / { detail = 0; print; next }
/^[◇✔➜↯]/ { detail = 0; next }
/Fatal error|Segmentation fault|^(error|warning): / { show_issue($0); next }
/^Test Suite .*(passed|failed)|^Executed / { next }
{ if (detail && $0 != "") show_issue($0) }

END {
    if (count > 0) print "The issues again:"
    for (number = 0; number < count; number++) print issues[number]
    printf "%s", closing
}
