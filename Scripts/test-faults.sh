#!/bin/sh
# Kills processes that write stores, fills disks, withdraws files, and makes a store of many rows: see Faults/. Prints the
# counts of each scenario. Arguments go to the program, for example: --scenario saves --kills 200 --seed 7.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
log=.build/faults-build.log
echo "Building"
# The command is killed, too.
build_product coredata "$log"
build_product faults "$log"
[ $# -gt 0 ] || set -- --kills 50 --rows 10000000
exec "$(check_swift build --show-bin-path)/faults" "$@"
