#!/bin/sh
# Checks for Swift, and installs the system libraries that the package links against when they are missing.
# Prints nothing when all is there.
set -eu

needed_major=6
needed_minor=1
packages="libsqlite3-dev zlib1g-dev libpq-dev pkg-config python3"

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

require_swift() {
    remedy="install a Swift $needed_major.$needed_minor (or newer) toolchain, put its usr/bin on PATH, and run make again"
    command -v swift >/dev/null 2>&1 || fail "Swift was not found: $remedy."
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [ -n "$version" ] || fail "The version of $(command -v swift) could not be read: $remedy."
    major=${version%%.*}
    minor=${version#*.}
    if [ "$major" -lt "$needed_major" ] || { [ "$major" -eq "$needed_major" ] && [ "$minor" -lt "$needed_minor" ]; }; then
        fail "Swift $version is too old: $remedy."
    fi
}

libraries_present() {
    command -v python3 >/dev/null 2>&1 && command -v pkg-config >/dev/null 2>&1 && pkg-config --exists sqlite3 zlib &&
        { [ -e /usr/include/postgresql/libpq-fe.h ] || [ -e /usr/include/libpq-fe.h ] || pkg-config --exists libpq; }
}

install_libraries() {
    # shellcheck disable=SC2086 # each package is one word
    "$(dirname "$0")/install-packages.sh" $packages
    libraries_present || fail "SQLite, zlib or libpq still can't be found by pkg-config: run 'pkg-config --print-errors --exists sqlite3 zlib libpq' to see why."
}

require_swift
libraries_present || install_libraries
