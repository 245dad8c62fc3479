#!/bin/sh
# The check before a push: format, laws, wording, access, the code in the guides, a build without warnings, the public
# API, the examples, all tests. Arguments go to `swift test`.
# With COREDATA_LONG_TESTS set the tests run at full size: see Scripts/test-long.sh.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
root=$(pwd -P)
log=.build/test-build.log

# Runs a step and prints how long it took.
step() {
    title=$1
    shift
    start=$(date +%s)
    echo "$title"
    "$@"
    echo "  $(($(date +%s) - start)) s"
}

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

step "Checking the format" Scripts/format.sh --check
step "Checking the laws of ARCHITECTURE.md" Scripts/check-laws.sh
step "Checking the wording" Scripts/check-wording.py
step "Checking the access of declarations" Scripts/check-access.py
step "Comparing the code in the guides with Examples/Snippets" Scripts/check-snippets.py
step "Checking the known issues" Scripts/check-known-issues.sh
step "Checking the version" Scripts/release.sh --check
step "Building the package and its tests" build
binaries=$(check_swift build --show-bin-path)
step "Checking the examples in doc comments" Scripts/check-examples.sh "$binaries"
step "Comparing the public declarations with Apple's" Scripts/check-api.sh "$binaries"
step "Checking that the tests of behaviour use Apple's API alone" Scripts/test-against-apple.sh --check .build/symbols
step "Building and running Examples/Compatibility and Examples/MainActorApp" compatibility
step "Running the tests" tests "$@"
