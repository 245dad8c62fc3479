#!/bin/sh
# Builds the programs in Examples/Snippets and runs each of them. A snippet that is wrong ends with an error.
set -eu
cd "$(dirname "$0")/.."

scratch=.build/check
mkdir -p .build/docs
export COREDATA_CHECK=1
COREDATA_SNIPPETS=$(basename -s .swift -a Examples/Snippets/*.swift | tr '\n' ' ')
export COREDATA_SNIPPETS
if [ $# -gt 0 ]; then COREDATA_SNIPPETS=$*; fi
# All at once: SwiftPM plans a build for some seconds.
if ! swift build --scratch-path "$scratch" -debug-info-format none --disable-index-store >.build/docs/snippets.log 2>&1
then
    cat .build/docs/snippets.log >&2
    exit 1
fi
binaries=$(swift build --scratch-path "$scratch" -debug-info-format none --show-bin-path)
TMPDIR=$PWD/.build/docs/tmp
export TMPDIR
rm -rf "$TMPDIR"
mkdir -p "$TMPDIR"
for name in $COREDATA_SNIPPETS; do
    if ! "$binaries/Snippet$name" >".build/docs/snippet-$name.log" 2>&1; then
        cat ".build/docs/snippet-$name.log" >&2
        echo "Examples/Snippets/$name.swift failed." >&2
        exit 1
    fi
done
rm -rf "$TMPDIR"
