# Functions of the scripts that build. They share one folder, .build/check, and one set of flags, which don't mix with those
# of `swift build`: what `make demo` has compiled, `make test` doesn't compile again. To be sourced, in the folder of the
# package.

mkdir -p .build

# Two of the scripts at once would write the same files. A script that is called by another one has its lock.
lock=
if [ -z "${COREDATA_LOCKED:-}" ]; then
    other=
    (set -C && echo $$ >.build/lock) 2>/dev/null || other=$(cat .build/lock 2>/dev/null || true)
    if [ -n "$other" ] && kill -0 "$other" 2>/dev/null; then
        echo "Another script builds in this folder: process $other. Wait for its end, or use another clone." >&2
        echo "If that process is another program, remove .build/lock." >&2
        exit 1
    fi
    lock=.build/lock
    echo $$ >"$lock"
    export COREDATA_LOCKED=1
fi

# The package manager finds XCTest cases in the index of the compiler. Making the index takes an eighth of the build, and
# all tests are of Swift Testing. An entry point of this name replaces the search. The file exists during the check only:
# with it, `swift test` without further options finds no tests.
runner=Tests/XCTMain.swift
# A script that has more to clean up defines this function again.
clean_up() { rm -f "$runner"; }
printing=
trap '[ -z "$printing" ] || kill "$printing" 2>/dev/null || true; clean_up; [ -z "$lock" ] || rm -f "$lock"' EXIT
trap 'exit 1' INT TERM

# Without debug information, which costs an eighth of the build too: a crash names functions, but no lines.
check_flags="-debug-info-format none --disable-index-store"

# Runs `swift ARGUMENT ...` with the flags of the check.
# shellcheck disable=SC2086 # each flag is one word
check_swift() {
    verb=$1
    shift
    swift "$verb" --scratch-path "${scratch:-.build/check}" $check_flags "$@"
}

# Runs a command whose output goes to a log, and prints a line each ten seconds: with_progress FUNCTION LOG COMMAND ...
# The function prints how far the log has come.
with_progress() {
    progress=$1
    progress_log=$2
    shift 2
    : >"$progress_log"
    (
        seconds=0
        # The pause holds no output open: who reads it would wait for the end of the pause.
        while sleep 10 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
            seconds=$((seconds + 10))
            echo "  $seconds s: $("$progress" "$progress_log")"
        done
    ) &
    printing=$!
    code=0
    "$@" >"$progress_log" 2>&1 || code=$?
    kill "$printing" 2>/dev/null || true
    wait "$printing" 2>/dev/null || true
    printing=
    return "$code"
}

# Runs a step and prints how long it took: step TITLE COMMAND ...
step() {
    title=$1
    shift
    start=$(date +%s)
    echo "$title"
    "$@"
    echo "  $(($(date +%s) - start)) s"
}

# The last step of a build: "[12/345] Compiling CoreDataModel ModelArchiver.swift" without the file.
build_progress() { grep -a '^\[' "$1" | tail -n 1 | cut -d ' ' -f 1-3; }

# Says what to do about a failure that comes from the machine: explain_failure LOG
explain_failure() {
    if grep -qiE "No space left on device|disk is full" "$1"; then
        echo "The disk is full: the build needs some 3 GB in $(pwd -P)/.build. Make space, and run the command again." >&2
    elif grep -qiE "Could not resolve host|unable to access|Git command '.*' failed|Failed to (clone|fetch)|Network is unreachable" "$1"; then
        echo "The packages can't be fetched. Connect to the network, and run the command again: it goes on from here." >&2
    elif grep -qiE "error: .*(signal 9|killed)|Killed" "$1"; then
        echo "The system has ended a compiler: it needs some 2 GB of memory for each core. Run the command again." >&2
    fi
}

# Builds, and prints the log if that fails: build_into LOG FLAG ...
build_into() {
    build_log=$1
    shift
    if ! with_progress build_progress "$build_log" check_swift build "$@"; then
        cat "$build_log" >&2
        explain_failure "$build_log"
        exit 1
    fi
}

# Builds the tests, and the programs that they run: build_tests LOG [FLAG ...]
# Not with --build-tests, which builds the plugin too, and the tools that it runs a second time, for the machine that
# builds. The tests need neither; Scripts/example.sh tests them.
build_tests() {
    build_log=$1
    shift
    cp Scripts/TestRunner.swift "$runner"
    # The package manager keeps its plan until a target or the manifest changes: one that was made for a program, without
    # the entry point, would stay.
    plan=${scratch:-.build/check}/debug.yaml
    if grep -q all-discovered-tests.swift "$plan" 2>/dev/null; then rm -f "$plan"; fi
    build_into "$build_log" --product OpenCoreDataPackageTests "$@"
}

# Builds a program: build_product NAME LOG
build_product() { build_into "$2" --product "$1"; }

# Runs the tests that are built, and writes their output to a log: run_tests LOG [FLAG ...]
run_tests() {
    test_log=$1
    shift
    run_test_program "$@" >"$test_log" 2>&1
}

# Without `swift test`, of which one at a time can use the folder.
run_test_program() {
    NO_COLOR=1 "$(cd "${scratch:-.build/check}/debug" && pwd -P)/OpenCoreDataPackageTests.xctest" \
        --testing-library swift-testing "$@"
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
