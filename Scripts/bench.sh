#!/bin/sh
# Builds the benchmark package in release mode and runs it; the arguments go to it.
set -eu
cd "$(dirname "$0")/../Benchmarks"

echo "Building the benchmarks (the first time takes several minutes)"
mkdir -p .build
if ! swift build -c release >.build/build.log 2>&1; then
    cat .build/build.log >&2
    exit 1
fi
exec "$(swift build -c release --show-bin-path)/benchmarks" "$@"
