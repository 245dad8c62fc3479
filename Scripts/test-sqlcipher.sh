#!/bin/sh
# Tests encrypted stores, in a separate build with the trait SQLCipher. Installs the library if it is missing. If the
# system's SQLCipher is too old, a newer one is made from Debian's sources, for this test only. Arguments go to the tests.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
. Scripts/debian-source.sh
root=$(pwd -P)
scratch=$root/.build/sqlcipher
log=.build/sqlcipher.log
mkdir -p "$scratch"

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

# Whether a folder has the headers of a library that is new enough: see Sources/CSQLCipher/shim.h.
is_new() {
    number=$(sed -n 's/^#define SQLITE_VERSION_NUMBER *\([0-9]*\).*/\1/p' "$1/sqlcipher/sqlite3.h" 2>/dev/null)
    [ "${number:-0}" -ge 3038000 ]
}

# The sources of a newer release of Debian.
build_library() {
    echo "The system's SQLCipher is too old: building a newer one from Debian's sources"
    Scripts/install-packages.sh libssl-dev
    folder=$scratch/source
    {
        debian_source sqlcipher trixie "$folder" && (
            cd "$folder"/sqlcipher-*/
            ./configure --prefix="$scratch/library" --enable-tempstore=yes --disable-tcl LIBS=-lcrypto \
                CFLAGS="-O1 -DSQLITE_HAS_CODEC -DSQLITE_TEMP_STORE=2 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_COLUMN_METADATA"
            make libsqlcipher.la
            make lib_install
            mkdir -p "$scratch/library/include/sqlcipher"
            cp sqlite3.h "$scratch/library/include/sqlcipher/"
        )
    } >"$log" 2>&1 || {
        cat "$log" >&2
        fail "SQLCipher couldn't be built: version 4.5.2 or newer is needed."
    }
    rm -rf "$folder"
}

# Whether the system has, or can install, a version that is new enough.
offers_new() {
    offered=$(apt-cache policy libsqlcipher-dev 2>/dev/null | sed -n 's/^ *Candidate: *\([0-9]*\.[0-9]*\).*/\1/p')
    [ -n "$offered" ] && [ "$(printf '%s\n4.6\n' "$offered" | sort -V | head -n 1)" = 4.6 ]
}

# The folder of a library that this script has built; empty if the system's is used.
own=
if ! is_new /usr/include; then
    # The linker would find an old library before the new one.
    [ ! -e /usr/include/sqlcipher/sqlite3.h ] || fail "The installed SQLCipher is too old: remove libsqlcipher-dev."
    if ! is_new "$scratch/library/include"; then
        command -v apt-get >/dev/null 2>&1 || fail "SQLCipher is missing: install it with this system's package manager."
        [ "$(id -u)" -ne 0 ] || apt-get update -qq || true
        if offers_new; then Scripts/install-packages.sh libsqlcipher-dev; else build_library; fi
    fi
    if ! is_new /usr/include; then
        own=$scratch/library
        export LD_LIBRARY_PATH="$own/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    fi
fi

# Runs a command with the flags by which the compiler finds the library.
with_library() {
    if [ -n "$own" ]; then set -- "$@" -Xcc "-I$own/include" -Xlinker "-L$own/lib"; fi
    "$@" --traits SQLCipher
}

# Whole test targets: a list of their files would miss what those share. The variable names fewer of them.
export COREDATA_SUITES="${COREDATA_SUITES:-CoreDataTests CoreDataExhaustiveTests CoreDataContextTests CoreDataFetchTests}"
echo "Building with SQLCipher (the first time takes several minutes)"
with_library build_tests "$log"
echo "Running the tests"
if ! run_tests "$log" "$@"; then
    show_failures "$log"
    exit 1
fi
show_result "$log"
