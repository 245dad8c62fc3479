#!/bin/sh
# Makes a Debian package of coredata and momc, in .build/package. Both contain Swift's libraries, so the package needs none
# of them. Test it with Scripts/test-debian-package.sh.
set -eu
cd "$(dirname "$0")/.."

command -v dpkg-shlibdeps >/dev/null 2>&1 || Scripts/install-packages.sh dpkg-dev
scratch=.build/package-release
result=.build/package
root=$result/root
mkdir -p "$result"
log=$result/build.log

echo "Building the commands (the first time takes several minutes)"
for product in coredata momc; do
    if ! swift build -c release --static-swift-stdlib --scratch-path "$scratch" --product "$product" >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
done
binaries=$(swift build -c release --static-swift-stdlib --scratch-path "$scratch" --show-bin-path)
command=$binaries/coredata
version=$("$command" --version | sed -n 's/.*\([0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*[^ ]*\).*/\1/p')
[ -n "$version" ] || {
    echo "coredata --version names no version." >&2
    exit 1
}

rm -rf "$root"
mkdir -p "$root/DEBIAN"
install -D -s -m 755 "$command" "$root/usr/bin/coredata"
install -D -s -m 755 "$binaries/momc" "$root/usr/bin/momc"

# Writes the completions of a shell to a file: completions SHELL FILE
completions() {
    mkdir -p "$root/$(dirname "$2")"
    "$command" --generate-completion-script "$1" >"$root/$2"
}
completions bash usr/share/bash-completion/completions/coredata
completions zsh usr/share/zsh/vendor-completions/_coredata
completions fish usr/share/fish/vendor_completions.d/coredata.fish

# A page of the manual for each verb, by the tool of the package that reads the arguments.
parser=$scratch/checkouts/swift-argument-parser
manual=$root/usr/share/man/man1
mkdir -p "$manual"
swift run --package-path "$parser" --scratch-path .build/manual generate-manual "$command" --multi-page \
    --date "$(date -u -r CHANGELOG.md +%Y-%m-%d)" --output-directory "$manual" >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
}
gzip -9 -n "$manual"/*.1

documents=$root/usr/share/doc/opencoredata
mkdir -p "$documents"
cp LICENSE "$documents/copyright"
gzip -9 -n -c CHANGELOG.md >"$documents/changelog.gz"

# The packages that have the libraries of both programs. The tool wants the control file of a source package.
mkdir -p "$result/shlibs/debian"
printf 'Source: opencoredata\n\nPackage: opencoredata\nArchitecture: any\n' >"$result/shlibs/debian/control"
depends=$(cd "$result/shlibs" && dpkg-shlibdeps -O ../root/usr/bin/coredata ../root/usr/bin/momc 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || {
    echo "The packages with the libraries of the programs can't be found: run dpkg-shlibdeps to see why." >&2
    exit 1
}
architecture=$(dpkg --print-architecture)
cat >"$root/DEBIAN/control" <<CONTROL
Package: opencoredata
Version: $version
Section: devel
Priority: optional
Architecture: $architecture
Maintainer: The OpenCoreData maintainers <opencoredata@users.noreply.github.com>
Depends: $depends, tzdata
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Description: Core Data's models and stores on the command line
 coredata shows, checks, compares, edits and migrates Core Data and SwiftData
 stores and models. momc compiles models from Xcode's format and from text.
CONTROL
package=$result/opencoredata_${version}_$architecture.deb
rm -f "$result"/*.deb
dpkg-deb --root-owner-group --build "$root" "$package" >"$log"
echo "$package"
