#!/bin/sh
# What takes too long for each push: the tests at full size, the sanitizers, kills and crashes, damaged files, SQLCipher,
# the package of Debian, the counts of instructions. A part that fails stops no other. Documentation/Nightly.tsv gets the
# date, the commit and the result of each part; Scripts/release.sh reads it. Arguments name parts.
set -eu
cd "$(dirname "$0")/.."

table=Documentation/Nightly.tsv
logs=.build/nightly
parts="tests plain callbacks address thread faults sqlcipher bundled platforms postgresql postgresql-faults citus server fuzz sync"
parts="$parts sync-faults optimized package instructions"
if [ "${1:-}" = --parts ]; then
    echo "$parts"
    exit
fi
mkdir -p "$logs"
[ $# -gt 0 ] || set -- $parts

# Runs the tests of PostgreSQL on a cluster. Status 77: the extension isn't installed.
citus() {
    ls /usr/share/postgresql/*/extension/citus.control >/dev/null 2>&1 || return 77
    cluster=$(mktemp -d "${TMPDIR:-/tmp}/coredata-citus.XXXXXX")
    COREDATA_POSTGRESQL_URL=$(Scripts/citus-cluster.sh start "$cluster")
    export COREDATA_POSTGRESQL_URL
    status=0
    Scripts/test-postgresql.sh || status=$?
    Scripts/citus-cluster.sh stop "$cluster" || true
    rm -rf "$cluster"
    return "$status"
}

# Processes that sync, and are killed. A full disk needs a file system of its own, which root may mount.
sync_faults() {
    export SWIFT_DETERMINISTIC_HASHING=1
    swift build -c release --product sync-simulator --scratch-path .build/optimized
    server="-c release --package-path Server --scratch-path .build/optimized-server"
    # shellcheck disable=SC2086 # each option is one word
    swift build $server --product coredata-serve
    # shellcheck disable=SC2086
    set -- --serve "$(swift build $server --show-bin-path)/coredata-serve" \
        --simulator "$(swift build -c release --scratch-path .build/optimized --show-bin-path)/sync-simulator"
    Scripts/test-sync-faults.py "$@" --seconds 180 --postgresql --slow 200
    if [ "$(id -u)" -eq 0 ]; then set -- "$@" --full-disk; fi
    Scripts/test-sync-faults.py "$@" --seconds 180 --slow 200
}

# The library as users build it, and the program of the README.
optimized() {
    swift build -c release --product readme --scratch-path .build/optimized
    (cd .build && optimized/release/readme)
}

run() {
    case $1 in
    tests) Scripts/test-long.sh ;;
    plain) Scripts/test-plain.sh ;;
    callbacks) Scripts/test-callbacks.sh ;;
    address) Scripts/test-sanitized.sh address ;;
    thread) Scripts/test-sanitized.sh thread ;;
    faults) Scripts/test-faults.sh ;;
    sqlcipher) Scripts/test-sqlcipher.sh ;;
    bundled) Scripts/test-bundled.sh ;;
    platforms) Scripts/check-platforms.sh ;;
    postgresql) Scripts/test-postgresql.sh ;;
    postgresql-faults) COREDATA_LONG_TESTS=1 Scripts/test-postgresql.sh ;;
    citus) citus ;;
    server) Scripts/test-server.sh ;;
    fuzz) Scripts/fuzz.sh --seconds 600 ;;
    sync) Scripts/simulate-sync.sh ;;
    sync-faults) sync_faults ;;
    optimized) optimized ;;
    package) Scripts/debian-package.sh && Scripts/test-debian-package.sh ;;
    instructions) Scripts/bench-check.sh ;;
    *) echo "There is no part '$1'. The parts: $parts" && return 2 ;;
    esac
}

# Replaces the row of a part.
record() {
    [ -f "$table" ] || printf 'part\tresult\tdate\tcommit\tminutes\n' >"$table"
    {
        head -n 1 "$table"
        {
            tail -n +2 "$table" | awk -F '\t' -v part="$1" '$1 != part'
            printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$(date -u +%Y-%m-%d)" "$commit" "$3"
        } | LC_ALL=C sort
    } >"$table.new"
    mv "$table.new" "$table"
}

commit=$(git rev-parse --short=10 HEAD)
failed=
for part in "$@"; do
    begin=$(date +%s)
    echo "$part"
    status=0
    (run "$part") >"$logs/$part.log" 2>&1 || status=$?
    case $status in
    0) result=passed ;;
    77) result="not installed" ;;
    *) result=failed failed="$failed $part" ;;
    esac
    minutes=$((($(date +%s) - begin + 30) / 60))
    echo "  $result after $minutes min; the output is in $logs/$part.log"
    record "$part" "$result" "$minutes"
done
[ -z "$failed" ] || {
    echo "These parts failed:$failed" >&2
    exit 1
}
