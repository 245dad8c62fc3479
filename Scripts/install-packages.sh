#!/bin/sh
# Installs packages of Debian: install-packages.sh PACKAGE ... Prints what it does to standard error.
set -eu

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

by_hand="apt-get install -y $*"
command -v apt-get >/dev/null 2>&1 || fail \
    "Packages are missing: install them with this system's package manager (on Debian and Ubuntu: $by_hand), and run this again."
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root="sudo"
else
    fail "Packages are missing, and this user may not install them: have an administrator run '$by_hand', and run this again."
fi
echo "Installing $*" >&2
# The lists of a fresh machine are empty, so they are fetched first; an old list does for the rest.
$as_root apt-get update -qq >&2 || true
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null ||
    fail "The packages could not be installed: run '$by_hand' as root to see why."
