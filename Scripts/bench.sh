#!/bin/sh
# Builds the benchmark package in release mode and runs it; the arguments go to it (--help lists them).
# --write writes the measured parts of Documentation/Performance.md and its charts.
# With COREDATA_BENCH_CONFIGURATION=debug they are built without the optimizer, only to see that they run.
# SQLAlchemy's arms need a Python that has it: OPENCOREDATA_BENCH_PYTHON, or python3.
set -eu
cd "$(dirname "$0")/../Benchmarks"

echo "Building the benchmarks (the first time takes ten minutes)" >&2
mkdir -p .build
configuration=${COREDATA_BENCH_CONFIGURATION:-release}
for product in benchmarks start-raw start-coredata; do
    swift build -c "$configuration" --product $product >.build/build.log 2>&1 || {
        cat .build/build.log >&2
        exit 1
    }
done
for argument; do
    shift
    case $argument in
    --write) set -- "$@" --document ../Documentation/Performance.md ;;
    *) set -- "$@" "$argument" ;;
    esac
done
compiler=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
exec "$(swift build -c "$configuration" --show-bin-path)/benchmarks" --python "${OPENCOREDATA_BENCH_PYTHON:-python3}" \
    --compiler "$compiler" "$@"
