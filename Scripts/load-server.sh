#!/bin/sh
# Loads Examples/TeamServer by wrk: load-server.sh [SECONDS [CONNECTIONS]], 120 and 64 by default. It prints requests a
# second, latencies, and the memory of the server at the beginning and at the end. The database is a SQLite file, or, with
# COREDATA_POSTGRESQL_URL set, a schema there, which it leaves.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-120}
connections=${2:-64}
root=$(pwd -P)
export SWIFT_DETERMINISTIC_HASHING=1
mkdir -p .build
log=$root/.build/load-server.log
folder=$(mktemp -d "${TMPDIR:-/tmp}/load-server.XXXXXX")
process=
clean_up() {
    [ -z "$process" ] || { kill "$process" 2>/dev/null && wait "$process" 2>/dev/null; } || true
    rm -rf "$folder"
}
trap 'clean_up' EXIT
trap 'exit 1' INT TERM

for program in curl wrk; do command -v "$program" >/dev/null 2>&1 || Scripts/install-packages.sh "$program"; done
options="-c release --package-path Examples/TeamServer --scratch-path $root/.build/team-server"
echo "Building Examples/TeamServer for release (the first time takes several minutes)"
# shellcheck disable=SC2086 # each option is one word
if ! swift build $options --product team-server >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
# shellcheck disable=SC2086
program=$(swift build $options --show-bin-path)/team-server

if [ -n "${COREDATA_POSTGRESQL_URL:-}" ]; then
    case $COREDATA_POSTGRESQL_URL in *\?*) sign='&' ;; *) sign='?' ;; esac
    TEAM_SERVER_DATABASE="$COREDATA_POSTGRESQL_URL${sign}schema=team_server_load_$$"
else
    TEAM_SERVER_DATABASE=$folder/teams.sqlite
fi
TEAM_SERVER_TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
TEAM_SERVER_KEYS=$folder/keys
TEAM_SERVER_PORT=${TEAM_SERVER_PORT:-18090}
export TEAM_SERVER_DATABASE TEAM_SERVER_TOKEN TEAM_SERVER_KEYS TEAM_SERVER_PORT TEAM_SERVER_TOKENS="blue=$TEAM_SERVER_TOKEN"
# By default glibc's allocator has an arena for nearly each thread, and what one frees no other one uses.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
"$program" 2>"$folder/server.log" &
process=$!
url=http://127.0.0.1:$TEAM_SERVER_PORT
until curl -fs -o /dev/null "$url/health"; do
    kill -0 "$process" 2>/dev/null || { cat "$folder/server.log" >&2; exit 1; }
    sleep 0.1
done

number=0
while [ "$number" -lt 1000 ]; do
    printf 'url = "%s/tasks"\ndata = "{\\"title\\":\\"Task %s\\",\\"priority\\":%s}"\noutput = "%s/answer"\n' \
        "$url" "$number" "$((number % 10))" "$folder"
    [ "$number" -eq 999 ] || echo next
    number=$((number + 1))
done >"$folder/requests"
# Each part of the file between two "next" needs its own header.
sed "s|^url = |header = \"Authorization: Bearer $TEAM_SERVER_TOKEN\"\nurl = |" "$folder/requests" >"$folder/config"
curl -s --config "$folder/config"
offset=0
while [ "$offset" -lt 1000 ]; do
    curl -s -H "Authorization: Bearer $TEAM_SERVER_TOKEN" "$url/tasks?limit=100&offset=$offset" |
        grep -o '"key":"[^"]*","notes"' | cut -d '"' -f 4
    offset=$((offset + 100))
done >"$TEAM_SERVER_KEYS"
[ "$(wc -l <"$TEAM_SERVER_KEYS")" -eq 1000 ] || { echo "The tasks could not be made." >&2; exit 1; }

memory() { awk '/^VmRSS/ { printf "%.0f MB", $2 / 1024 }' "/proc/$process/status"; }
threads() { awk '/^Threads/ { print $2 }' "/proc/$process/status"; }

# Ends with the server's log if the server has ended.
check_server() {
    kill -0 "$process" 2>/dev/null && return 0
    status=0
    wait "$process" || status=$?
    process=
    tail -n 200 "$folder/server.log" >&2
    echo "The server has ended under load, with status $status." >&2
    exit 1
}

wrk --threads 2 --connections "$connections" --duration 5 --script Examples/TeamServer/load.lua "$url" >/dev/null
check_server
echo "After 5 seconds of load: $(memory), $(threads) threads"
wrk --threads 2 --connections "$connections" --duration "$seconds" --script Examples/TeamServer/load.lua "$url" | tail -n 1
check_server
echo "After $seconds further seconds: $(memory), $(threads) threads; load of the machine: $(cut -d ' ' -f 1-3 /proc/loadavg)"
