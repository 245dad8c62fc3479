#!/bin/sh
# Runs tests under a sanitizer, in a separate build: test-sanitized.sh thread|address [ARGUMENT ...] thread the suites
#   that use several threads address the suites of the library: memory that is used after its end, or beyond its bounds
# Arguments go to the tests (--filter NAME). Fails on a failed test and on each report of the sanitizer.
set -eu
cd "$(dirname "$0")/.."

root=$(pwd -P)
kind=$1
shift
log=.build/$kind-sanitizer.log
reports=$root/.build/$kind-sanitizer-reports
# All reports are wanted, not the first alone, also the reports of processes that tests start; a process with a report
# ends with 66.
options="halt_on_error=0:exitcode=66:log_path=$reports/report"
case $kind in
thread)
    suites="CoreDataTests/Exports.swift CoreDataTests/Objects/IdentityTests.swift
        CoreDataTests/Objects/ObjectIDThreadTests.swift CoreDataTests/Objects/Validation/ValidationTests.swift
        CoreDataContextTests/Exports.swift CoreDataContextTests/Context CoreDataContextTests/Extensions
        CoreDataContextTests/FetchedResults CoreDataContextTests/Undo
        CoreDataFetchTests/Exports.swift CoreDataFetchTests/Fetching/AsynchronousFetchTests.swift
        OpenCoreDataTests/Stress OpenCoreDataTests/Stores/ConcurrentWritersFileTests.swift OpenCoreDataTests/Support
        OpenCoreDataTests/SQL/AlbumModel.swift OpenCoreDataTests/Objects/ModelLifetimeTests.swift
        OpenCoreDataTests/Coordinator
        SwiftDataTests/Exports.swift SwiftDataTests/Models SwiftDataTests/Concurrency SwiftDataTests/Context
        SwiftDataTests/Observation SwiftDataTests/Actors SwiftDataTests/Observers
        SwiftDataTests/History/HistoryModels.swift"
    export TSAN_OPTIONS="$options:suppressions=$root/Scripts/tsan-suppressions.txt:second_deadlock_stack=1:history_size=4"
    title="WARNING: ThreadSanitizer"
    # Chooses locks that the sanitizer knows.
    condition="-Xswiftc -DCOREDATA_SANITIZED"
    ;;
address)
    suites="CoreDataTests CoreDataExhaustiveTests CoreDataContextTests CoreDataFetchTests CoreDataModelTests
        CoreDataModelEditingTests CoreDataPredicatesTests CoreDataClassesTests OpenCoreDataTests"
    # Swift's runtime keeps what it makes once, which counts as leaked.
    export ASAN_OPTIONS="$options:detect_leaks=0:detect_stack_use_after_return=0"
    title="ERROR: AddressSanitizer"
    condition=
    # Frames with the sanitizer's borders are several times as large, and these tests measure how deep a small stack is.
    set -- --skip "DeepTreeTests|DeepPredicateTests|ArchiveNestingTests" "$@"
    ;;
*)
    echo "usage: test-sanitized.sh thread|address [ARGUMENT ...]" >&2
    exit 2
    ;;
esac

export COREDATA_SUITES="${COREDATA_SUITES:-$suites}"
. Scripts/check-build.sh
scratch=.build/$kind-sanitizer
# With debug information: a report names lines.
check_flags="--disable-index-store"
echo "Building with the $kind sanitizer (the first time takes several minutes)"
build_tests "$log" --sanitize="$kind" $condition

echo "Running the tests"
rm -rf "$reports"
mkdir -p "$reports"
status=0
run_tests "$log" "$@" || status=$?
count=$(cat "$reports"/* 2>/dev/null | grep -c "$title" || true)
if [ "$status" -ne 0 ] || [ "$count" -gt 0 ]; then
    cat "$log" "$reports"/* >&2 2>/dev/null || true
    echo "The $kind sanitizer has made $count reports; see $reports, and $log for the tests." >&2
    exit 1
fi
show_result "$log"
