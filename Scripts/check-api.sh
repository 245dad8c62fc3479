#!/bin/sh
# Compares the public declarations of the library with Apple's: see check-api.py. Argument: the folder of the built
# package. Further arguments go to check-api.py.
set -eu
cd "$(dirname "$0")/.."

folder=$1
shift
rm -rf .build/symbols
mkdir -p .build/symbols/SwiftData
target=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -1)
for module in CoreDataPredicates CoreDataModel CoreDataStores OpenCoreData; do
    Scripts/with-modules.sh "$folder" swift-symbolgraph-extract -module-name "$module" -target "$target" \
        -minimum-access-level public -output-dir .build/symbols
done
# The predicates are in both: SwiftData re-exports them.
for module in CoreDataPredicates SwiftData; do
    Scripts/with-modules.sh "$folder" swift-symbolgraph-extract -module-name "$module" -target "$target" \
        -minimum-access-level public -output-dir .build/symbols/SwiftData
done
Scripts/check-api.py .build/symbols "$@"
Scripts/check-api.py .build/symbols/SwiftData --swiftdata "$@"
