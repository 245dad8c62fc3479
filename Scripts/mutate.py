#!/usr/bin/env python3
"""Changes the library at one place after the other, and checks that a test fails each time.

usage: mutate.py [--again SUITE ...] [--source PART] [--whole] [--jobs NUMBER]

A change is a mutant: a condition that is always true, a statement that is left out (Mutation/Sources/mutants lists the
kinds). All mutants of the sources in Mutation/sources.txt are compiled into one copy of the package, below
.build/mutation, and an environment variable makes one of them active. Each suite runs once to find the mutants that it
reaches. A mutant then runs suites that reach it, first those that killed its neighbours and the most thorough ones,
until a test fails, a process crashes or a time limit passes: the mutant is killed. It survives if that happens in none
of the first suites, which take a minute; with --whole, in no suite at all.

Prints the mutants that no test kills and that Mutation/accepted-mutants.tsv doesn't list with a reason, and fails if
there are some, or if a row of that file names a mutant that is killed or doesn't exist.

  --again SUITE ...  runs the last survivors alone, after a change to the tests; SUITE is a suite that has changed
  --source PART      only the mutants of sources whose path contains PART
  --whole            runs all suites that reach a mutant
  --jobs NUMBER      test programs at a time (the number of cores)
"""
import argparse
import collections
import concurrent.futures
import csv
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, ".build", "mutation")
COPY = os.path.join(WORK, "package")
COVERAGE = os.path.join(WORK, "coverage.json")
RESULTS = os.path.join(WORK, "results.json")
REFUSED = os.path.join(WORK, "refused.json")
ACCEPTED = os.path.join(ROOT, "Mutation", "accepted-mutants.tsv")
TESTS = "CoreDataModelTests OpenCoreDataTests CoreDataTests CoreDataContextTests CoreDataFetchTests"
# Swift Testing's status for a filter that no test has.
NO_TESTS = 69
# Seconds of the suites that run together: most mutants are killed by quick ones.
BATCHES = (3, 15, 45)

Mutant = collections.namedtuple("Mutant", "number path line declaration change text occurrence")


def key(mutant):
    """What names a mutant from run to run: its line and number change with each edit of the source."""
    return "\t".join([mutant.path, mutant.declaration, mutant.change, mutant.text, str(mutant.occurrence)])


# MARK: The copy of the package


def listed_files():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout
    return {name for name in names.split("\0") if name and os.path.isfile(os.path.join(ROOT, name))}


def mutated_sources():
    with open(os.path.join(ROOT, "Mutation", "sources.txt")) as file:
        patterns = file.read().split()
    sources = []
    for pattern in patterns:
        found = sorted(glob.glob(os.path.join(ROOT, pattern)))
        if not found:
            sys.exit(f"Mutation/sources.txt names {pattern}, which doesn't exist.")
        sources += [os.path.relpath(path, ROOT) for path in found]
    return sources


def copy_package(sources):
    """Brings the copy up to date. A file that stays the same keeps its date, and isn't compiled again."""
    names = listed_files()
    for name in names - set(sources):
        update(os.path.join(ROOT, name), os.path.join(COPY, name))
    update(os.path.join(ROOT, "Mutation", "Mutant.swift"),
           os.path.join(COPY, "Sources", "CoreDataPredicates", "Mutant.swift"))
    for folder in ("Sources", "Tests"):
        for directory, _, files in os.walk(os.path.join(COPY, folder)):
            for file in files:
                path = os.path.join(directory, file)
                if os.path.relpath(path, COPY) not in names and file != "Mutant.swift":
                    os.remove(path)


def update(source, target):
    with open(source, "rb") as file:
        content = file.read()
    if os.path.isfile(target):
        with open(target, "rb") as file:
            if file.read() == content:
                return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(content)
    shutil.copymode(source, target)


# MARK: Mutants


def build_generator():
    info = json.loads(subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True).stdout)
    modules = os.path.join(info["paths"]["runtimeResourcePath"], "host")
    if not os.path.isdir(os.path.join(modules, "SwiftSyntax.swiftmodule")):
        sys.exit(f"The toolchain has no modules of swift-syntax in {modules}: install a complete toolchain.")
    program = os.path.join(WORK, "program")
    run = subprocess.run(["swift", "build", "--scratch-path", program], cwd=os.path.join(ROOT, "Mutation"),
                         env=dict(os.environ, SWIFT_HOST_MODULES=modules), capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stdout + run.stderr)
    return os.path.join(program, "debug", "mutants")


def generate(program, sources, refused):
    """Writes the mutated sources into the copy, and returns the mutants with those that the compiler refuses."""
    numbers = [mutant.number for mutant in read_mutants(program, sources, "-", []) if key(mutant) in refused]
    return read_mutants(program, sources, COPY, numbers)


