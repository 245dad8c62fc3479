#!/bin/sh
# Times what a visitor waits for: `make demo` from nothing, in a clean clone, and beside it a clean debug build of a program
# of three lines on GRDB. The packages are fetched before. Prints wall time, processor time and the peak memory of the
# largest process. Budget: 120 s, and twice the processor time of the other. With --test also `make test`, after
# `make demo` and from nothing, and an incremental one after a change in CoreDataStores.
set -eu
cd "$(dirname "$0")/.."

folder=$(mktemp -d "${TMPDIR:-/tmp}/coredata-first-contact.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
git clone -q . "$folder/OpenCoreData"
mkdir -p "$folder/Three/Sources/Three"
cat >"$folder/Three/Package.swift" <<'SWIFT'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Three",
    dependencies: [.package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0")],
    targets: [.executableTarget(name: "Three", dependencies: [.product(name: "GRDB", package: "GRDB.swift")])])
SWIFT
cat >"$folder/Three/Sources/Three/main.swift" <<'SWIFT'
import GRDB
let queue = try DatabaseQueue()
print(try queue.read { try String.fetchOne($0, sql: "SELECT 'So What'") } ?? "")
SWIFT
swift package --package-path "$folder/Three" resolve >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}
swift package --package-path "$folder/OpenCoreData" --scratch-path "$folder/OpenCoreData/.build/check" resolve \
    >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}

exec python3 - "$folder" "$@" <<'PYTHON'
import os
import pathlib
import shutil
import subprocess
import sys
import time

folder = pathlib.Path(sys.argv[1])
clone, three = folder / "OpenCoreData", folder / "Three"


def measured(title, command, where):
    """Runs a command, and prints its wall time, the processor time, and the memory of its largest process."""
    begin = time.monotonic()
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(command, cwd=where, stdout=log, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begin
    if status != 0:
        sys.exit((folder / "log").read_text() + f"\n{title} failed.")
    processor = usage.ru_utime + usage.ru_stime
    print(f"{title:<44} {wall:7.0f} s {processor:7.0f} s {usage.ru_maxrss / 1024:7.0f} MB", flush=True)
    return wall, processor


try:
    print(f"{'':<44} {'wall':>9} {'processor':>9} {'largest':>10}")
    _, other = measured("GRDB, a program of three lines", ["swift", "build"], three)
    wall, own = measured("make demo", ["make", "demo"], clone)
    print(f"make demo takes {own / other:.2f} times the processor time of GRDB.")
    if "--test" in sys.argv:
        measured("make test, after make demo", ["make", "test"], clone)
        with open(clone / "Sources/CoreDataStores/Support/OperatingSystem.swift", "a") as source:
            source.write("\nprivate let addedByTheMeasurement = 0\n")
        measured("make test, after a change in CoreDataStores", ["make", "test"], clone)
        shutil.rmtree(clone / ".build")
        subprocess.run(["git", "checkout", "-q", "."], cwd=clone, check=True)
        measured("make test, from nothing", ["make", "test"], clone)
    if wall > 120 or own > 2 * other:
        sys.exit("make demo is over its budget.")
finally:
    shutil.rmtree(folder, ignore_errors=True)
PYTHON
