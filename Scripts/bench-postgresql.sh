#!/bin/sh
# Runs the benchmarks of PostgreSQL stores on a server that is started for them. With OPENCOREDATA_BENCH_POSTGRESQL set
# they run on the server of that URL, in new schemas. bench.sh gets the arguments.
set -eu
cd "$(dirname "$0")/.."

folder=
finish() {
    [ -n "$folder" ] || return 0
    Scripts/postgresql-server.sh stop "$folder" || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

if [ -z "${OPENCOREDATA_BENCH_POSTGRESQL:-}" ]; then
    folder=$(mktemp -d "${TMPDIR:-/tmp}/coredata-postgresql.XXXXXX")
    echo "Starting a server" >&2
    OPENCOREDATA_BENCH_POSTGRESQL=$(Scripts/postgresql-server.sh start "$folder")
    export OPENCOREDATA_BENCH_POSTGRESQL
fi
command -v pgbench >/dev/null 2>&1 || {
    echo "pgbench is missing: install it with this system's package manager (on Debian: postgresql)." >&2
    exit 1
}
Scripts/bench.sh --workload postgresql "$@"
