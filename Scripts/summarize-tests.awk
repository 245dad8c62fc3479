# Shortens the output of `swift test`: a line for each suite, failures and known issues in full, and the closing lines.
# The complete output is in the log that Scripts/test.sh names.

# Details of an issue follow its line, indented with an arrow or without a symbol of their own.
/^✘|^±/ { detail = 1; print; next }
/^↳/ { if (detail) print; next }
/^✔ Suite / { detail = 0; print; next }
/^(✔|✘) Test run /, 0 { print; next }
/^[◇✔➜↯]/ { detail = 0; next }
/Fatal error|Segmentation fault|error: |warning: .*(test|Test)/ { print; next }
/^Test Suite .*(passed|failed)|^Executed / { next }
{ if (detail && $0 != "") print }
