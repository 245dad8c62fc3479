#!/bin/sh
# A PostgreSQL server for tests, in a new folder, with a Unix socket only.
#   Scripts/postgresql-server.sh start FOLDER            makes the server if there is none, starts it and prints its URL
#   Scripts/postgresql-server.sh standby FOLDER PRIMARY  makes a replica of the server in the folder PRIMARY, starts it
#                                                        and prints its URL
#   Scripts/postgresql-server.sh promote FOLDER          makes a replica an independent server
#   Scripts/postgresql-server.sh stop FOLDER [MODE]      stops it; the caller removes the folder. MODE is a mode of
#                                                        pg_ctl: fast by default, or immediate, as in a crash
# A new server doesn't wait for its disk, unless the environment variable COREDATA_POSTGRESQL_FSYNC is "on".
set -eu
scripts=$(cd "$(dirname "$0")" && pwd -P)

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

usage="usage: $0 start FOLDER | standby FOLDER PRIMARY | promote FOLDER | stop FOLDER [fast|immediate]"
case "$#-${1:-}" in
2-start | 2-promote | 2-stop | 3-stop | 3-standby) ;;
*) fail "$usage" ;;
esac
command=$1
mode=${3:-fast}
primary=${3:-}
mkdir -p "$2"
folder=$(cd "$2" && pwd -P)
# The path of a socket has at most 107 bytes.
[ "${#folder}" -le 85 ] || fail "The path of the folder is too long for a socket: $folder"

# Prints the folder of the newest server's programs.
programs() {
    for candidate in "$(command -v postgres 2>/dev/null || true)" \
        "$(pg_config --bindir 2>/dev/null || true)/postgres" \
        $(ls -d /usr/lib/postgresql/*/bin/postgres 2>/dev/null | sort -t / -k 5 -n -r) \
        /opt/homebrew/opt/postgresql*/bin/postgres /usr/local/opt/postgresql*/bin/postgres; do
        if [ -x "$candidate" ] && [ -x "${candidate%/*}/initdb" ]; then
            printf '%s\n' "${candidate%/*}"
            return
        fi
    done
}

bin=$(programs)
if [ -z "$bin" ]; then
    Scripts/install-packages.sh postgresql
    bin=$(programs)
    [ -n "$bin" ] || fail "The programs initdb and postgres can't be found."
fi

. "$scripts/server-user.sh"

start_server() {
    as_server "$bin/pg_ctl" start --pgdata "$folder/data" --log "$folder/server.log" --wait --timeout 60 >/dev/null 2>&1 || {
        cat "$folder/server.log" >&2 2>/dev/null || true
        fail "The server could not be started."
    }
    encoded=$(printf '%s' "$folder" | sed 's/%/%25/g; s/ /%20/g; s/#/%23/g; s/&/%26/g; s/+/%2B/g; s/?/%3F/g')
    printf 'postgresql:///postgres?host=%s&user=postgres\n' "$encoded"
}

case $command in
start)
    if [ -n "$server_user" ]; then chown "$server_user" "$folder"; fi
    cd "$folder"
    if [ ! -d data ]; then
        as_server "$bin/initdb" --pgdata "$folder/data" --username postgres --auth trust --encoding UTF8 --locale C \
            >"$folder/initdb.log" 2>&1 || { cat "$folder/initdb.log" >&2; fail "The cluster could not be made."; }
        printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$folder'" \
            "unix_socket_permissions = 0700" "max_connections = 500" \
            "fsync = ${COREDATA_POSTGRESQL_FSYNC:-off}" \
            >>"$folder/data/postgresql.conf"
        # Tests of passwords connect as this user.
        printf '%s\n' 'local all coredata_password scram-sha-256' 'local all all trust' \
            'local replication all trust' >"$folder/data/pg_hba.conf"
    fi
    start_server
    ;;
standby)
    primary=$(cd "$primary" && pwd -P)
    if [ -n "$server_user" ]; then chown "$server_user" "$folder"; fi
    cd "$folder"
    backup=$bin/pg_basebackup
    [ -x "$backup" ] || backup=$(command -v pg_basebackup) || fail "The program pg_basebackup can't be found."
    as_server "$backup" --pgdata "$folder/data" --write-recovery-conf --wal-method stream --checkpoint fast \
        --host "$primary" --username postgres >"$folder/basebackup.log" 2>&1 || {
        cat "$folder/basebackup.log" >&2
        fail "The replica could not be made."
    }
    printf '%s\n' "unix_socket_directories = '$folder'" "hot_standby = on" >>"$folder/data/postgresql.conf"
    start_server
    ;;
promote)
    cd "$folder"
    as_server "$bin/pg_ctl" promote --pgdata "$folder/data" --wait --timeout 60 >/dev/null 2>&1 ||
        fail "The replica could not be promoted: see $folder/server.log."
    ;;
stop)
    cd "$folder"
    [ -d data ] || exit 0
    as_server "$bin/pg_ctl" stop --pgdata "$folder/data" --mode "$mode" --wait --timeout 60 >/dev/null 2>&1 || {
        # It isn't running.
        [ ! -e "$folder/data/postmaster.pid" ] || fail "The server could not be stopped: see $folder/server.log."
    }
    ;;
*) fail "$usage" ;;
esac
