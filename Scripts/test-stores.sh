#!/bin/sh
# Runs the suites of behaviour over the kinds of stores that the quick check runs them over in part: binary and XML files,
# and the stores of Examples/OwnStores. Arguments name other kinds (sqlite, memory).
set -eu
cd "$(dirname "$0")/.."

scratch=.build/check
log=.build/test-stores.log
mkdir -p .build
export COREDATA_CHECK=1
# As in test.sh, so that its build is used again.
runner=Tests/XCTMain.swift
trap 'rm -f "$runner"' EXIT
trap 'exit 1' INT TERM
cp Scripts/TestRunner.swift "$runner"
[ $# -gt 0 ] || set -- binary xml json incremental

echo "Building the tests"
if ! swift build --build-tests --scratch-path "$scratch" -debug-info-format none --disable-index-store \
    >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
status=0
for kind in "$@"; do
    echo "Running the suites over stores of the kind $kind"
    if COREDATA_STORE_KINDS=$kind swift test --skip-build --scratch-path "$scratch" -debug-info-format none \
        --disable-index-store --enable-swift-testing --disable-xctest --filter '^CoreData(|Context|Fetch)Tests\.' >"$log" 2>&1; then
        tail -n 1 "$log"
    else
        grep -E "✘|error:|Fatal" "$log" >&2 || cat "$log" >&2
        status=1
    fi
done
exit "$status"
