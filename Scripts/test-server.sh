#!/bin/sh
# Tests the product CoreDataServer in a separate build with the trait Server: on SQLite, and on a PostgreSQL server that
# is started for it. Then the tests of the packages with servers, unless arguments choose tests for `swift test`.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
. Scripts/test-with-server.sh
root=$(pwd -P)
scratch=$root/.build/server
log=.build/test-server.log
export COREDATA_SUITES=CoreDataServerTests
# The order of the traits in the commands of the compiler comes from the order of a set: without this most builds would
# compile everything again.
export SWIFT_DETERMINISTIC_HASHING=1

# Runs the tests that are built.
tests() {
    if ! run_tests "$log" "$@"; then
        show_failures "$log"
        exit 1
    fi
    show_result "$log"
}

echo "Building with the trait Server (the first time takes several minutes)"
build_tests "$log" --traits SystemSQLite,Server
if grep -E "^$root/(Sources/CoreDataServer|Tests/CoreDataServerTests)/[^:]*:[0-9]+:[0-9]+: warning:" "$log" >&2; then
    echo "Warnings in CoreDataServer: mend them." >&2
    exit 1
fi
echo "Running the tests on SQLite"
tests "$@"
need_server
echo "Running the tests on PostgreSQL"
COREDATA_STORE_KINDS=postgresql tests "$@"
[ $# -eq 0 ] || exit 0
rm -f "$runner"

echo "Building and testing Server, Examples/TeamServer and TeamNotes (the first time takes several minutes)"
unset COREDATA_SUITES
# The packages share a build folder: what they depend on is compiled once.
test_package() {
    package=$1
    shift
    if ! "$@" swift test --disable-xctest --package-path "$package" --scratch-path "$root/.build/team-server" \
        >"$log" 2>&1; then
        show_failures "$log"
        exit 1
    fi
    if grep -E "$package/.*warning:" "$log" >&2; then
        echo "$package builds with warnings: mend them." >&2
        exit 1
    fi
    show_result "$log"
}
test_package Server env
test_package Examples/TeamServer env -u COREDATA_POSTGRESQL_URL
test_package Examples/TeamServer env
test_package Examples/TeamNotes env
echo "Two terminals and a server"
Examples/TeamNotes/demo.py --scratch-path "$root/.build/team-server"
# The views need SwiftUI. The parser reads them here.
for view in Examples/TeamNotes/App/*.swift; do swiftc -frontend -parse "$view"; done
