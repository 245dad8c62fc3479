#!/bin/sh
# Runs the suites of behaviour over the kinds of stores that the quick check runs them over in part: binary and XML files,
# and, with those of SwiftData, the stores of Examples/OwnStores. Arguments name kinds: binary, xml, json, incremental, sqlite, memory, swiftdata-json, swiftdata-memory.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
log=.build/test-stores.log
[ $# -gt 0 ] || set -- binary xml json incremental swiftdata-json swiftdata-memory

echo "Building the tests"
build_tests "$log"
status=0
# Runs the suites whose names a pattern matches: suites TITLE PATTERN
suites() {
    echo "Running the suites of $1"
    if run_tests "$log" --filter "$2"; then
        show_result "$log"
    else
        show_failures "$log"
        status=1
    fi
}

for kind in "$@"; do
    case $kind in
    swiftdata-*)
        export COREDATA_SWIFTDATA_STORE="${kind#swiftdata-}"
        suites "SwiftData over stores of the kind ${kind#swiftdata-}" '^SwiftDataTests\.'
        unset COREDATA_SWIFTDATA_STORE
        ;;
    *)
        export COREDATA_STORE_KINDS="$kind"
        suites "Core Data over stores of the kind $kind" '^CoreData(|Exhaustive|Context|Fetch)Tests\.'
        unset COREDATA_STORE_KINDS
        ;;
    esac
done
exit "$status"
