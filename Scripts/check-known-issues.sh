#!/bin/sh
# Checks that each known issue is a test marked with `withKnownIssue` and a row in Documentation/KnownIssues.md, which
# names the test as `File.swift/function`. Prints each mark without a row, each row without a mark, and each test that is
# switched off in another way.
set -eu
cd "$(dirname "$0")/.."

marks=$(mktemp)
rows=$(mktemp)
trap 'rm -f "$marks" "$rows"' EXIT

# The functions with a mark, as File.swift/function.
grep -rlE --include='*.swift' '\bwithKnownIssue\b' Tests | while read -r file; do
    awk -v file="${file##*/}" '
        /^ *\/\// { next }
        match($0, /func (`[^`]+`|[A-Za-z0-9_]+)/) { name = substr($0, RSTART + 5, RLENGTH - 5); gsub("`", "", name) }
        /withKnownIssue[ ({]/ { print file "/" name }' "$file"
done | sort -u >"$marks"
# The first cells of the table, without the signs of code.
sed -n 's/^| `\([^`]*\)` |.*/\1/p' Documentation/KnownIssues.md | sort -u >"$rows"

status=0
# Prints the lines of standard input, if there are any, under a title.
breach() {
    found=$(cat)
    [ -n "$found" ] || return 0
    printf '%s\n%s\n\n' "$1" "$found" >&2
    status=1
}
breach 'A test with a known issue has no row in Documentation/KnownIssues.md:' <<LINES
$(comm -23 "$marks" "$rows")
LINES
breach 'A row in Documentation/KnownIssues.md names no test with a known issue:' <<LINES
$(comm -13 "$marks" "$rows")
LINES
breach 'A test is switched off: a known issue is marked with withKnownIssue, so that the test still runs.' <<LINES
$(grep -rnE --include='*.swift' '\.disabled\("|\.disabled\(\)|\.disabled[,)]' Tests | grep -vE '^[^:]*:[0-9]+: *//' || true)
LINES
exit $status
