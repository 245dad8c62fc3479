#!/bin/sh
# Runs the tests of PostgreSQL stores on a server of their own. With COREDATA_POSTGRESQL_URL set they run on that server.
# With COREDATA_LONG_TESTS set, the tests of the module alone run at full size: connections that are cut at each message,
# crashes of the server, eight processes for a minute. Arguments go to `swift test`.
set -eu
cd "$(dirname "$0")/.."

export COREDATA_CHECK=1
scratch=.build/check
log=.build/test-postgresql.log
mkdir -p .build

# As in test.sh, so that its build is used again.
runner=Tests/XCTMain.swift
folder=
finish() {
    rm -f "$runner"
    [ -n "$folder" ] || return 0
    Scripts/postgresql-server.sh stop "$folder" || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM
cp Scripts/TestRunner.swift "$runner"

echo "Building the tests"
if ! swift build --build-tests --scratch-path "$scratch" -debug-info-format none --disable-index-store \
    >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

if [ -z "${COREDATA_POSTGRESQL_URL:-}" ]; then
    folder=$(mktemp -d "${TMPDIR:-/tmp}/coredata-postgresql.XXXXXX")
    echo "Starting a server"
    COREDATA_POSTGRESQL_URL=$(Scripts/postgresql-server.sh start "$folder")
    export COREDATA_POSTGRESQL_URL
fi

echo "Running the tests"
# The suites of behaviour, over stores on the server, and the tests of the module.
suites='^CoreData(|Context|Fetch|PostgreSQL)Tests\.'
[ -z "${COREDATA_LONG_TESTS:-}" ] || suites='^CoreDataPostgreSQLTests\.'
if ! COREDATA_STORE_KINDS=postgresql swift test --skip-build --scratch-path "$scratch" -debug-info-format none \
    --disable-index-store --enable-swift-testing --disable-xctest \
    --filter "$suites" "$@" >"$log" 2>&1; then
    grep -E "✘|error:|Fatal" "$log" >&2 || cat "$log" >&2
    exit 1
fi
# What the tests of faults and load have counted.
grep -E '^(Connections cut|Crashes|Eight processes|[0-9]+ connections ended)' "$log" || true
tail -n 1 "$log"
# The editor of the example ends right after its last save: its notices must go out at its exit, each time.
example=$(swift build --show-bin-path --scratch-path "$scratch")/shared-store
for run in 1 2 3 4 5; do
    if ! "$example" >"$log.example" 2>&1; then
        cat "$log.example" >&2
        echo "Run $run of the example shared-store failed." >&2
        exit 1
    fi
done
