#!/bin/sh
# Tests encrypted stores, in a build of their own with the trait SQLCipher: see sqlcipher-library.sh. Arguments go to the
# tests.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
. Scripts/sqlcipher-library.sh
scratch=$cipher
log=.build/sqlcipher.log

# Whole test targets: a list of their files would miss what those share. The variable names fewer of them.
export COREDATA_SUITES="${COREDATA_SUITES:-CoreDataTests CoreDataContextTests CoreDataFetchTests}"
echo "Building with SQLCipher (the first time takes several minutes)"
with_library build_tests "$log"
echo "Running the tests"
if ! with_library run_tests "$log" "$@"; then
    show_failures "$log"
    exit 1
fi
show_result "$log"
