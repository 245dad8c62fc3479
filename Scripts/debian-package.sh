#!/bin/sh
# Makes a Debian package of coredata, momc and coredata-serve, in .build/package. They contain Swift's libraries, so the
# package needs none of them. Test it with Scripts/test-debian-package.sh.
set -eu
cd "$(dirname "$0")/.."

command -v dpkg-shlibdeps >/dev/null 2>&1 || Scripts/install-packages.sh dpkg-dev
scratch=.build/package-release
result=.build/package
root=$result/root
mkdir -p "$result"
log=$result/build.log

# Builds a program: build NAME [FLAG ...]
build() {
    product=$1
    shift
    if ! swift build -c release --static-swift-stdlib --product "$product" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    binaries=$(swift build -c release --static-swift-stdlib "$@" --show-bin-path)
}

echo "Building the server (the first time takes many minutes)"
# The order of the traits in the commands of the compiler comes from the order of a set: see Scripts/test-server.sh.
export SWIFT_DETERMINISTIC_HASHING=1
build coredata-serve --package-path Server --scratch-path "$scratch-server"
server=$binaries/coredata-serve
echo "Building the commands (the first time takes several minutes)"
for program in coredata momc; do build "$program" --scratch-path "$scratch"; done
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
install -D -s -m 755 "$server" "$root/usr/bin/coredata-serve"

# Writes the completions of a shell to a file: completions PROGRAM SHELL FILE
completions() {
    mkdir -p "$root/$(dirname "$3")"
    "$1" --generate-completion-script "$2" >"$root/$3"
}
parser=$scratch/checkouts/swift-argument-parser
manual=$root/usr/share/man/man1
mkdir -p "$manual"
for program in "$command" "$server"; do
    name=$(basename "$program")
    completions "$program" bash "usr/share/bash-completion/completions/$name"
    completions "$program" zsh "usr/share/zsh/vendor-completions/_$name"
    completions "$program" fish "usr/share/fish/vendor_completions.d/$name.fish"
    # A page of the manual for each verb, by the tool of the package that reads the arguments.
    swift run --package-path "$parser" --scratch-path .build/manual generate-manual "$program" --multi-page \
        --date "$(date -u -r CHANGELOG.md +%Y-%m-%d)" --output-directory "$manual" >"$log" 2>&1 || {
        cat "$log" >&2
        exit 1
    }
done
gzip -9 -n "$manual"/*.1

documents=$root/usr/share/doc/opencoredata
mkdir -p "$documents"
cp LICENSE "$documents/copyright"
gzip -9 -n -c CHANGELOG.md >"$documents/changelog.gz"

# The packages that have the libraries of the programs. The tool wants the control file of a source package.
mkdir -p "$result/shlibs/debian"
printf 'Source: opencoredata\n\nPackage: opencoredata\nArchitecture: any\n' >"$result/shlibs/debian/control"
depends=$(cd "$result/shlibs" && dpkg-shlibdeps -O ../root/usr/bin/coredata ../root/usr/bin/coredata-serve ../root/usr/bin/momc 2>/dev/null |
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
 coredata-serve keeps stores of devices in sync with one of its own.
CONTROL
package=$result/opencoredata_${version}_$architecture.deb
rm -f "$result"/*.deb
dpkg-deb --root-owner-group --build "$root" "$package" >"$log"
echo "$package"
