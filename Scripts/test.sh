#!/bin/sh
# The check before a push: the laws, a build without warnings, the public API, the tests of each module. Arguments go to
# the test program, as `--filter NAME`. Scripts/check.sh checks more: it sets COREDATA_ALL_TARGETS, so that all targets
# are built.
# With COREDATA_LONG_TESTS set the tests run at full size: see Scripts/test-long.sh.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
root=$(pwd -P)
log=.build/test-build.log

# The targets that Scripts/check.sh adds, and the programs that no other test needs.
if [ -z "${COREDATA_ALL_TARGETS:-}" ] && [ -z "${COREDATA_SUITES:-}" ]; then
    added='CoreDataExhaustiveTests|CoreDataBrowserTests|SwiftDataAppsTests|CoreDataPostgreSQLTests'
    COREDATA_SUITES=$(ls Tests | grep 'Tests$' | grep -vxE "$added")
    export COREDATA_SUITES
fi

build() {
    build_tests "$log"
    # A compiler's warning stands in the log as PATH:LINE:COLUMN: warning: TEXT, one about the manifest as
    # warning: 'FOLDER': TEXT.
    folder=$(basename "$root" | tr '[:upper:]' '[:lower:]')
    warnings=$(grep -E "^($root/(Sources|Tests|Examples|Fuzz|Faults)/[^:]*:[0-9]+:[0-9]+: warning:|warning: '$folder':)" "$log" |
        sort -u || true)
    [ -n "$warnings" ] || return 0
    printf '%s\n' "$warnings" >&2
    echo "Warnings in our own targets: mend them." >&2
    # The compiler skips a file that is up to date, and the next run would not see its warning.
    printf '%s\n' "$warnings" | cut -d: -f1 | sort -u | while read -r file; do
        if [ -f "$file" ]; then touch "$file"; fi
    done
    exit 1
}

# The checks that read sources: none takes a second.
sources() {
    Scripts/check-laws.sh
    Scripts/check-wording.py
    Scripts/check-snippets.py
    Scripts/llms.py --check
    Scripts/check-known-issues.sh
    Scripts/release.sh --check
}

declarations() {
    Scripts/check-examples.sh "$binaries"
    Scripts/check-api.sh "$binaries"
    Scripts/test-against-apple.sh --check .build/symbols
}

compatibility() {
    if ! Scripts/compatibility.sh "$binaries" >.build/compatibility.log 2>&1; then
        cat .build/compatibility.log >&2
        echo "Examples/Compatibility or Examples/MainActorApp failed." >&2
        exit 1
    fi
}

tests_progress() { echo "$(cat .build/test*.log | grep -cE '^✔ Test .* passed after' || true) tests have passed"; }

# Two programs: one has work for both cores while the tests of the other wait for a file or a program.
both_halves() {
    half='^(CoreData|CoreDataExhaustive|OpenCoreData)Tests\.'
    run_tests .build/test-2.log --skip "$half" &
    code=0
    run_test_program --filter "$half" || code=$?
    wait $! || code=$?
    return "$code"
}

tests() {
    rm -f .build/test*.log
    code=0
    if [ $# -eq 0 ]; then
        with_progress tests_progress .build/test.log both_halves || code=$?
    else
        with_progress tests_progress .build/test.log run_test_program "$@" || code=$?
    fi
    awk -f Scripts/summarize-tests.awk .build/test*.log
    echo "  (the complete output is in .build/test*.log)"
    return "$code"
}

begin=$(date +%s)
step "Checking the sources" sources
step "Building the library and its tests" build
binaries=$(check_swift build --show-bin-path)
step "Checking the public declarations and the examples in their comments" declarations
step "Building and running the examples for the compatibility with Apple's" compatibility
step "Running the tests" tests "$@"
echo "All checks passed in $(($(date +%s) - begin)) s."
