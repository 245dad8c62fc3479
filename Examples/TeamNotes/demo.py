#!/usr/bin/env python3
"""Two terminals and a server: what one saves, the other one shows.

Builds `coredata-serve` and `notes`, starts the server with an empty store, and types commands into both terminals, the
last ones while the server is away. Prints what each terminal shows, with the seconds since the beginning, and ends with
an error if the terminals don't show the same notes. `--svg FILE` draws it as an animated picture. Other arguments go to
`swift build`.
"""

import argparse
import html
import os
import pathlib
import queue
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent


def build(package, product, flags):
    command = ["swift", "build", "--package-path", package, "--product", product, *flags]
    print(f"Building {product} (the first time takes several minutes)", flush=True)
    # In a folder for several packages the package manager may take the plan of another one for its own.
    if "--scratch-path" in flags:
        for plan in pathlib.Path(flags[flags.index("--scratch-path") + 1]).glob("*.yaml"):
            plan.unlink()
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if run.returncode:
        sys.exit(run.stdout)
    bin_path = subprocess.run(command + ["--show-bin-path"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return pathlib.Path(bin_path.strip()) / product


class Terminal:
    """A terminal in which `notes watch` runs, and into which commands are typed."""

    def __init__(self, name, notes, environment, folder, events):
        self.name, self.notes, self.environment, self.folder, self.events = name, notes, environment, folder, events
        self.shown = None
        self.watch = subprocess.Popen(
            [notes, "watch", "--store", f"{name}.sqlite"], cwd=folder, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        self.changes = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        lines = []
        missing = 0
        for line in self.watch.stdout:
            line = line.rstrip("\n")
            if count := re.fullmatch(r"(\d+) notes", line):
                lines, missing = [], int(count[1])
            elif missing:
                lines.append(line.strip())
                missing -= 1
            else:
                self.events.append((time.monotonic(), self.name, "message", line))
                continue
            if not missing:
                self.events.append((time.monotonic(), self.name, "notes", list(lines)))
                self.changes.put(list(lines))

    def type(self, *words):
        shown = " ".join(f'"{word}"' if " " in word else word for word in words)
        self.events.append((time.monotonic(), self.name, "command", f"$ notes {shown}"))
        run = subprocess.run(
            [self.notes, *words, "--store", f"{self.name}.sqlite"], cwd=self.folder, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        for line in run.stdout.splitlines():
            self.events.append((time.monotonic(), self.name, "message", line))

    def wait(self, wanted):
        """Waits until the terminal shows notes, in any order."""
        end = time.monotonic() + 60
        while self.shown is None or sorted(self.shown) != sorted(wanted):
            try:
                self.shown = self.changes.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                sys.exit(f"The terminal of {self.name} shows {self.shown}, not {wanted}.")

    def end(self):
        self.watch.send_signal(signal.SIGINT)
        self.watch.wait()


def serve(program, folder, port):
    server = subprocess.Popen(
        [program, FOLDER / "Sources/NotesModel/TeamNotes.xcdatamodeld", "--store", "server.sqlite", "--create",
         "--tokens", "tokens", "--port", str(port)],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    ports = queue.Queue()

    def read():
        for line in server.stdout:
            if found := re.search(r"port=(\d+)", line):
                ports.put(int(found[1]))
        ports.put(None)

    threading.Thread(target=read, daemon=True).start()
    number = ports.get(timeout=60)
    if number is None:
        sys.exit("The server has ended.")
    return server, number


def play(notes, program, folder):
    """Runs the demonstration, and returns what was shown."""
    events = []
    token = secrets.token_hex(16)
    (folder / "tokens").write_text(f"ann {token}\n")
    server, port = serve(program, folder, 0)
    environment = {**os.environ, "NOTES_SERVER": f"http://127.0.0.1:{port}", "NOTES_TOKEN": token}
    phone, laptop = (Terminal(name, notes, environment, folder, events) for name in ("phone", "laptop"))
    try:
        phone.wait([])
        laptop.wait([])
        phone.type("add", "Milk", "--topic", "shop")
        laptop.wait(["Milk #shop"])
        time.sleep(1)
        laptop.type("change", "Milk", "--text", "two bottles")
        phone.wait(["Milk #shop: two bottles"])
        time.sleep(1)
        events.append((time.monotonic(), "both", "message", "The server is away."))
        server.terminate()
        server.wait()
        phone.type("add", "Bread", "--topic", "shop")
        laptop.type("change", "Milk", "--pin")
        time.sleep(1)
        events.append((time.monotonic(), "both", "message", "The server is back."))
        server, _ = serve(program, folder, port)
        wanted = ["* Milk #shop: two bottles", "Bread #shop"]
        phone.wait(wanted)
        laptop.wait(wanted)
        time.sleep(1)
    finally:
        for terminal in (phone, laptop):
            terminal.end()
        server.terminate()
        server.wait()
    start = events[0][0]
    return [(moment - start, *rest) for moment, *rest in sorted(events, key=lambda event: event[0])]


def report(events):
    for moment, name, kind, value in events:
        text = f"shows {', '.join(value) or 'no notes'}" if kind == "notes" else value
        print(f"{moment:6.2f} s  {name:6}  {text}")


def picture(events):
    """An animated picture of both terminals: each state of a terminal is a group that is visible for its time."""
    width, height, line = 360, 230, 17
    total = events[-1][0] + 3
    parts = []
    for index, name in enumerate(("phone", "laptop")):
        x = 10 + index * (width + 10)
        parts.append(
            f'<rect x="{x}" y="10" width="{width}" height="{height}" rx="8" fill="#1e1e1e"/>'
            f'<text x="{x + width / 2}" y="28" text-anchor="middle" fill="#9a9a9a">{name}</text>')
        states, text, notes = [], [], []
        for moment, who, kind, value in events:
            if who not in (name, "both"):
                continue
            if kind == "notes":
                notes = value
            else:
                text = (text + [value])[-5:]
            states.append((moment, list(text), list(notes)))
        for (moment, text, notes), following in zip(states, [s[0] for s in states[1:]] + [total]):
            rows = [(t, "#d7d7d7") for t in text] + [("", "")] + [(n, "#8fd18f") for n in notes]
            lines = "".join(
                f'<text x="{x + 14}" y="{54 + number * line}" fill="{color}">{html.escape(row[:44])}</text>'
                for number, (row, color) in enumerate(rows) if row)
            begin, end = moment / total, following / total
            # Where nothing moves, the last state is shown.
            opacity, values, times = ("1", "0;1", f"0;{begin:.4f}") if following == total else (
                "0", "0;1;0", f"0;{begin:.4f};{end:.4f}")
            parts.append(
                f'<g opacity="{opacity}">{lines}<animate attributeName="opacity" dur="{total:.2f}s" '
                f'repeatCount="indefinite" calcMode="discrete" values="{values}" keyTimes="{times}"/></g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * width + 30} {height + 20}" '
        f'font-family="monospace" font-size="12">' + "".join(parts) + "</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--svg", type=pathlib.Path)
    arguments, flags = parser.parse_known_args()
    program = build(ROOT / "Server", "coredata-serve", flags)
    notes = build(FOLDER, "notes", flags)
    with tempfile.TemporaryDirectory(prefix="team-notes-") as folder:
        events = play(notes, program, pathlib.Path(folder))
    report(events)
    if arguments.svg:
        arguments.svg.write_text(picture(events))
    print("Both terminals show the same notes.")


if __name__ == "__main__":
    main()
