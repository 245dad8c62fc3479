#!/bin/sh
# Reads damaged files of every kind, each kind in processes of their own; the arguments go to the fuzzer (--help lists them).
# Files that did harm are kept in .build/fuzz. Exit code 1 if there are any.
set -eu
cd "$(dirname "$0")/.."

log=.build/fuzz-build.log
mkdir -p .build
echo "Building the fuzzer (the first time takes a few minutes)"
if ! swift build --product fuzz >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
# No file may make a reader ask for more than this many kilobytes.
ulimit -v 6000000
exec "$(swift build --show-bin-path)/fuzz" "$@"
