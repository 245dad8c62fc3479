#!/bin/sh
# Counts the instructions of a short run of each workload of the benchmarks with valgrind's callgrind, and compares them
# with Benchmarks/Instructions.tsv. Times waver on a shared machine, instruction counts don't.
#   --update            stores the counts
#   --workload NAME     the workloads whose name begins with NAME
# See bench-check.py for what fails.
set -eu
cd "$(dirname "$0")/.."

command -v valgrind >/dev/null 2>&1 || Scripts/install-packages.sh valgrind

echo "Building the benchmarks (the first time takes ten minutes)"
cd Benchmarks
mkdir -p .build
if ! swift build -c release --product benchmarks >.build/build.log 2>&1; then
    cat .build/build.log >&2
    exit 1
fi
exec python3 ../Scripts/bench-check.py "$(swift build -c release --show-bin-path)/benchmarks" Instructions.tsv "$@"
