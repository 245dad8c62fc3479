#!/bin/sh
# Everything that a push must not break: `make test`, and what takes longer or needs a server, a browser or other stores.
# What takes longer is in Scripts/nightly.sh: other kinds of stores, the sanitizers, failures and files in their number.
set -eu
cd "$(dirname "$0")/.."

export COREDATA_ALL_TARGETS=1
. Scripts/timed.sh

timed Scripts/format.sh --check
timed Scripts/check-manifest.py
timed Scripts/test.sh
# By the compiler's index of the modules that the tests have built.
timed Scripts/check-folders.py
timed Scripts/check-access.py
timed Scripts/test-postgresql.sh --filter '^CoreData(Fetch|PostgreSQL)Tests\.'
timed env COREDATA_LONG_TESTS=1 Scripts/test-postgresql.sh --filter CutConnectionTests
timed Scripts/test-stores.sh swiftdata-memory
timed Scripts/test-browser.sh
timed Scripts/docs-check.sh
timed Scripts/test-macros.sh
# Of the loops over failures one: the others take half an hour, at night.
timed Scripts/test-faults.sh --kills 2 --rows 20000 --operation save
timed Scripts/fuzz.sh --seconds 10
timed Scripts/test-server.sh --filter CoreDataServerTests
