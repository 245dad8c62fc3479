# A PostgreSQL server for the tests of a script. To be sourced after check-build.sh.

folder=
clean_up() {
    rm -f "$runner"
    [ -n "$folder" ] || return 0
    Scripts/postgresql-server.sh stop "$folder" || true
    rm -rf "$folder"
}

# Starts a server in a new folder and exports its URL, unless COREDATA_POSTGRESQL_URL names one already.
need_server() {
    [ -z "${COREDATA_POSTGRESQL_URL:-}" ] || return 0
    folder=$(mktemp -d "${TMPDIR:-/tmp}/coredata-postgresql.XXXXXX")
    echo "Starting a server"
    COREDATA_POSTGRESQL_URL=$(Scripts/postgresql-server.sh start "$folder")
    export COREDATA_POSTGRESQL_URL
}
