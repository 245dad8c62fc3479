#!/bin/sh
# Builds what stands behind a trait or in a package of its own, and the library as users build it, optimized. Tests what is
# quick. `make nightly` tests them whole.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd -P)

. Scripts/check-build.sh
log=.build/packages.log

echo "SQLCipher: the tests of encryption"
COREDATA_SUITES="CoreDataTests/Exports.swift CoreDataTests/Extensions/Encryption" Scripts/test-sqlcipher.sh
echo "The packages in Examples, with the plugin"
Scripts/example.sh
for package in Examples/TeamServer Examples/TeamNotes; do
    echo "$package"
    with_progress build_progress "$log" \
        swift build --package-path "$package" --scratch-path "$root/.build/team-server" || { cat "$log" >&2 && exit 1; }
done
echo "Benchmarks"
with_progress build_progress "$log" swift build --package-path Benchmarks || { cat "$log" >&2 && exit 1; }
echo "The library, optimized, and the program of the README"
with_progress build_progress "$log" swift build -c release --product readme --scratch-path .build/optimized ||
    { cat "$log" >&2 && exit 1; }
(cd .build && optimized/release/readme)
