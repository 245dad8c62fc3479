#!/bin/sh
# Runs the suites of behaviour over the kinds of stores that the quick check runs them over in part: binary and XML files,
# and the stores of Examples/OwnStores. Arguments name other kinds (sqlite, memory).
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
log=.build/test-stores.log
[ $# -gt 0 ] || set -- binary xml json incremental

echo "Building the tests"
build_tests "$log"
status=0
for kind in "$@"; do
    echo "Running the suites over stores of the kind $kind"
    export COREDATA_STORE_KINDS="$kind"
    if run_tests "$log" --filter '^CoreData(|Context|Fetch)Tests\.'; then
        show_result "$log"
    else
        show_failures "$log"
        status=1
    fi
done
for kind in json memory; do
    echo "Running the suites of SwiftData over stores of the kind $kind"
    export COREDATA_SWIFTDATA_STORE="$kind"
    if run_tests "$log" --filter '^SwiftDataTests\.'; then
        show_result "$log"
    else
        show_failures "$log"
        status=1
    fi
done
exit "$status"
