#!/bin/sh
# Builds and runs the demo; the arguments go to it.
set -eu
cd "$(dirname "$0")/.."

log=.build/demo-build.log
mkdir -p .build
echo "Building the demo (the first time takes a few minutes)"
if ! { swift build --product demo && swift build --product coredata; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
exec "$(swift build --show-bin-path)/demo" "$@"
