#!/bin/sh
# Tests the trait BundledSQLite, in a separate build. The package that carries SQLite is swift-toolchain-sqlite; here a
# stand-in of the same name is made from Debian's sources of SQLite, so that the library of the program is that of the
# system, compiled from C. With COREDATA_FETCHED_SQLITE set, the package itself is fetched. Arguments go to the tests.
set -eu
cd "$(dirname "$0")/.."

. Scripts/check-build.sh
. Scripts/debian-source.sh
scratch=$(pwd -P)/.build/bundled
log=.build/bundled.log
mkdir -p "$scratch"

# A package with the amalgamation of Debian's sources, as the one repository of its folder: with a tag, as packages have.
make_package() {
    folder=$scratch/stand-in
    if [ -d "$folder/.git" ]; then return; fi
    echo "Making a package of SQLite from Debian's sources"
    sources=$scratch/source
    debian_source sqlite3 "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$sources"
    rm -rf "$folder"
    mkdir -p "$folder/Sources/CSQLite/include"
    (
        cd "$sources"/sqlite*/
        ./configure --disable-tcl
        make sqlite3.c
        cp sqlite3.c "$folder/Sources/CSQLite/"
        cp sqlite3.h "$folder/Sources/CSQLite/include/"
    )
    cat >"$folder/Sources/CSQLite/include/module.modulemap" <<'END'
module SwiftToolchainCSQLite {
    header "sqlite3.h"
    export *
}
END
    cat >"$folder/Package.swift" <<'END'
// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "swift-toolchain-sqlite",
    products: [.library(name: "SwiftToolchainCSQLite", targets: ["SwiftToolchainCSQLite"])],
    targets: [.target(name: "SwiftToolchainCSQLite", path: "Sources/CSQLite")])
END
    (
        cd "$folder"
        git init -q -b main .
        git add -A
        git -c user.name=SQLite -c user.email=sqlite@localhost commit -qm "SQLite of Debian"
        git tag 1.0.99
    )
    rm -rf "$sources"
}

if [ -z "${COREDATA_FETCHED_SQLITE:-}" ]; then
    make_package >"$log" 2>&1 || {
        cat "$log" >&2
        exit 1
    }
    # Git takes the stand-in for the package, in this script alone.
    export GIT_CONFIG_COUNT=1
    export GIT_CONFIG_KEY_0="url.file://$scratch/stand-in.insteadOf"
    export GIT_CONFIG_VALUE_0=https://github.com/swiftlang/swift-toolchain-sqlite
fi

# Whole test targets: a list of their files would miss what those share. The variable names fewer of them.
export COREDATA_SUITES="${COREDATA_SUITES:-OpenCoreDataTests CoreDataTests CoreDataContextTests CoreDataFetchTests SwiftDataTests}"
echo "Building with SQLite's sources (the first time takes several minutes)"
build_tests "$log" --traits BundledSQLite
# The library of the system isn't among those that the program loads.
program="$scratch/debug/OpenCoreDataPackageTests.xctest"
if ldd "$program" | grep -q libsqlite3; then
    echo "The tests load the system's SQLite." >&2
    exit 1
fi
echo "Running the tests"
if ! run_tests "$log" "$@"; then
    show_failures "$log"
    exit 1
fi
show_result "$log"
