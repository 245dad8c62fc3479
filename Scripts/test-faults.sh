#!/bin/sh
# Kills processes that write stores, fills disks, withdraws files, has one call after the other fail, and makes a store of
# many rows: see Faults/. Prints the counts of each scenario. Arguments go to the program, for example: --scenario saves
# --kills 200 --seed 7.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
log=.build/faults-build.log
echo "Building"
# The command is killed, too.
build_product coredata "$log"
build_product faults "$log"
# The calls of another program fail by a library that is loaded before the others.
binaries=$(check_swift build --show-bin-path)
cc -shared -fPIC -O1 -Wall -Wextra -o "$binaries/libFailingCalls.so" Faults/FailingCalls/failing_calls.c -lsqlite3 -ldl
# Each run takes other failures, by its seed; `--scenario failure-loop --stride 7` takes each call on a file.
[ $# -gt 0 ] || set -- --kills 50 --rows 10000000 --stride 49
exec "$binaries/faults" "$@"
