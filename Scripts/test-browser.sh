#!/bin/sh
# Runs the tests of `coredata store browse` in Chromium, which it installs when it is missing. Arguments go to `swift test`.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
export COREDATA_BROWSER_TESTS=1
log=.build/test-browser.log

[ -x /usr/bin/chromium ] && [ -x /usr/bin/chromedriver ] || Scripts/install-packages.sh chromium chromium-driver

echo "Building the tests"
build_tests "$log"
echo "Running the tests in Chromium"
if ! run_tests "$log" --filter 'CoreDataCommandTests\.ChromiumTests' "$@"; then
    show_failures "$log"
    exit 1
fi
show_result "$log"
