# Sourced by the scripts with many steps: what each step takes.

timed_begin=$(date +%s)
mkdir -p .build

# The processor time in a file that `times` has written, in seconds. Its second line is that of the commands:
# 3m10.2s 0m40.1s. `times` is called where the commands were: a subshell has other ones.
processor_time() { awk -F '[ms ]+' 'NR == 2 { print int($1 * 60 + $2 + $3 * 60 + $4) }' "$1"; }

# Runs a command, and prints its time and its processor time. It isn't nested.
timed() {
    timed_start=$(date +%s)
    times >.build/times-before
    echo "== $*"
    "$@"
    times >.build/times-after
    timed_end=$(date +%s)
    timed_processor=$(($(processor_time .build/times-after) - $(processor_time .build/times-before)))
    echo "== $((timed_end - timed_start)) s, $timed_processor s of processor time, $(((timed_end - timed_begin) / 60))" \
        "minutes in all"
}
