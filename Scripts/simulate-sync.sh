#!/bin/sh
# Builds the simulator of sync as users build the library, and runs random histories: on memory and files, and some with
# the server's store on PostgreSQL. Prints the first seed. Arguments: the number of histories (5000).
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
. Scripts/test-with-server.sh
count=${1:-5000}
seed=${COREDATA_SEED:-$(date +%s)}

echo "Building"
swift build -c release --product sync-simulator --scratch-path .build/optimized
simulator=$(swift build -c release --scratch-path .build/optimized --show-bin-path)/sync-simulator
need_server
echo "Histories from the seed $seed on"
"$simulator" --histories "$count" --seed "$seed" --stores memory,sqlite
"$simulator" --histories "$((count / 10))" --seed "$seed" --stores postgresql
