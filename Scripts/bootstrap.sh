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
    by_hand="apt-get install -y $packages"
    command -v apt-get >/dev/null 2>&1 || fail \
        "The headers of SQLite, zlib and libpq, pkg-config, or Python are missing: install them with this system's package manager (on Debian and Ubuntu: $by_hand), and run make again."
    if [ "$(id -u)" -eq 0 ]; then
        as_root=""
    elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
        as_root="sudo"
    else
        fail "Packages are missing, and this user may not install them: have an administrator run '$by_hand', and run make again."
    fi
    echo "Installing $packages"
    # The lists of a fresh machine are empty, so they are fetched first; an old list does for the rest.
    $as_root apt-get update -qq || true
    # shellcheck disable=SC2086 # the packages are words of their own
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $packages >/dev/null || fail \
        "The packages could not be installed: run '$by_hand' as root to see why, and run make again."
    libraries_present || fail "SQLite, zlib or libpq still can't be found by pkg-config: run 'pkg-config --print-errors --exists sqlite3 zlib libpq' to see why."
}

require_swift
libraries_present || install_libraries
