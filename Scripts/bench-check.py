#!/usr/bin/env python3
"""Counts the instructions of short runs of the benchmarks, and compares them with stored counts.

usage: bench-check.py PROGRAM FILE [--update] [--workload NAME]

Each workload runs once under callgrind, with few rows, and those whose counts depend on time several times. Only the
measured part is counted. Fails when a count is more than 3 % above the stored one (10 % for those), when a workload has
no stored count, or when the counts were stored with another compiler or another SQLite. Says so, too, when a count is as
much below: store it, so that the gain is kept.
"""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

LIMIT = 0.03
# Requests that follow each other closely, within a millisecond, share a transaction: their counts depend on the speed of
# the machine. The least of several runs is compared, with a wider limit.
TIMED = {"to-one-faults", "to-many-faults", "to-many-read"}
TIMED_RUNS = 8
TIMED_LIMIT = 0.10
# Dictionaries would otherwise be in another order in each process.
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "SWIFT_DETERMINISTIC_HASHING": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC", "LD_BIND_NOW": "1",
    "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def tools():
    """What the counts depend on, beside the sources."""
    swift = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
    return f"Swift {swift}, SQLite {output('pkg-config', '--modversion', 'sqlite3').strip()}, {os.uname().machine}"


def count(program, workload, scratch):
    """The instructions of the measured part of a run; the least of several where they depend on time."""
    return min(count_once(program, workload, scratch) for _ in range(TIMED_RUNS if workload in TIMED else 1))


def count_once(program, workload, scratch):
    """The instructions of the measured part of one run."""
    # The length of the path is the same for each checkout: SQLite reads it.
    folder = f"/tmp/opencoredata-bench-check/{workload}"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    try:
        result = os.path.join(scratch, f"{workload}.callgrind")
        # Makes the files first, without callgrind: that is much faster.
        prepare = [program, "--child", "instructions", "--workload", workload, "--folder", folder]
        subprocess.run(prepare, check=True, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=measured_region",
                   f"--callgrind-out-file={result}"] + prepare
        run = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
        found = re.search(r"Collected : (\d+)", run.stderr)
        if run.returncode != 0 or not found or found.group(1) == "0":
            sys.exit(f"{workload} can't be counted:\n{run.stderr}")
        return int(found.group(1))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stored_counts(path):
    """The tools and the counts of the file."""
    counts, used = {}, None
    if os.path.exists(path):
        for line in open(path, encoding="utf-8"):
            if line.startswith("# tools: "):
                used = line[len("# tools: "):].strip()
            elif line.strip() and not line.startswith("#"):
                name, number = line.split("\t")
                counts[name] = int(number)
    return used, counts


def write(path, counts):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# Instructions of a short run of each workload: see Scripts/bench-check.sh.\n")
        file.write("# 'make bench-check ARGS=--update' writes this file.\n")
        file.write(f"# tools: {tools()}\n")
        for name, number in counts.items():
            file.write(f"{name}\t{number}\n")


def main():
    program, path, *arguments = sys.argv[1:]
    # Older versions of valgrind stop at the debug information of newer compilers. The names of functions stay.
    # Its path is the same for each checkout, too: addresses in memory depend on it, and hash tables on those.
    place = "/tmp/opencoredata-bench-check/program"
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    for bundle in glob.glob(os.path.join(os.path.dirname(program), "*.resources")):
        shutil.copytree(bundle, os.path.join(place, os.path.basename(bundle)))
    stripped = os.path.join(place, "benchmarks")
    subprocess.run(["strip", "--strip-debug", "-o", stripped, program], check=True)
    program = stripped
    update = "--update" in arguments
    selection = []
    if "--workload" in arguments:
        selection = ["--workload", arguments[arguments.index("--workload") + 1]]
    workloads = output(program, "--names", *selection).split()
    scratch = os.path.join(os.path.dirname(os.path.abspath(path)), ".build", "callgrind")
    os.makedirs(scratch, exist_ok=True)
    used, stored = stored_counts(path)
    if not update and used != tools():
        sys.exit(f"The counts of {path} are of {used}, these tools are {tools()}.\n"
                 "Store the counts of the sources before your change with 'make bench-check ARGS=--update'.")

    failed = False
    counts = dict(stored)
    print(f"{'':24}{'instructions':>16}{'stored':>16}{'change':>10}")
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name, number in zip(workloads, pool.map(lambda name: count(program, name, scratch), workloads)):
            counts[name] = number
            before = stored.get(name)
            change = f"{(number / before - 1) * 100:+.2f} %" if before else "new"
            verdict = ""
            limit = TIMED_LIMIT if name in TIMED else LIMIT
            if before is None or number > before * (1 + limit):
                failed = True
                verdict = "  MORE" if before else "  NOT STORED"
            elif number < before * (1 - limit):
                verdict = "  less: store it"
            print(f"{name:24}{number:16,}{before or 0:16,}{change:>10}{verdict}", flush=True)
    if update:
        # In the order of the workloads; what isn't measured any more is left out.
        order = output(program, "--names").split()
        write(path, {name: counts[name] for name in order if name in counts})
        print(f"stored in Benchmarks/{os.path.basename(path)}")
    elif failed:
        sys.exit("Some workloads need over 3 % more instructions. 'callgrind_annotate' shows where, with the files in\n"
                 "Benchmarks/.build/callgrind. If that must be, store the counts: make bench-check ARGS=--update")


main()
