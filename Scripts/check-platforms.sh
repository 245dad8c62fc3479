#!/bin/sh
# How far the sources are from other platforms, as far as a machine with Linux can tell:
#   - each source is parsed for each platform: errors in code that others leave out by #if,
#   - the C of the package is compiled for each by Zig (the package ziglang of PyPI),
#   - Scripts/system-calls.py lists the calls of the operating system.
# What it can't tell: whether the Swift code compiles there, since the modules of the platforms are missing.
set -eu
cd "$(dirname "$0")/.."

mkdir -p .build/platforms
log=.build/platforms/log
status=0

parse() {
    for module in Sources/*/ Plugins/*/; do
        files=$(find "$module" -name '*.swift')
        [ -n "$files" ] || continue
        # shellcheck disable=SC2086 # no path of the package has a space
        swiftc -frontend -parse -swift-version 6 -target "$1" -module-name "$(basename "$module")" $files >"$log" 2>&1 || {
            echo "$1: $module isn't parsed" >&2
            cat "$log" >&2
            status=1
        }
    done
}

echo "Parsing the sources"
for platform in x86_64-swift-linux-musl aarch64-unknown-linux-android28 x86_64-unknown-windows-msvc arm64-apple-macosx15.0 \
    wasm32-unknown-wasip1; do
    parse "$platform"
    echo "  $platform"
done

echo "Compiling the C"
zig=.build/platforms/zig
[ -x "$zig/bin/python3" ] || python3 -m venv "$zig"
"$zig/bin/python3" -m ziglang version >/dev/null 2>&1 || "$zig/bin/python3" -m pip install -q ziglang
# The headers of the libraries, which say nothing of the system.
headers=.build/platforms/headers
mkdir -p "$headers"
for header in sqlite3.h zlib.h zconf.h libpq-fe.h postgres_ext.h pg_config_ext.h; do
    found=$(find /usr/include -name "$header" 2>/dev/null | head -n 1)
    [ -z "$found" ] || cp "$found" "$headers/"
done
for platform in x86_64-linux-musl aarch64-linux-gnu x86_64-windows-gnu aarch64-macos wasm32-wasi; do
    for header in CSQLite/shim.h CSQLiteShims/shims.h CSwiftRuntime/runtime.h CZlib/shim.h CLibPQ/shim.h; do
        echo "#include \"$(pwd -P)/Sources/$header\"" >.build/platforms/header.c
        "$zig/bin/python3" -m ziglang cc -target "$platform" -std=gnu11 -Wall -Wextra -c -o .build/platforms/header.o \
            -I "$headers" .build/platforms/header.c >"$log" 2>&1 || {
            echo "$platform: Sources/$header doesn't compile" >&2
            cat "$log" >&2
            status=1
        }
    done
    echo "  $platform"
done

echo "Calls of the operating system"
Scripts/system-calls.py || status=1
exit "$status"
