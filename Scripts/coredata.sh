#!/bin/sh
# Builds the command `coredata`, with the library that `make demo` and `make test` have built, and runs it with the arguments.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
here=$(pwd)

cd "$root"
. Scripts/check-build.sh
log=.build/coredata-build.log
program=$(check_swift build --show-bin-path)/coredata
build_product coredata "$log" >&2
cd "$here"
exec "$program" "$@"
