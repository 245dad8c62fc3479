#!/bin/sh
# Runs a command of the toolchain with the flags by which it finds the modules of the built package. Arguments: the folder
# of the built package, the command, its arguments.
set -eu
folder=$1
command=$2
shift 2
sources=$(cd "$(dirname "$0")/../Sources" && pwd -P)
exec "$command" "$@" -I "$folder/Modules" \
    -Xcc -fmodule-map-file="$sources/CSQLite/module.modulemap" \
    -Xcc -fmodule-map-file="$sources/CSQLiteShims/module.modulemap" \
    -Xcc -fmodule-map-file="$sources/CLibPQ/module.modulemap" \
    -Xcc -fmodule-map-file="$sources/CZlib/module.modulemap" \
    -Xcc -fmodule-map-file="$sources/CSwiftRuntime/module.modulemap"
