#!/usr/bin/env python3
"""Kills a server and the devices that sync with it, at random, while the devices change their stores.

Runs `coredata-serve` and processes of `sync-simulator device`. Each device reaches the server through a proxy that
delays, stalls, cuts and truncates connections. Programs are killed with SIGKILL and started again. With `--postgresql`
the database server crashes, too. With `--full-disk` the disks of the server and of the first device, small file systems
in memory, are full for some seconds. With `--slow N` there are N connections that send and read almost nothing.

After that nothing fails any more. All devices come to rest, and so does a new one. They must have the same objects, and
the journals of the devices say which: each object of a save that returned, none of a save that threw, all or none of a
save in which the process was killed; and the counters must have the sum of all counts.
"""

import argparse
import collections
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = """List {
    name: string
    to-many entries: Entry, inverse: list
}
Entry {
    title: string
    text: string
    picture: binary, external-storage
    to-one list: List, inverse: entries
}
Counter {
    name: string { user-info { syncIdentity: yes } }
    sum: integer64, required, default: 0 { user-info { syncPolicy: sum } }
}
"""
TOKEN = "token-of-the-user"


class Proxy:
    """A port through which a device reaches the server. While it is `faulty`, it disturbs connections."""

    def __init__(self, port, choices):
        self.target, self.choices, self.faulty = port, choices, True
        self.counts = collections.Counter()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.socket.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            fault = self.choices.choices(
                ("none", "delay", "cut", "stall", "truncate"), (60, 15, 10, 5, 10))[0] if self.faulty else "none"
            self.counts[fault] += 1
            rest = [self.choices.randrange(1, 30_000)]
            for source, target, is_answer in ((client, server, False), (server, client, True)):
                arguments = (source, target, fault, is_answer, rest)
                threading.Thread(target=self.forward, args=arguments, daemon=True).start()

    def forward(self, source, target, fault, is_answer, rest):
        """Moves bytes in one direction. A cut ends both directions after some bytes, a truncation the answers alone."""
        try:
            while data := source.recv(65536):
                if fault == "delay":
                    time.sleep(0.3)
                if fault in ("cut", "stall") or (fault == "truncate" and is_answer):
                    data, rest[0] = data[:rest[0]], rest[0] - len(data)
                target.sendall(data)
                if rest[0] <= 0:
                    if fault == "stall":
                        time.sleep(15)
                    break
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Program:
    """A program that is killed and started again."""

    def __init__(self, log):
        self.log, self.process, self.kills = log, None, 0

    def spawn(self, command):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        if self.is_running:
            self.process.kill()
            self.kills += 1
        if self.process is not None:
            self.process.wait()


