#!/usr/bin/env python3
"""Runs the suites of behaviour and prints the tests that fail: where Apple's framework and ours differ.

usage: run-tests.py [--here] [arguments of swift test, such as --filter MemberTests]

On a Mac it makes a package of links to the sources in .build/apple, with the manifest beside this file, builds it
and runs its tests. With --here it runs the tests of this package, as Scripts/test.sh has built them: a trial of this
script.

A test that raises an exception ends the process. It counts as failed, and the others run in a new process. Fails if a
test failed that known-differences.tsv doesn't name, or if that table names a test that passes.
"""
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from suites import FOLDER, ROOT, SUITES, all_sources, rows

WORK = os.path.join(ROOT, ".build", "apple")
# A test without any event for so many seconds is stopped. It counts as failed.
PATIENCE = 300


def make_package():
    """A folder with the manifest and links to the sources that are not left out."""
    package = os.path.join(WORK, "package")
    shutil.rmtree(package, ignore_errors=True)
    os.makedirs(package)
    shutil.copy(os.path.join(FOLDER, "Package.swift"), package)
    for sources in all_sources(rows("left-out.tsv")):
        for name, path in sources.files.items():
            link = os.path.join(package, "Tests", sources.target, name)
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink(path, link)
    return package


class Run:
    """The events of one process after the other, until every test has run."""

    def __init__(self, command):
        self.command = command
        self.names, self.files = {}, {}
        self.finished, self.failures = set(), {}
        self.events = os.path.join(WORK, "events.jsonl")
        self.log = os.path.join(WORK, "tests.log")

    def fail(self, test, text):
        self.failures.setdefault(test, []).append(text)

    def read(self, handle, running):
        """Reads the events that were written since the last call. Returns whether the run has ended."""
        has_ended = False
        while True:
            position = handle.tell()
            line = handle.readline()
            if not line.endswith("\n"):
                handle.seek(position)
                return has_ended
            record = json.loads(line)
            payload = record["payload"]
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    self.names[payload["id"]] = payload.get("displayName") or payload["name"]
                    place = payload["sourceLocation"]
                    self.files[payload["id"]] = f"{place['fileID']}:{place['line']}"
                continue
            kind, test = payload["kind"], payload.get("testID")
            if kind == "runEnded":
                has_ended = True
            elif kind == "testStarted" and test in self.names:
                running.add(test)
            elif kind == "testEnded":
                running.discard(test)
                if test in self.names:
                    self.finished.add(test)
            elif kind == "issueRecorded":
                issue = payload.get("issue", {})
                if not issue.get("isKnown") and issue.get("severity") != "warning":
                    self.fail(test or "(no test)", " ".join(part["text"] for part in payload.get("messages", [])))

    def process(self):
        """Runs the tests that have not run yet. Returns whether all have."""
        skipped = []
        for test in sorted(self.finished):
            skipped += ["--skip", "^" + re.escape(test.rsplit("/", 1)[0]) + "/"]
        open(self.events, "w").close()
        running, has_ended, last = set(), False, time.monotonic()
        with open(self.log, "a") as log, open(self.events) as events:
            process = subprocess.Popen(
                self.command + ["--event-stream-output-path", self.events, "--event-stream-version", "0"] + skipped,
                cwd=ROOT, stdout=log, stderr=log)
            reason = "ends the process"
            while True:
                status, position = process.poll(), events.tell()
                has_ended = self.read(events, running) or has_ended
                if events.tell() != position:
                    last = time.monotonic()
                if status is not None:
                    break
                if time.monotonic() - last > PATIENCE:
                    reason = f"does not end within {PATIENCE} seconds"
                    stop(process)
                time.sleep(0.2)
        if has_ended:
            return True
        if not running:
            sys.exit(f"The tests could not be run. The output is in {os.path.relpath(self.log, ROOT)}.")
        for test in running:
            self.fail(test, reason)
            self.finished.add(test)
        return False


def stop(process):
    """Stops a process and its children. `swift test` runs the tests in a separate process group."""
    table = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    children = {}
    for line in table.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    family = [process.pid]
    for parent in family:
        family += children.get(parent, [])
    for member in family:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def short(test):
    """SUITE/FUNCTION of MODULE.SUITE/FUNCTION/FILE:LINE:COLUMN."""
    return re.sub(r"/[^/]*:\d+:\d+$", "", test).partition(".")[2] or test


def report(run, is_complete):
    known = rows("known-differences.tsv")
    used, unknown = set(), 0
    print(f"{len(run.finished)} tests, {len(run.failures)} fail")
    for test, texts in sorted(run.failures.items()):
        name = short(test)
        pattern = next((pattern for pattern, _ in known if fnmatch.fnmatchcase(name, pattern)), None)
        if pattern:
            used.add(pattern)
            continue
        unknown += 1
        more = f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
        first = " ".join(texts[0].split())
        print(f"\n{name}\n    {run.names.get(test, '')}\n    {run.files.get(test, '')}\n    {first[:400]}{more}")
    for pattern, reason in known:
        if pattern in used:
            print(f"\nknown: {pattern}\n    {reason}")
        elif is_complete:
            unknown += 1
            print(f"\nknown-differences.tsv: no test that fails is named '{pattern}'; remove it")
    print(f"\n{len(run.failures)} differences, {unknown} unknown; the output is in {os.path.relpath(run.log, ROOT)}")
    return 1 if unknown else 0


def main():
    arguments = sys.argv[1:]
    os.makedirs(WORK, exist_ok=True)
    if arguments[:1] == ["--here"]:
        arguments = arguments[1:]
        command = ["swift", "test", "--scratch-path", ".build/check", "-debug-info-format", "none"]
    else:
        command = ["swift", "test", "--package-path", make_package(), "--scratch-path", os.path.join(WORK, "build")]
        build = [part if part != "test" else "build" for part in command] + ["--build-tests"]
        if subprocess.run(build, check=False).returncode != 0:
            sys.exit("The suites do not build against Apple's framework.")
    command += ["--skip-build", "--enable-swift-testing", "--disable-xctest", "--no-parallel"]
    if not arguments:
        command += ["--filter", "^(" + "|".join(SUITES) + r")\."]
    run = Run(command + arguments)
    open(run.log, "w").close()
    while not run.process():
        pass
    return report(run, not arguments)


sys.exit(main())
