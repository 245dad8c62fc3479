#!/bin/sh
# The version of the package, which stands in the sources of both commands, in the changelog and in a tag.
#   Scripts/release.sh --check   fails if the places disagree; a part of `make test`
#   Scripts/release.sh --notes   prints the part of the changelog about the version, for the page of a release
#   Scripts/release.sh --tag     checks, and makes the tag; the heading in the changelog must have the date by then
set -eu
cd "$(dirname "$0")/.."

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

number() { sed -n 's/.*static let [a-z]* = "\([0-9][0-9.]*\)".*/\1/p' "$1" | head -n 1; }

version=$(number Sources/CoreDataCommand/Support/ToolVersion.swift)
heading=$(grep -m 1 '^## ' CHANGELOG.md)

check() {
    compiler=$(number Sources/momc/Arguments/Help.swift)
    [ "$version" = "$compiler" ] || fail "coredata has the version $version, and momc $compiler."
    case $heading in
    "## [$version] - "* | "## [Unreleased] $version") ;;
    *) fail "The commands have the version $version, and CHANGELOG.md begins with '$heading'." ;;
    esac
}

case ${1:-} in
--check) check ;;
--notes) awk '/^## /{n++} n==1' CHANGELOG.md | tail -n +3 ;;
--tag)
    check
    [ -z "$(git status --porcelain)" ] || fail "There are changes that are not committed."
    case $heading in
    "## [$version] - "[0-9]*) ;;
    *) fail "Give the version its date in CHANGELOG.md: ## [$version] - $(date +%Y-%m-%d)" ;;
    esac
    git tag -a "$version" -m "OpenCoreData $version"
    echo "The tag $version is made. Publish it by: git push origin $version"
    ;;
*) fail "usage: $0 --check | --notes | --tag" ;;
esac
