#!/bin/sh
# Starts two processes of Examples/TeamServer on one database, shows some requests by curl, and ends them. The database is
# a SQLite file, or the database of the URL in COREDATA_POSTGRESQL_URL: there the demonstration makes a schema and
# leaves it.
set -eu
cd "$(dirname "$0")/.."

root=$(pwd -P)
export SWIFT_DETERMINISTIC_HASHING=1
mkdir -p .build
log=$root/.build/demo-server.log
folder=$(mktemp -d "${TMPDIR:-/tmp}/team-server.XXXXXX")
processes=
clean_up() {
    for process in $processes; do kill "$process" 2>/dev/null || true; done
    for process in $processes; do wait "$process" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap 'clean_up' EXIT
trap 'exit 1' INT TERM

command -v curl >/dev/null 2>&1 || Scripts/install-packages.sh curl
echo "Building Examples/TeamServer (the first time takes several minutes)"
if ! swift build --package-path Examples/TeamServer --scratch-path "$root/.build/team-server" --product team-server \
    >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
program=$(swift build --package-path Examples/TeamServer --scratch-path "$root/.build/team-server" --show-bin-path)/team-server

if [ -n "${COREDATA_POSTGRESQL_URL:-}" ]; then
    case $COREDATA_POSTGRESQL_URL in *\?*) sign='&' ;; *) sign='?' ;; esac
    TEAM_SERVER_DATABASE="$COREDATA_POSTGRESQL_URL${sign}schema=team_server_demo"
    echo "The database is on PostgreSQL."
else
    TEAM_SERVER_DATABASE=$folder/teams.sqlite
    echo "The database is a SQLite file."
fi
blue=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
red=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export TEAM_SERVER_DATABASE TEAM_SERVER_TOKENS="blue=$blue,red=$red"

# Starts a server and waits until it answers: start PORT
start() {
    TEAM_SERVER_PORT=$1 "$program" 2>"$folder/server-$1.log" &
    processes="$processes $!"
    tries=0
    until curl -fs -o /dev/null "http://127.0.0.1:$1/health"; do
        tries=$((tries + 1))
        kill -0 $! 2>/dev/null && [ "$tries" -lt 300 ] || {
            cat "$folder/server-$1.log" >&2
            exit 1
        }
        sleep 0.1
    done
}

# Shows a request and its answer: request TOKEN PATH [OPTION ...]
request() {
    token=$1 path=$2
    shift 2
    printf '\n$ curl http://127.0.0.1:%s' "$port$path"
    for word; do printf " '%s'" "$word"; done
    echo
    curl -s -w '\n[%{http_code}]\n' -H "Authorization: Bearer $token" "$@" "http://127.0.0.1:$port$path" | tee "$folder/answer"
}

value() { sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p" "$folder/answer" | head -n 1; }

first=${TEAM_SERVER_PORT:-18080}
second=$((first + 1))
start "$first"
start "$second"
echo "Two servers run on it: ports $first and $second."
port=$second
curl -sN -H "Authorization: Bearer $blue" "http://127.0.0.1:$second/changes" >"$folder/changes" &
processes="$processes $!"
until grep -q connected "$folder/changes"; do sleep 0.1; done

port=$first
request "$blue" /members -d '{"name":"Ada","email":"ada@example.org"}'
member=$(value key)
request "$blue" /tasks -d "{\"title\":\"Write the report\",\"priority\":7,\"assignee\":\"$member\"}"
task=$(sed -n 's/.*"key":"\([^"]*\)","notes".*/\1/p' "$folder/answer")
request "$blue" "/tasks/$task" -X PATCH -H 'If-Match: "1"' -d '{"isDone":true}'
request "$blue" "/tasks/$task" -X PATCH -H 'If-Match: "1"' -d '{"title":"Too late"}'
request "$blue" /tasks -d '{"title":7,"owner":"red"}'
request "$red" "/tasks/$task"
port=$second
request "$blue" '/tasks?isDone.eq=true&title.contains=REPORT&order=-priority&limit=5'
request "$blue" "/tasks/$task" -X DELETE

echo
echo "What the second server has sent to a client that listens, of changes by the first and by itself:"
tries=0
until grep -q '"type":"delete"' "$folder/changes" || [ "$tries" -ge 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
grep -E '^(id|data)' "$folder/changes" || true
grep -q '"type":"delete"' "$folder/changes" || {
    echo "The changes have not come." >&2
    exit 1
}
echo
echo "The servers shut down."
