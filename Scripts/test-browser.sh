#!/bin/sh
# Runs the tests of `coredata store browse` and `coredata model edit` in Chromium, which it installs when it is missing.
# The tests of accessibility need axe-core, which a package for Python brings. Arguments go to `swift test`.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
export COREDATA_BROWSER_TESTS=1
log=.build/test-browser.log

[ -x /usr/bin/chromium ] && [ -x /usr/bin/chromedriver ] || Scripts/install-packages.sh chromium chromium-driver

# An environment variable names another copy of axe-core.
if [ -z "${COREDATA_AXE:-}" ]; then
    COREDATA_AXE=$PWD/.build/axe/axe_core_python/axe.min.js
    if [ ! -e "$COREDATA_AXE" ]; then
        mkdir -p .build/axe
        python3 -m pip download --quiet --no-deps --dest .build/axe axe-core-python==0.1.0 &&
            python3 -m zipfile -e .build/axe/axe_core_python-0.1.0-*.whl .build/axe ||
            echo "axe-core can't be had: the tests of accessibility are skipped." >&2
    fi
    export COREDATA_AXE
fi

echo "Building the tests"
build_tests "$log"
echo "Running the tests in Chromium"
if ! run_tests "$log" --filter 'CoreDataBrowserTests\.ChromiumSuites' "$@"; then
    show_failures "$log"
    exit 1
fi
show_result "$log"
