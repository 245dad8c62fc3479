#!/bin/sh
# Reads damaged files of every kind, each kind in separate processes; the arguments go to the fuzzer (--help lists
# them). Files that did harm are kept in .build/fuzz. Exit code 1 if there are any.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
log=.build/fuzz-build.log
echo "Building the fuzzer (the first time takes a few minutes)"
build_product fuzz "$log"
# No file may make a reader ask for more than this many kilobytes.
ulimit -v 6000000
exec "$(check_swift build --show-bin-path)/fuzz" "$@"
