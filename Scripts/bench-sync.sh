#!/bin/sh
# Builds the simulator of sync as users build the library, and prints what sync costs: the times of the steps beside an
# insertion of the same objects, the way of one large value, and when pushes reach fifty devices. Needs 2 GB on the disk.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh

echo "Building" >&2
swift build -c release --product sync-simulator --scratch-path .build/optimized >&2
simulator=$(swift build -c release --scratch-path .build/optimized --show-bin-path)/sync-simulator
"$simulator" figures
"$simulator" figures --megabytes 256
"$simulator" figures --devices 50
"$simulator" figures --devices 50 --apart
