#!/bin/sh
# Formats every Swift source by .swift-format, and adds the line with the licence to the library's sources. With --check
# it finds what isn't formatted, sources without that line, and lines over 120 columns.
set -eu
cd "$(dirname "$0")/.."

export LC_ALL=C.UTF-8
sources="Package.swift Sources Tests Examples Fuzz Faults Callbacks Plugins Scripts/Apple Mutation Oracle/SwiftDataMacros/Package.swift Oracle/SwiftDataMacros/Sources Benchmarks/Package.swift Benchmarks/Sources Server/Package.swift Server/Sources Server/Tests"

licence="// SPDX-License-Identifier: Apache-2.0"
# The sources that programs contain, without the line of their licence.
unlicensed() { grep -rL --include='*.swift' --include='*.h' --include='*.c' "^$licence\$" Sources Plugins || true; }

if [ "${1:-}" != --check ]; then
    unlicensed | while read -r file; do
        { printf '%s\n\n' "$licence" && cat "$file"; } >"$file.new"
        mv "$file.new" "$file"
    done
    # shellcheck disable=SC2086 # each path is one word
    exec swift format --in-place --recursive $sources
fi

status=0
# The two halves are checked side by side.
swift format lint --strict --recursive Tests &
# shellcheck disable=SC2086,SC2046
swift format lint --strict --recursive $(printf '%s\n' $sources | grep -v '^Tests$') || status=1
wait $! || status=1
# The formatter doesn't break comments and literals.
# shellcheck disable=SC2086
long=$(grep -rnE --include='*.swift' '^.{121,}$' $sources || true)
if [ -n "$long" ]; then
    printf '%s\n' "$long" >&2
    echo "Lines over 120 columns: break them." >&2
    status=1
fi
if [ -n "$(unlicensed)" ]; then
    unlicensed >&2
    echo "Sources without the line of their licence." >&2
    status=1
fi
[ "$status" -eq 0 ] || { echo "Run 'make format'." >&2; exit 1; }
