#!/bin/sh
# The version of the package, which stands in the sources of both commands, in the changelog and in a tag.
#   Scripts/release.sh --check   fails if the places disagree; a part of `make test`
#   Scripts/release.sh --notes   prints the part of the changelog about the version, for the page of a release
#   Scripts/release.sh --tag     checks, and makes the tag; the heading in the changelog must have the date by then, and
#                                each part of `make nightly` must have passed within the last week
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

# Checks the last run of each part of `make nightly`.
nightly() {
    week=$(date -u -d '7 days ago' +%Y-%m-%d)
    for part in $(Scripts/nightly.sh --parts); do
        row=$(awk -F '\t' -v part="$part" '$1 == part' Documentation/Nightly.tsv 2>/dev/null)
        result=$(printf %s "$row" | cut -f 2)
        run=$(printf %s "$row" | cut -f 3)
        commit=$(printf %s "$row" | cut -f 4)
        case $result in
        passed | "not installed") ;;
        *) fail "The part $part of make nightly: ${result:-never run}. Run 'make nightly ARGS=$part'." ;;
        esac
        git merge-base --is-ancestor "$commit" HEAD 2>/dev/null ||
            fail "The part $part of make nightly ran on the commit $commit, which isn't in this history: run it again."
        [ "$(printf '%s\n%s\n' "$week" "$run" | sort | head -n 1)" = "$week" ] ||
            fail "The part $part of make nightly ran on $run, more than a week ago: run it again."
    done
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
    nightly
    git tag -a "$version" -m "OpenCoreData $version"
    echo "The tag $version is made. Publish it by: git push origin $version"
    ;;
*) fail "usage: $0 --check | --notes | --tag" ;;
esac
