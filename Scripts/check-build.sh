# Functions of the scripts that run tests. They share one build, in .build/check: the flags of the check (see Package.swift)
# don't mix with those of `swift build`. To be sourced, in the folder of the package.

export COREDATA_CHECK=1
mkdir -p .build

# The package manager finds XCTest cases in the index of the compiler. Making the index takes an eighth of the build, and
# all tests are of Swift Testing. An entry point of this name replaces the search. The file exists during the check only:
# with it, `swift test` without further options finds no tests.
runner=Tests/XCTMain.swift
# A script that has more to clean up defines this function again.
clean_up() { rm -f "$runner"; }
trap 'clean_up' EXIT
trap 'exit 1' INT TERM

# Without debug information, which costs an eighth of the build too: a crash names functions, but no lines.
check_flags="-debug-info-format none --disable-index-store"

# Runs `swift ARGUMENT ...` with the flags of the check.
# shellcheck disable=SC2086 # the flags are words of their own
check_swift() {
    verb=$1
    shift
    swift "$verb" --scratch-path "${scratch:-.build/check}" $check_flags "$@"
}

# Builds, and prints the log if that fails: build_into LOG FLAG ...
build_into() {
    build_log=$1
    shift
    if ! check_swift build "$@" >"$build_log" 2>&1; then
        cat "$build_log" >&2
        exit 1
    fi
}

# Builds the package and its tests: build_tests LOG [FLAG ...]
build_tests() {
    build_log=$1
    shift
    cp Scripts/TestRunner.swift "$runner"
    build_into "$build_log" --build-tests "$@"
}

# Builds a program: build_product NAME LOG
build_product() { build_into "$2" --product "$1"; }

# Runs the tests that are built, and writes their output to a log: run_tests LOG [FLAG ...]
run_tests() {
    test_log=$1
    shift
    check_swift test --skip-build --enable-swift-testing --disable-xctest "$@" >"$test_log" 2>&1
}

# Prints why a run of tests failed: its failures, otherwise the whole log.
show_failures() { grep -E "✘|error:|Fatal" "$1" >&2 || cat "$1" >&2; }

# Prints the last line of a run of tests, and fails if no test ran.
show_result() {
    tail -n 1 "$1"
    grep -qE "Test run with [1-9][0-9]* tests? .*passed" "$1" || {
        echo "No test ran." >&2
        exit 1
    }
}
