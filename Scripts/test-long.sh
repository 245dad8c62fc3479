#!/bin/sh
# Everything that `make test` leaves out or runs at a small size: the macros against swift-syntax, the package with the
# plugin, damaged files of every kind, the suites over all kinds of stores, the documentation, and the tests at full size
# (long random runs, large hostile inputs, every exit test, every run of the compiler).
set -eu
cd "$(dirname "$0")/.."

export COREDATA_LONG_TESTS=1 COREDATA_ALL_TARGETS=1
Scripts/test.sh "$@"
unset COREDATA_LONG_TESTS
Scripts/test-macros.sh
Scripts/test-stores.sh
Scripts/example.sh
Scripts/docs-check.sh
Scripts/fuzz.sh --seconds 60
