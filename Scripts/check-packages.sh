#!/bin/sh
# Builds what stands in another package, and tests what is quick. `make nightly` tests all of it, and the trait
# SQLCipher.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd -P)

. Scripts/check-build.sh
. Scripts/timed.sh
log=.build/packages.log
# The order of the traits in the commands of the compiler comes from the order of a set: see Scripts/test-server.sh.
export SWIFT_DETERMINISTIC_HASHING=1

timed Scripts/example.sh
# In the folders of the tests, so that the library is compiled once. test-server.sh runs the tests of Server.
for package in Server Examples/TeamServer Examples/TeamNotes; do
    (scratch=$root/.build/server && timed build_into "$log" --package-path "$package")
done
timed build_into "$log" --package-path Benchmarks
