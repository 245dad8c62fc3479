#!/bin/sh
# Runs the tests of `coredata store browse` in Chromium, which it installs when it is missing. Arguments go to `swift test`.
set -eu
cd "$(dirname "$0")/.."

export COREDATA_CHECK=1 COREDATA_BROWSER_TESTS=1
scratch=.build/check
log=.build/test-browser.log
mkdir -p .build

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

install() {
    command -v apt-get >/dev/null 2>&1 ||
        fail "Chromium is missing: install chromium and chromedriver with this system's package manager."
    if [ "$(id -u)" -eq 0 ]; then
        as_root=""
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo"
    else
        fail "Chromium is missing: run 'apt-get install chromium chromium-driver' as root, and run this again."
    fi
    echo "Installing Chromium"
    $as_root apt-get update -qq >/dev/null 2>&1 || true
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium chromium-driver >"$log" 2>&1 || {
        cat "$log" >&2
        fail "Chromium could not be installed."
    }
}

[ -x /usr/bin/chromium ] && [ -x /usr/bin/chromedriver ] || install

# As in test.sh, so that its build is used again.
runner=Tests/XCTMain.swift
trap 'rm -f "$runner"' EXIT
trap 'exit 1' INT TERM
cp Scripts/TestRunner.swift "$runner"

echo "Building the tests"
if ! swift build --build-tests --scratch-path "$scratch" -debug-info-format none --disable-index-store \
    >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
echo "Running the tests in Chromium"
if ! swift test --skip-build --scratch-path "$scratch" -debug-info-format none --disable-index-store \
    --enable-swift-testing --disable-xctest --filter 'CoreDataCommandTests\.ChromiumTests' "$@" >"$log" 2>&1; then
    grep -E "✘|error:|Fatal" "$log" >&2 || cat "$log" >&2
    exit 1
fi
tail -n 1 "$log"
grep -qE "Test run with [1-9][0-9]* tests? .*passed" "$log" || fail "No test ran in Chromium."
