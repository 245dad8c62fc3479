#!/bin/sh
# Builds everything, refuses warnings in our own targets, runs the demo, then the whole test suite.
set -eu
cd "$(dirname "$0")/.."

root=$(pwd -P)
log=.build/test-build.log
mkdir -p .build

echo "Building the package and its tests"
if ! swift build --build-tests >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

# A compiler's warning stands in the log as PATH:LINE:COLUMN: warning: TEXT, one about the manifest as
# warning: 'FOLDER': TEXT.
folder=$(basename "$root" | tr '[:upper:]' '[:lower:]')
warnings=$(grep -E "^($root/(Sources|Tests|Examples)/[^:]*:[0-9]+:[0-9]+: warning:|warning: '$folder':)" "$log" | sort -u || true)
if [ -n "$warnings" ]; then
    printf '%s\n' "$warnings" >&2
    echo "Warnings in our own targets: mend them." >&2
    # A file that is up to date isn't compiled again, and would hide its warning from the next run.
    printf '%s\n' "$warnings" | cut -d: -f1 | sort -u | while read -r file; do
        if [ -f "$file" ]; then touch "$file"; fi
    done
    exit 1
fi

echo "Running the demo and the examples"
for example in demo model-life entities-first; do
    if ! "$(swift build --show-bin-path)/$example" >".build/$example.log" 2>&1; then
        cat ".build/$example.log" >&2
        echo "The example $example failed." >&2
        exit 1
    fi
done

Scripts/example.sh

echo "Running the tests"
exec swift test --skip-build
