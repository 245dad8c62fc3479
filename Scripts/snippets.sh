#!/bin/sh
# Builds the programs in Examples/Snippets and runs each of them, or those that the arguments name. A snippet that is wrong
# ends with an error.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
mkdir -p .build/docs
log=.build/docs/snippets.log
names=${*:-$(basename -s .swift -a Examples/Snippets/*.swift | grep -v "^Package$")}
# All at once: SwiftPM plans a build for some seconds. The library is compiled once for this package and the tests.
build_into "$log" --package-path Examples/Snippets
binaries=$(check_swift build --package-path Examples/Snippets --show-bin-path)
TMPDIR=$PWD/.build/docs/tmp
export TMPDIR
rm -rf "$TMPDIR"
mkdir -p "$TMPDIR"
for name in $names; do
    if ! "$binaries/Snippet$name" >".build/docs/snippet-$name.log" 2>&1; then
        cat ".build/docs/snippet-$name.log" >&2
        echo "Examples/Snippets/$name.swift failed." >&2
        exit 1
    fi
done
rm -rf "$TMPDIR"
