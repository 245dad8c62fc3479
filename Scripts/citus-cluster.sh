#!/bin/sh
# A Citus cluster for tests by hand, in a new folder: a coordinator and two workers on 127.0.0.1.
#   Scripts/citus-cluster.sh start FOLDER    makes the servers if there are none, starts them and prints the URL
#   Scripts/citus-cluster.sh stop FOLDER [MODE]
#       stops them; the caller removes the folder. MODE is a mode of pg_ctl: fast by default, or immediate, as in a
#       crash
# The ports are COREDATA_CITUS_PORT (25430 by default) and the two that follow. Then, for instance:
#   COREDATA_POSTGRESQL_URL=$(Scripts/citus-cluster.sh start FOLDER) Scripts/test-postgresql.sh
set -eu
scripts=$(cd "$(dirname "$0")" && pwd -P)

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

usage="usage: $0 start FOLDER | stop FOLDER [fast|immediate]"
[ $# -eq 2 ] || [ "$#-$1" = 3-stop ] || fail "$usage"
command=$1
mode=${3:-fast}
first=${COREDATA_CITUS_PORT:-25430}
mkdir -p "$2"
folder=$(cd "$2" && pwd -P)
[ "${#folder}" -le 85 ] || fail "The path of the folder is too long for a socket: $folder"

# Prints the folder of the programs of the newest server that has the extension.
programs() {
    for config in $(ls /usr/lib/postgresql/*/bin/pg_config 2>/dev/null | sort -t / -k 5 -n -r) \
        "$(command -v pg_config 2>/dev/null || true)"; do
        [ -x "$config" ] || continue
        if [ -e "$("$config" --sharedir)/extension/citus.control" ] && [ -x "$("$config" --bindir)/initdb" ]; then
            "$config" --bindir
            return
        fi
    done
}

bin=$(programs)
[ -n "$bin" ] || fail "The extension Citus isn't installed: https://docs.citusdata.com says how to get or build it.
Each server needs the PostgreSQL version for which it was built, and the stores were tested with Citus 13.2."

. "$scripts/server-user.sh"

execute() { as_server "$bin/psql" --host "$folder" --port "$1" --username postgres --quiet --command "$2" postgres; }

cd "$folder"
case $command in
start)
    if [ -n "$server_user" ]; then chown "$server_user" "$folder"; fi
    is_new=
    for number in 0 1 2; do
        data=$folder/node$number
        if [ ! -d "$data" ]; then
            is_new=yes
            as_server "$bin/initdb" --pgdata "$data" --username postgres --auth trust --encoding UTF8 --locale C \
                >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; fail "A server could not be made."; }
            # Moves of a schema copy its tables by logical replication.
            printf '%s\n' "listen_addresses = '127.0.0.1'" "port = $((first + number))" \
                "unix_socket_directories = '$folder'" "max_connections = 300" "fsync = off" \
                "shared_preload_libraries = 'citus'" "wal_level = logical" "max_prepared_transactions = 200" \
                "max_worker_processes = 32" "max_replication_slots = 50" "max_wal_senders = 50" \
                "citus.node_conninfo = 'sslmode=disable'" "citus.enable_unsafe_triggers = on" \
                >>"$data/postgresql.conf"
        fi
        as_server "$bin/pg_ctl" start --pgdata "$data" --log "$data.log" --wait --timeout 60 >/dev/null 2>&1 || {
            cat "$data.log" >&2 2>/dev/null || true
            fail "A server could not be started. The ports are $first to $((first + 2)): see COREDATA_CITUS_PORT."
        }
    done
    if [ -n "$is_new" ]; then
        for number in 0 1 2; do execute $((first + number)) 'CREATE EXTENSION citus'; done
        execute "$first" "SELECT citus_set_coordinator_host('127.0.0.1', $first)" >/dev/null
        for number in 1 2; do execute "$first" "SELECT citus_add_node('127.0.0.1', $((first + number)))" >/dev/null; done
    fi
    printf 'postgresql://postgres@127.0.0.1:%s/postgres?sslmode=disable\n' "$first"
    ;;
stop)
    for number in 0 1 2; do
        data=$folder/node$number
        [ -d "$data" ] || continue
        as_server "$bin/pg_ctl" stop --pgdata "$data" --mode "$mode" --wait --timeout 60 >/dev/null 2>&1 || {
            # It isn't running.
            [ ! -e "$data/postmaster.pid" ] || fail "A server could not be stopped: see $data.log."
        }
    done
    ;;
*) fail "$usage" ;;
esac
