#!/bin/sh
# Tests encrypted stores, in a build of their own with the trait SQLCipher. Installs the library if it is missing. If the
# system's SQLCipher is too old, a newer one is made from Debian's sources, for this test only.
set -eu
cd "$(dirname "$0")/.."

root=$(pwd -P)
scratch=$root/.build/sqlcipher
log=.build/sqlcipher.log
mkdir -p "$scratch"

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Whether a folder with headers has those of a library that is new enough: see Sources/CSQLCipher/shim.h.
is_new() {
    number=$(sed -n 's/^#define SQLITE_VERSION_NUMBER *\([0-9]*\).*/\1/p' "$1/sqlcipher/sqlite3.h" 2>/dev/null)
    [ "${number:-0}" -ge 3038000 ]
}

install_library() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libsqlcipher-dev >/dev/null
}

# The sources of a newer release of Debian, with lists of packages of their own: the system's stay as they are.
build_library() {
    echo "The system's SQLCipher is too old: building a newer one from Debian's sources"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq dpkg-dev gcc make tcl libssl-dev >/dev/null
    folder=$scratch/source
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial" "$folder/archives/partial"
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -E '/debian/?$' | head -n 1)
    [ -n "$mirror" ] || fail "SQLCipher is too old: version 4.5.2 or newer is needed."
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb-src [signed-by=$keys] $mirror trixie main" >"$folder/sources.list"
    set -- -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$folder/lists" -o Dir::Cache::archives="$folder/archives" -o APT::Sandbox::User=root
    (
        cd "$folder"
        apt-get "$@" update -qq
        apt-get "$@" source -qq --download-only sqlcipher
        tar xzf sqlcipher_*.orig.tar.gz
        cd sqlcipher-*/
        ./configure --prefix="$scratch/library" --enable-tempstore=yes --disable-tcl LIBS=-lcrypto \
            CFLAGS="-O1 -DSQLITE_HAS_CODEC -DSQLITE_TEMP_STORE=2 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_COLUMN_METADATA"
        make libsqlcipher.la
        make lib_install
        mkdir -p "$scratch/library/include/sqlcipher"
        cp sqlite3.h "$scratch/library/include/sqlcipher/"
    ) >"$log" 2>&1 || {
        cat "$log" >&2
        fail "SQLCipher couldn't be built."
    }
    rm -rf "$folder"
}

# Whether the system has, or can install, a version that is new enough.
offers_new() {
    offered=$(apt-cache policy libsqlcipher-dev 2>/dev/null | sed -n 's/^ *Candidate: *\([0-9]*\.[0-9]*\).*/\1/p')
    [ -n "$offered" ] && [ "$(printf '%s\n4.6\n' "$offered" | sort -V | head -n 1)" = 4.6 ]
}

set --
if ! is_new /usr/include; then
    # The linker would find an old library before the new one.
    [ ! -e /usr/include/sqlcipher/sqlite3.h ] || fail "The installed SQLCipher is too old: remove libsqlcipher-dev."
    if ! is_new "$scratch/library/include"; then
        command -v apt-get >/dev/null 2>&1 || fail "SQLCipher is missing: install it with this system's package manager."
        as_root apt-get update -qq || true
        if offers_new; then install_library; else build_library; fi
    fi
    if ! is_new /usr/include; then
        set -- -Xcc "-I$scratch/library/include" -Xlinker "-L$scratch/library/lib"
        export LD_LIBRARY_PATH="$scratch/library/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    fi
fi

# All tests of stores read and write, so they run with the other library as well.
export COREDATA_CHECK=1
export COREDATA_SUITES="CoreDataTests/Exports.swift CoreDataTests/Extensions/Encryption CoreDataTests/Stores"
echo "Building with SQLCipher (the first time takes several minutes)"
if ! swift build --build-tests --traits SQLCipher --scratch-path "$scratch" "$@" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
echo "Running the tests"
if ! swift test --skip-build --traits SQLCipher --scratch-path "$scratch" "$@" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
tail -n 1 "$log"
