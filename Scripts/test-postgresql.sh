#!/bin/sh
# Runs the tests of PostgreSQL stores on a new server. With COREDATA_POSTGRESQL_URL set they run on that server. With
# COREDATA_LONG_TESTS set, the tests of the module alone run at full size: connections that are cut at each message,
# crashes of the server, eight processes for a minute. Arguments go to `swift test`, in place of the choice of suites.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
. Scripts/test-with-server.sh
log=.build/test-postgresql.log

echo "Building the tests"
build_tests "$log"
build_product shared-store "$log"

need_server

echo "Running the tests"
# The suites of behaviour, over stores on the server, and the tests of the module.
suites='^CoreData(|Context|Fetch|PostgreSQL)Tests\.'
[ -z "${COREDATA_LONG_TESTS:-}" ] || suites='^CoreDataPostgreSQLTests\.'
[ $# -gt 0 ] || set -- --filter "$suites"
export COREDATA_STORE_KINDS=postgresql
if ! run_tests "$log" "$@"; then
    show_failures "$log"
    exit 1
fi
# What the tests of faults and load have counted.
grep -E '^(Connections cut|Crashes|Eight processes|[0-9]+ connections ended)' "$log" || true
show_result "$log"
# The statements of a cluster, on the same server.
if [ -n "$folder" ] && [ -z "${COREDATA_LONG_TESTS:-}" ] && [ $# -eq 2 ] && [ "$2" = "$suites" ]; then
    echo "Running tests with the statements of a cluster"
    server_url=$COREDATA_POSTGRESQL_URL
    export COREDATA_POSTGRESQL_URL="$server_url&cluster=citus-statements"
    if ! run_tests "$log" --filter '^CoreDataPostgreSQLTests\.LostConnection|^CoreDataTests\..*(History|Derived|Constraint|Batch)'; then
        show_failures "$log"
        exit 1
    fi
    show_result "$log"
    export COREDATA_POSTGRESQL_URL="$server_url"
fi
# The editor of the example ends right after its last save: its notices must go out at its exit, each time.
example=$(check_swift build --show-bin-path)/shared-store
for run in 1 2 3 4 5; do
    if ! "$example" >"$log.example" 2>&1; then
        cat "$log.example" >&2
        echo "Run $run of the example shared-store failed." >&2
        exit 1
    fi
done