def read_mutants(program, sources, folder, refused):
    with tempfile.NamedTemporaryFile("w", dir=WORK) as file:
        file.write("\n".join(map(str, refused)))
        file.flush()
        rows = subprocess.run([program, ROOT, folder, "1", "--without", file.name] + sources, check=True,
                              capture_output=True, text=True).stdout.splitlines()
    occurrences = collections.Counter()
    mutants = []
    for row in rows:
        number, path, line, declaration, change, text = row.split("\t")
        occurrences[path, declaration, change, text] += 1
        mutants.append(Mutant(int(number), path, int(line), declaration, change, text,
                              occurrences[path, declaration, change, text]))
    return mutants


def build(program, sources):
    """Builds the tests of the copy. Leaves out the mutants whose lines don't compile, and builds again."""
    refused = set(read(REFUSED, []))
    log = os.path.join(WORK, "build.log")
    for _ in range(12):
        write(REFUSED, sorted(refused))
        mutants = generate(program, sources, refused)
        script = '. Scripts/check-build.sh; build_tests "$0"'
        environment = {name: value for name, value in os.environ.items() if name != "COREDATA_LOCKED"}
        environment["COREDATA_SUITES"] = TESTS
        begin = time.time()
        run = subprocess.run(["sh", "-eu", "-c", script, log], cwd=COPY, env=environment, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        print(f"  {time.time() - begin:.0f} s", flush=True)
        if run.returncode == 0:
            return [mutant for mutant in mutants if key(mutant) not in refused], refused
        bad = mutants_of_errors(log, mutants)
        if not bad - refused:
            sys.exit(f"The mutated package doesn't build: see {log}.")
        refused |= bad
        print(f"  {len(refused)} mutants don't compile; building without them", flush=True)
    sys.exit(f"The mutated package doesn't build: see {log}.")


def mutants_of_errors(log, mutants):
    with open(log, errors="replace") as file:
        errors = set(re.findall(r"^" + re.escape(COPY) + r"/([^:\n]*):(\d+):\d+: error:", file.read(), re.MULTILINE))
    bad = set()
    for path, line in errors:
        lines = [mutant.line for mutant in mutants if mutant.path == path and mutant.line <= int(line)]
        if lines:
            bad |= {key(mutant) for mutant in mutants if mutant.path == path and mutant.line == max(lines)}
    return bad


# MARK: Runs


def test_program():
    return os.path.join(COPY, ".build", "check", "debug", "OpenCoreDataPackageTests.xctest")


def run_tests(suites, limit, **variables):
    """Runs suites to their end, or to the first failure. Returns the status, and None after the limit."""
    folder = tempfile.mkdtemp(prefix="mutation.")
    command = [test_program(), "--testing-library", "swift-testing"]
    for suite in suites:
        command += ["--filter", "^" + re.escape(suite) + "(/|$)"]
    environment = dict(os.environ, NO_COLOR="1", TMPDIR=folder, SWIFT_BACKTRACE="enable=no", **variables)
    process = subprocess.Popen(command, cwd=COPY, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)

    # The programs that a test has started end with it.
    def end():
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    is_late = threading.Event()
    timer = threading.Timer(limit, lambda: (is_late.set(), end()))
    timer.start()
    has_failed = False
    for line in process.stdout:
        if line.startswith("\u2718".encode()):
            has_failed = True
            break
    timer.cancel()
    if has_failed or is_late.is_set():
        end()
    status = process.wait()
    end()
    process.stdout.close()
    shutil.rmtree(folder, ignore_errors=True)
    return 1 if has_failed else None if is_late.is_set() else status


def list_suites():
    tests = subprocess.run([test_program(), "--testing-library", "swift-testing", "--list-tests"], cwd=COPY, check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return sorted({test.split("/")[0] for test in tests if "." in test})


def trace(suite, mutants):
    """The seconds of a suite and the keys of the mutants that it reaches; an error if it fails without a mutant."""
    with tempfile.NamedTemporaryFile(dir=WORK) as file:
        file.write(bytes(max(mutant.number for mutant in mutants) + 1))
        file.flush()
        begin = time.time()
        status = run_tests([suite], 600, COREDATA_MUTANT_TRACE=file.name)
        seconds = time.time() - begin
        file.seek(0)
        reached = file.read()
    failure = None if status == 0 else "is not found" if status == NO_TESTS else f"fails without a mutant ({status})"
    return {"seconds": seconds, "failure": failure,
            "mutants": [key(mutant) for mutant in mutants if reached[mutant.number]]}


def killer(mutant, suites, coverage, is_whole):
    """The suites that kill a mutant; None if no suite does."""
    rest = list(suites)
    for limit in BATCHES + (1_000_000,) * is_whole:
        batch, seconds = [], 0
        while rest and (not batch or seconds + coverage[rest[0]]["seconds"] <= limit):
            seconds += coverage[rest[0]]["seconds"]
            batch.append(rest.pop(0))
        if not batch:
            return None
        status = run_tests(batch, 30 + 10 * seconds, COREDATA_MUTANT=str(mutant.number))
        if status != 0:
            return " ".join(batch) + (" (time limit)" if status is None else "")
    return None


# MARK: Results


def read(path, otherwise):
    if not os.path.exists(path):
        return otherwise
    with open(path) as file:
        return json.load(file)


def write(path, value):
    with open(path + ".new", "w") as file:
        json.dump(value, file, indent=1)
    os.replace(path + ".new", path)


def accepted():
    """The reasons of accepted mutants by their keys."""
    with open(ACCEPTED, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {"\t".join([row["source"], row["declaration"], row["change"], row["text"], row["occurrence"]]): row["reason"]
            for row in rows}


def trace_all(mutants, again, jobs):
    coverage = read(COVERAGE, {}) if again is not None else {}
    suites = list_suites()
    wanted = [suite for suite in suites
              if suite not in coverage or coverage[suite]["failure"] or any(part in suite for part in again or [])]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for suite, found in zip(wanted, pool.map(lambda suite: trace(suite, mutants), wanted)):
            coverage[suite] = found
            write(COVERAGE, coverage)
    coverage = {suite: coverage[suite] for suite in suites}
    for suite, found in coverage.items():
        if found["failure"]:
            print(f"  {suite} {found['failure']}: it kills no mutant")
    return {suite: found for suite, found in coverage.items() if not found["failure"]}


def run_all(mutants, coverage, results, jobs, is_whole):
    suites = collections.defaultdict(list)
    for suite, found in coverage.items():
        for mutant in found["mutants"]:
            suites[mutant].append(suite)
    lock = threading.Lock()
    # A suite that has killed a mutant of a declaration probably kills the next one. A suite that reaches places of a
    # source which few other suites reach, in a short time, tests that source.
    killers = collections.defaultdict(collections.Counter)
    weights = {suite: collections.Counter() for suite in coverage}
    for suite, found in coverage.items():
        for mutant in found["mutants"]:
            weights[suite][mutant.split("\t")[0]] += 1 / len(suites[mutant]) / (found["seconds"] + 1)
    count = 0

    def work(mutant):
        nonlocal count
        name = (mutant.path, mutant.declaration)
        with lock:
            order = sorted(suites[key(mutant)],
                           key=lambda suite: (-killers[name][suite], -weights[suite][mutant.path]))
        found = killer(mutant, order, coverage, is_whole)
        with lock:
            for suite in (found or "").split():
                killers[name][suite] += 1 if len(found.split()) > 1 else 4
            results[key(mutant)] = found
            count += 1
            write(RESULTS, results)
            if count % 20 == 0 or count == len(mutants):
                print(f"  {count} of {len(mutants)} mutants", flush=True)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, mutants))
    return suites


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--again", nargs="*")
    parser.add_argument("--source", default="")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    sources = mutated_sources()
    copy_package(sources)
    print("Building", flush=True)
    mutants, refused = build(build_generator(), sources)
    print("Finding the mutants that each suite reaches", flush=True)
    coverage = trace_all(mutants, options.again, options.jobs)
    results = read(RESULTS, {}) if options.again is not None else {}
    chosen = [mutant for mutant in mutants if options.source in mutant.path and not results.get(key(mutant))]
    print("Running the mutants", flush=True)
    suites = run_all(chosen, coverage, results, options.jobs, options.whole)
    sys.exit(report([mutant for mutant in mutants if options.source in mutant.path], refused, results, suites))


def report(mutants, refused, results, suites):
    reasons = accepted()
    status = 0
    for mutant in mutants:
        if not results[key(mutant)] and key(mutant) not in reasons:
            status = 1
            reached = f"{len(suites[key(mutant)])} suites reach it" if suites[key(mutant)] else "no test reaches it"
            print(f"{mutant.path}:{mutant.line}: {mutant.declaration}: '{mutant.text}' {mutant.change}: {reached}")
    survivors = {key(mutant) for mutant in mutants if not results[key(mutant)]}
    known = {key(mutant) for mutant in mutants}
    for row in reasons:
        if row in known - survivors:
            status = 1
            print(f"Mutation/accepted-mutants.tsv: a test kills this mutant; remove its row: {row}")
    if len(mutants) == len(results) and reasons.keys() - known:
        status = 1
        for row in sorted(reasons.keys() - known):
            print(f"Mutation/accepted-mutants.tsv: this mutant doesn't exist; remove its row: {row}")
    listed = len(survivors & reasons.keys())
    print(f"{len(mutants)} mutants: {len(mutants) - len(survivors)} killed, {listed} accepted with a reason, "
          f"{len(survivors) - listed} survive; {len(refused)} more don't compile")
    return status


if __name__ == "__main__":
    main()
