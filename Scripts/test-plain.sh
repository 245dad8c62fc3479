#!/bin/sh
# Runs the suites of behaviour without the fast paths (Documentation/Architecture/Runtime.md), as the library works on a
# toolchain that they don't know. Arguments name paths, for instance rowCollector,setStorage. Without arguments these are
# all but typeRecords: the suites have classes that are neither registered nor used before a model names them, which type
# records alone find.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
log=.build/test-plain.log

echo "Building the tests"
build_tests "$log"
OPENCOREDATA_WITHOUT=${1:-compiledQueries,deferredNotifications,numberObjects,rowCollector,rowTables,setStorage}
export OPENCOREDATA_WITHOUT
echo "Running the suites of behaviour without fast paths: $OPENCOREDATA_WITHOUT"
if run_tests "$log" --filter '^(CoreData|CoreDataContext|CoreDataFetch|SwiftData)Tests\.'; then
    show_result "$log"
else
    show_failures "$log"
    exit 1
fi
