#!/bin/sh
# Installs the package of Scripts/debian-package.sh in a clean root that debootstrap makes, and uses its commands there.
# Needs to be root.
set -eu
cd "$(dirname "$0")/.."

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || fail "debootstrap makes a root, so this script must be run by root."
package=$(ls .build/package/*.deb 2>/dev/null) || fail "There is no package: run Scripts/debian-package.sh."
command -v debootstrap >/dev/null 2>&1 || Scripts/install-packages.sh debootstrap
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# The mirror of this machine, if it is one of Debian's.
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -E '/debian/?$' | head -n 1)
root=$(mktemp -d "${TMPDIR:-/tmp}/coredata-root.XXXXXX")
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' INT TERM
log=.build/package/test.log

echo "Making a clean root of Debian $release"
debootstrap --variant=minbase "$release" "$root" "${mirror:-http://deb.debian.org/debian}" >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    fail "debootstrap failed."
}
# Swift's runtime reads the arguments of a program from /proc.
mount -t proc proc "$root/proc"
# Runs a command in the root.
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"; }

echo "Installing $(basename "$package")"
cp "$package" "$root/tmp/opencoredata.deb"
inside apt-get update -qq >"$log" 2>&1 || true
inside apt-get install -y -qq --no-install-recommends /tmp/opencoredata.deb >>"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    fail "The package can't be installed."
}

echo "Using the commands"
inside coredata --version
printf 'Album {\n    attribute title: string\n}\n' >"$root/tmp/Music.coredata"
inside momc /tmp/Music.coredata /tmp/Music.mom
inside coredata model show /tmp/Music.mom >"$root/tmp/shown" || fail "coredata model show failed."
grep -q Album "$root/tmp/shown" || fail "coredata model show doesn't name the entity of the model."
inside coredata model lint /tmp/Music.mom >/dev/null || fail "coredata model lint failed."
printf 'ann 0123456789abcdef\n' >"$root/tmp/tokens"
timeout --signal=TERM 20 chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 \
    coredata serve /tmp/Music.coredata --store /tmp/Server.sqlite --tokens /tmp/tokens --create --port 0 \
    >"$root/tmp/served" 2>&1 &
served=$!
for _ in $(seq 100); do
    ! grep -q Listening "$root/tmp/served" || break
    kill -0 "$served" 2>/dev/null || break
    sleep 0.1
done
grep -q Listening "$root/tmp/served" || { cat "$root/tmp/served" >&2; fail "coredata serve doesn't listen."; }
kill "$served"
wait "$served" || true
inside apt-get remove -y -qq opencoredata >>"$log" 2>&1 || fail "The package can't be removed."
[ ! -e "$root/usr/bin/coredata" ] && [ ! -e "$root/usr/bin/coredata-serve" ] || fail "The package has left a file."
echo "The package works in a clean root."
