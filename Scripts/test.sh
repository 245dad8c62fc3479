#!/bin/sh
# The check before a push: the laws, a build without warnings, the public API, the examples, all tests. Arguments go to
# `swift test`. Scripts/check.sh checks more.
# With COREDATA_LONG_TESTS set the tests run at full size: see Scripts/test-long.sh.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
root=$(pwd -P)
log=.build/test-build.log

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

tests_progress() { echo "$(grep -cE '^✔ Test .* passed after' "$1" || true) tests have passed"; }

tests() {
    output=.build/test.log
    code=0
    with_progress tests_progress "$output" \
        check_swift test --skip-build --enable-swift-testing --disable-xctest "$@" || code=$?
    awk -f Scripts/summarize-tests.awk "$output"
    echo "  (the complete output is in $output)"
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
