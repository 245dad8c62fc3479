#!/bin/sh
# Runs the suites of behaviour (law 10 of ARCHITECTURE.md) against Apple's Core Data and prints the tests that fail:
# there Apple's framework and ours differ. Needs a Mac with Xcode 26 or newer.
#
# NOT YET RUN ON A MAC: the manifest, the suites and this script have been tried on Linux only, as far as `--check` and
# `--here` go. Expect that some files do not compile at the first run.
#
#   test-against-apple.sh [ARGUMENTS]          builds and runs the suites; the arguments go to `swift test`
#   test-against-apple.sh --check [FOLDER]     on any system: checks that the suites use nothing of ours. The folder has
#                                              the symbol graphs of our modules, as check-api.sh leaves them
#   test-against-apple.sh --here [ARGUMENTS]   on any system: the same run with our framework, as test.sh has built it
#
# Everything else is in Scripts/Apple: the manifest, the files that are left out (left-out.tsv), what stands in for them
# (StandIns), the known differences (known-differences.tsv).
set -eu
cd "$(dirname "$0")/.."

case "${1:-}" in
    --check) exec Scripts/Apple/check-sources.py "${2:-.build/symbols}" ;;
    --here) exec Scripts/Apple/run-tests.py "$@" ;;
esac

if [ "$(uname)" != Darwin ] || ! command -v xcrun >/dev/null 2>&1; then
    echo "Apple's Core Data is only on a Mac with Xcode. On another system: Scripts/test-against-apple.sh --check" >&2
    exit 1
fi
exec Scripts/Apple/run-tests.py "$@"