class Run:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.choices = random.Random(arguments.seed)
        self.disks = {}
        self.messages = collections.Counter()
        self.model = folder / "Lists.coredata"
        self.model.write_text(MODEL)
        (folder / "tokens").write_text(f"ann {TOKEN}\n")
        (folder / "server").mkdir()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.names = [f"d{number}" for number in range(arguments.devices)]
        for name in self.names:
            (folder / name).mkdir()
        if arguments.full_disk:
            for name in ("server", self.names[0]):
                self.mount(name)
        self.store = folder / "server" / "store.sqlite"
        if arguments.postgresql:
            self.store = self.postgresql("start", folder / "pg").strip() + "&schema=sync_faults"
        self.server = Program(folder / "server.log")
        self.devices = {name: Program(folder / f"{name}.log") for name in self.names}
        self.proxies = {name: Proxy(self.port, random.Random(self.choices.random())) for name in self.names}
        self.slow = []

    # Disks and databases

    def mount(self, name):
        path = self.folder / name
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256m", "none", path], check=True)
        self.disks[name] = path

    def fill(self, name):
        """Fills a disk up to the last byte."""
        with open(self.disks[name] / "filler", "wb", buffering=0) as file:
            try:
                while file.write(bytes(65536)):
                    pass
            except OSError:
                pass

    def empty(self, name):
        (self.disks[name] / "filler").unlink(missing_ok=True)

    def postgresql(self, *words):
        run = subprocess.run(
            [ROOT / "Scripts/postgresql-server.sh", *words], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        return run.stdout

    def crash_database(self):
        self.postgresql("stop", self.folder / "pg", "immediate")
        time.sleep(self.choices.uniform(0, 2))
        self.postgresql("start", self.folder / "pg")

    def end(self):
        for program in [self.server, *self.devices.values()]:
            program.kill()
        for path in self.disks.values():
            subprocess.run(["umount", path], check=False)
        if self.arguments.postgresql:
            self.postgresql("stop", self.folder / "pg")

    # Programs

    def start_server(self):
        self.server.spawn(
            [self.arguments.serve, self.model, "--store", str(self.store), "--create", "--tokens",
             self.folder / "tokens", "--port", str(self.port)])

    def wait_for_server(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if not self.server.is_running:
                    self.start_server()
                time.sleep(0.1)
        sys.exit("The server doesn't start: " + self.server.log.read_text(errors="replace")[-2000:])

    def device_command(self, name, port, *more):
        return [self.arguments.simulator, "device", self.model, "--folder", self.folder / name, "--journal",
                self.folder / f"{name}.journal", "--server", f"http://127.0.0.1:{port}", "--token", TOKEN, *more]

    def start_device(self, name):
        seed = self.choices.randrange(1 << 32)
        self.devices[name].spawn(self.device_command(name, self.proxies[name].port, "--seed", str(seed)))

    def open_slow_connections(self):
        lines = ["POST /sync/push HTTP/1.1", "Host: a", f"Authorization: Bearer {TOKEN}", "Content-Length: 1000000"]
        head = ("\r\n".join(lines) + "\r\n\r\n").encode()
        while len(self.slow) < self.arguments.slow:
            try:
                connection = socket.create_connection(("127.0.0.1", self.port), timeout=5)
            except OSError:
                return
            connection.setblocking(False)
            self.slow.append([connection, head])

    def trickle(self):
        """Sends the next byte of each slow connection, and opens those again that the server has ended."""
        for entry in list(self.slow):
            connection, rest = entry
            try:
                connection.send(rest[:1] or b"x")
                entry[1] = rest[1:]
            except OSError:
                self.slow.remove(entry)
        if self.server.is_running:
            self.open_slow_connections()

    # The run

    def disturb(self):
        end = time.monotonic() + self.arguments.seconds
        events, due = [], []
        if self.arguments.postgresql:
            due.append([time.monotonic() + 10, 20, self.crash_database])
        for name in self.disks:
            due.append([time.monotonic() + 5, 15, lambda name=name: self.fill_for_some_seconds(name, events)])
        next_trickle = 0.0
        while time.monotonic() < end:
            now = time.monotonic()
            if not self.server.is_running:
                self.start_server()
            for name, device in self.devices.items():
                if not device.is_running:
                    self.start_device(name)
            if self.choices.random() < 0.25:
                victim = self.choices.choice([self.server, *self.devices.values()])
                victim.kill()
            for entry in due:
                if entry[0] <= now:
                    entry[0] = now + self.choices.uniform(0.5, 1.5) * entry[1]
                    entry[2]()
            for event in [event for event in events if event[0] <= now]:
                events.remove(event)
                event[1]()
            if self.arguments.slow and now > next_trickle:
                next_trickle = now + 1
                self.trickle()
            time.sleep(self.choices.uniform(0.1, 0.8))
        for name in self.disks:
            self.empty(name)
        for connection, _ in self.slow:
            connection.close()

    def fill_for_some_seconds(self, name, events):
        self.fill(name)
        self.messages[f"full disks of {name}"] += 1
        events.append((time.monotonic() + self.choices.uniform(1, 5), lambda: self.empty(name)))

    def rest(self, name):
        """Brings a device to rest, and returns its objects."""
        run = subprocess.run(
            self.device_command(name, self.port, "--rest"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            check=False)
        for line in run.stderr.splitlines():
            self.messages[re.sub(r"[0-9A-F-]{36}|\d+", "…", line)] += 1
        if run.returncode:
            sys.exit(f"Device {name} doesn't come to rest: {run.stderr}")
        return run.stdout.splitlines()

    def run(self):
        self.start_server()
        self.wait_for_server()
        self.disturb()
        for program in [self.server, *self.devices.values()]:
            program.kill()
        for proxy in self.proxies.values():
            proxy.faulty = False
        self.start_server()
        self.wait_for_server()
        for name in self.names:
            self.rest(name)
        contents = {name: self.rest(name) for name in self.names}
        (self.folder / "new").mkdir()
        contents["new"] = self.rest("new")
        return contents


def check(contents, journals):
    """The mistakes in the objects of all devices, and the numbers of what was compared."""
    first = next(iter(contents))
    mistakes = []
    for name, lines in contents.items():
        here, there = collections.Counter(lines), collections.Counter(contents[first])
        for line in (here - there):
            mistakes.append(f"{name} has what {first} hasn't: {line}")
        for line in (there - here):
            mistakes.append(f"{name} hasn't: {line}")
    titles, sums = collections.Counter(), {}
    for line in contents[first]:
        fields = line.split("\t")
        if fields[0] == "Entry":
            titles[fields[3]] += 1
        elif fields[0] == "Counter":
            if fields[1] in sums:
                mistakes.append(f"There are two counters {fields[1]}.")
            sums[fields[1]] = int(fields[2])
    numbers = collections.Counter()
    least, most = collections.Counter(), collections.Counter()
    inserted, deletions = [], {}
    for text in journals:
        saves, ends = [], {}
        start = ""
        for line in text.splitlines():
            words = line.split()
            if words[0] == "start":
                start = words[1]
            elif words[0] == "begin":
                saves.append((start, words[1], words[2], words[3:]))
            else:
                ends[(start, words[1])] = words[0]
        for start, number, kind, values in saves:
            end = ends.get((start, number), "killed")
            numbers[{"end": "saves", "fail": "saves that threw", "killed": "saves without an end"}[end]] += 1
            if kind == "insert":
                inserted.append((values, end))
            elif kind == "delete":
                deletions[values[0]] = end
            elif kind == "count":
                if end != "fail":
                    most[values[0]] += int(values[1])
                if end == "end":
                    least[values[0]] += int(values[1])
    for values, end in inserted:
        present = [titles[value] for value in values]
        if max(present) > 1:
            mistakes.append(f"An entry of {values} is there twice.")
        kept = [titles[value] for value in values if deletions.get(value, "fail") == "fail"]
        if end == "end" and 0 in kept:
            mistakes.append(f"Entries of {values} are lost: {present}.")
        if end == "fail" and any(present):
            mistakes.append(f"Entries of {values} are there, though their save threw.")
        if end == "killed" and len(set(kept)) > 1:
            mistakes.append(f"Only a part of one save is there: {values}, {present}.")
        for value in values:
            if deletions.get(value) == "end" and titles[value]:
                mistakes.append(f"The entry {value} is there after its deletion.")
    for name in sorted(set(most) | set(sums)):
        if not least[name] <= sums.get(name, 0) <= most[name]:
            mistakes.append(f"The counter {name} has {sums.get(name)}, not {least[name]} to {most[name]}.")
    numbers["entries"], numbers["counted"] = sum(titles.values()), sum(sums.values())
    return mistakes, numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--serve", type=pathlib.Path, required=True, help="the program coredata-serve")
    parser.add_argument("--simulator", type=pathlib.Path, required=True, help="the program sync-simulator")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--full-disk", action="store_true")
    parser.add_argument("--slow", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="keep the folder of the run")
    arguments = parser.parse_args()
    print(f"Seed {arguments.seed}", flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sync-faults-"))
    if arguments.postgresql:
        # The server's user reads its folder below.
        folder.chmod(0o755)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    run = Run(arguments, folder)
    failed = True
    try:
        contents = run.run()
        mistakes, numbers = check(contents, [(folder / f"{name}.journal").read_text() for name in run.names])
        faults = sum((proxy.counts for proxy in run.proxies.values()), collections.Counter())
        print(", ".join(f"{count} {what}" for what, count in numbers.items()))
        kills = sum(device.kills for device in run.devices.values())
        print(f"killed: the server {run.server.kills} times, devices {kills} times")
        print("connections: " + ", ".join(f"{count} {what}" for what, count in faults.items()))
        for message, count in run.messages.items():
            print(f"{count} × {message}")
        for mistake in mistakes[:20]:
            print(mistake)
        failed = bool(mistakes)
        print(f"{len(mistakes)} mistakes")
    finally:
        run.end()
        if failed or arguments.keep:
            print(f"The folder: {folder}")
        else:
            shutil.rmtree(folder)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
