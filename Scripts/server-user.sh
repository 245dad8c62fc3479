# The user that runs the programs of a PostgreSQL server. To be sourced.

# The server refuses to run as root.
server_user=
if [ "$(id -u)" -eq 0 ]; then
    if id postgres >/dev/null 2>&1; then server_user=postgres; else server_user=nobody; fi
fi

as_server() {
    if [ -z "$server_user" ]; then
        "$@"
    elif command -v setpriv >/dev/null 2>&1; then
        setpriv --reuid "$server_user" --regid "$(id -g "$server_user")" --clear-groups -- "$@"
    else
        # The words reach the shell of the user as its arguments.
        su -s /bin/sh "$server_user" -c 'exec "$0" "$@"' -- "$@"
    fi
}
