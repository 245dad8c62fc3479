#!/bin/sh
# Kills processes that write stores, fills disks, withdraws files, and makes a store of many rows: see Faults/. Prints the
# counts of each scenario. Arguments go to the program, for example: --scenario saves --kills 200 --seed 7.
set -eu
cd "$(dirname "$0")/.."

scratch=.build/check
log=.build/faults-build.log
mkdir -p .build
echo "Building"
if ! COREDATA_CHECK=1 swift build --product faults --scratch-path "$scratch" -debug-info-format none >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
[ $# -gt 0 ] || set -- --kills 50 --rows 10000000
exec "$scratch/debug/faults" "$@"
