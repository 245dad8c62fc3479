#!/bin/sh
# Runs the suites that use several threads under the thread sanitizer, in a build of their own. Arguments go to the tests
# (--filter NAME). Fails on a failed test and on each report of the sanitizer.
set -eu
cd "$(dirname "$0")/.."

root=$(pwd -P)
log=.build/tsan.log
mkdir -p .build
# The package then has the library and these suites alone: see the end of Package.swift.
export COREDATA_SANITIZED=1

echo "Building with the thread sanitizer (the first time takes several minutes)"
if ! swift build --build-tests --sanitize=thread --scratch-path .build/tsan >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

echo "Running the tests"
# All reports are wanted, not the first alone, also those of the processes that tests start; a process with a report ends with 66.
reports=$root/.build/tsan-reports
rm -rf "$reports"
mkdir -p "$reports"
export TSAN_OPTIONS="suppressions=$root/Scripts/tsan-suppressions.txt:halt_on_error=0:exitcode=66:second_deadlock_stack=1:history_size=4:log_path=$reports/report"
status=0
swift test --skip-build --sanitize=thread --scratch-path .build/tsan "$@" >"$log" 2>&1 || status=$?
count=$(cat "$reports"/* 2>/dev/null | grep -c "WARNING: ThreadSanitizer" || true)
if [ "$status" -ne 0 ] || [ "$count" -gt 0 ]; then
    cat "$log" "$reports"/* >&2 2>/dev/null || true
    echo "The thread sanitizer has made $count reports; see $reports, and $log for the tests." >&2
    exit 1
fi
tail -n 1 "$log"
