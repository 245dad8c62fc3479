# Shortens the output of `swift test`: failures in full, and the closing line. The complete output is in
# the log that Scripts/test.sh names.

# Details of an issue follow its line, indented with an arrow or without a symbol.
/^(✔|✘|━) Test run / { closing = closing $0 "\n"; detail = 0; next }
/^✘ (Test|Suite) .* failed after / { detail = 0; print; next }
/^✘|^±/ { detail = 1; print; next }
/^↳/ { if (detail) print; next }
/^(◇|✔|➜|↯|━)/ { detail = 0; next }
/Fatal error|Segmentation fault|^(error|warning): / { print; next }
/^Test Suite .*(passed|failed)|^Executed / { next }
{ if (detail && $0 != "") print }

END { printf "%s", closing }
