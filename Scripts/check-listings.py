#!/usr/bin/env python3
"""Compiles and runs the visible text of the listings in the guides. Argument: the folder of the package, which
Scripts/snippets.sh has built. Further arguments choose pages by their names.

A reader sees listings, not the programs that they come from. So what stands in a page must be complete:

- Swift: the listings of a page that come from one program, in their order, are one program, which runs to its end. A
  listing without a program is a program by itself, and is compiled only. `import CoreData` may be left out. A listing
  that begins with `// swift-tools-version` is a
  manifest. The declarations that a listing needs stand above it in the page, or in the module MusicLibrary, which the
  guide ExampleLibrary shows completely.
- Listings of whole files and declarations (`<!-- source: … -->`) are compiled where they come from.
- Text notation is compiled by momc. JSON, XML and property lists are read.
- Shell: the shell reads it, and `coredata`, `momc` and `make` know the verbs, options and targets.
- Everything else says that it is `text`, or one of the OTHERS.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import listings

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build/docs/listings"
OTHERS = {"text", "ini"}


def swift_programs(page, found):
    """The programs of a page: their names and listings."""
    programs = collections.OrderedDict()
    seen = set()
    for listing in found:
        if listing.language != "swift" or (listing.kind == "source"):
            continue
        key = listing.program or f"line {listing.line}"
        if listing.program and (listing.program, listing.part) in seen:
            continue
        seen.add((listing.program, listing.part))
        programs.setdefault(key, []).append(listing)
    return programs


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, **options)


def checked(page, name, program, binaries, runtime):
    """The errors of a program that is compiled and run."""
    folder = WORK / page.stem / re.sub(r"\W", "-", name)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "main.swift"
    is_manifest = program[0].text.startswith("// swift-tools-version")
    has_import = any(re.search(r"^import ", listing.text, re.M) for listing in program)
    lines = [] if is_manifest or has_import else ["import CoreData"]
    for listing in program:
        lines.append(f'#sourceLocation(file: "{page.relative_to(ROOT)}", line: {listing.line + 1})')
        lines.append(listing.text)
    lines.append("#sourceLocation()")
    file.write_text("\n".join(lines) + "\n")
    if is_manifest:
        version = re.match(r"// swift-tools-version: *([\d.]+)", program[0].text)[1]
        result = run("swiftc", "-typecheck", "-swift-version", "6", "-package-description-version", version,
                     "-I", str(runtime / "pm/ManifestAPI"), str(file))
        return problems(page, result)
    is_run = program[0].kind == "snippet"
    result = run("Scripts/with-modules.sh", binaries, "swiftc", "-swift-version", "6", "-suppress-warnings",
                 "-load-plugin-executable", f"{binaries}/SwiftDataMacros-tool#SwiftDataMacros", str(file),
                 *(("-c", "-o", str(folder / "main.o")) if is_run else ("-typecheck",)))
    if result.returncode != 0 or not is_run:
        return problems(page, result)
    executable = folder / "program"
    result = run("swiftc", "-use-ld=gold", str(folder / "main.o"), f"@{WORK}/library", "-lsqlite3", "-lz", "-lpq",
                 "-o", str(executable))
    if result.returncode != 0:
        return problems(page, result)
    with tempfile.TemporaryDirectory() as current:
        result = subprocess.run([str(executable)], cwd=current, env={**os.environ, "TMPDIR": current}, timeout=120,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    executable.unlink()
    if result.returncode != 0:
        return [f"{page.relative_to(ROOT)}: the listings of {name} stop: {result.stderr.strip()[:600]}"]
    return []


def problems(page, result):
    """The errors of a compiler or a linker."""
    if result.returncode == 0:
        return []
    errors = [line for line in result.stderr.splitlines() if re.search(r": error: ", line)]
    return errors or [f"{page.relative_to(ROOT)}: {result.stderr.strip()[-400:]}"]


def library(binaries):
    """The objects of the library, as the link of a snippet has them."""
    lists = sorted(pathlib.Path(binaries).glob("Snippet*.product/Objects.LinkFileList"), key=lambda file: file.stat().st_mtime)
    if not lists:
        sys.exit("No snippet is built: run Scripts/snippets.sh first.")
    lines = [line for line in lists[-1].read_text().splitlines() if "/Snippet" not in line]
    (WORK / "library").write_text("\n".join(lines) + "\n")


class Commands:
    """The verbs and options of the command, as it describes them itself."""

    def __init__(self, binaries):
        self.binaries = binaries
        dump = run(f"{binaries}/coredata", "--experimental-dump-help")
        self.coredata = json.loads(dump.stdout)["command"]
        self.momc = run(f"{binaries}/momc", "--help").stdout
        self.targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))

    def problems(self, text):
        result = run("sh", "-n", input=text)
        if result.returncode != 0:
            yield result.stderr.strip()
        for line in re.sub(r"\\\n", " ", text).splitlines():
            # In a synopsis brackets enclose what may be left out.
            line = re.sub(r"\[(--[^\]]*)\]", r"\1", line)
            try:
                words = shlex.split(line, comments=True)
            except ValueError as error:
                yield f"{line}: {error}"
                continue
            for end in ("|", "&&", ";", ">"):
                if end in words and "coredata" not in words[words.index(end):]:
                    words = words[:words.index(end)]
            if "coredata" in words:
                yield from self.coredata_problems(words[words.index("coredata") + 1:])
            elif words[:1] == ["momc"]:
                yield from (f"momc has no option {word}" for word in words
                            if word.startswith("--") and word.split("=")[0] not in self.momc)
            elif words[:1] == ["make"]:
                yield from (f"the Makefile has no target {word}" for word in words[1:]
                            if "=" not in word and word not in self.targets)
            if words[:1] and "/" in words[0] and not words[0].startswith(("/", ".")) and not (ROOT / words[0]).exists():
                yield f"{words[0]} is missing"

    def coredata_problems(self, words):
        # The parser of arguments takes this one before the command does.
        if words[:1] == ["--generate-completion-script"]:
            return
        command = self.coredata
        while words and command.get("subcommands"):
            verb = next((each for each in command["subcommands"] if each["commandName"] == words[0]), None)
            if verb is None:
                default = command.get("defaultSubcommand")
                if not words[0].startswith("-") and not default:
                    yield f"coredata {command['commandName']} has no verb {words[0]}"
                    return
                verb = next((each for each in command["subcommands"] if each["commandName"] == default), command)
                if verb is command:
                    break
            else:
                words = words[1:]
            command = verb
        arguments = command.get("arguments", [])
        kinds = {("--" if name["kind"] == "long" else "-") + name["name"]: argument["kind"]
                 for argument in arguments for name in argument.get("names", [])}
        places = [argument for argument in arguments if argument["kind"] == "positional"]
        most = None if any(argument["isRepeating"] for argument in places) else len(places)
        rest, at = 0, 0
        while at < len(words):
            word = words[at]
            at += 1
            if re.fullmatch(r"--?[a-z][a-z-]*(=.*)?", word, re.S):
                option = word.split("=")[0]
                if option not in kinds and option not in ("--help", "-h", "--version"):
                    yield f"coredata {command['commandName']} has no option {option}"
                elif kinds.get(option) == "option" and "=" not in word:
                    at += 1
            else:
                rest += 1
        if most is not None and rest > most:
            yield f"coredata {command['commandName']} takes {most} arguments, not {rest}"


def other_problems(listing, commands):
    """What is wrong with a listing that isn't Swift."""
    text = listing.text
    if listing.language == "coredata":
        file = WORK / f"{listing.page.stem}-{listing.line}.coredata"
        file.write_text(text + "\n")
        result = run(f"{commands.binaries}/momc", str(file), str(file.with_suffix(".mom")))
        if result.returncode != 0:
            yield result.stderr.strip()
    elif listing.language == "json":
        try:
            json.loads(text)
        except ValueError as error:
            yield str(error)
    elif listing.language == "xml":
        try:
            xml.etree.ElementTree.fromstring(text)
        except xml.etree.ElementTree.ParseError as error:
            yield str(error)
    elif listing.language == "shell":
        yield from commands.problems(text)
    elif listing.language != "swift" and listing.language not in OTHERS:
        yield f"the language '{listing.language}' is none of swift, coredata, json, xml, shell, {', '.join(sorted(OTHERS))}"


def main():
    binaries = os.path.abspath(sys.argv[1])
    only = set(sys.argv[2:])
    WORK.mkdir(parents=True, exist_ok=True)
    info = json.loads(run("swiftc", "-print-target-info").stdout)
    runtime = pathlib.Path(info["paths"]["runtimeResourcePath"])
    commands = Commands(binaries)
    library(binaries)
    found_problems, counts, jobs = [], collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for page in listings.pages():
            if only and page.stem not in only:
                continue
            found = listings.listings(page)
            for listing in found:
                counts[listing.language] += 1
                found_problems += [f"{page.relative_to(ROOT)}:{listing.line}: {problem}"
                                   for problem in other_problems(listing, commands)]
            for name, program in swift_programs(page, found).items():
                counts["programs"] += 1
                jobs.append(pool.submit(checked, page, name, program, binaries, runtime))
        for job in jobs:
            found_problems += job.result()
    for problem in found_problems:
        print(problem, file=sys.stderr)
    if found_problems:
        sys.exit("Listings are not complete as shown: see Scripts/check-listings.py.")
    print(f"  {counts['swift']} listings in Swift are {counts['programs']} programs that compile as shown; those of snippets run; "
          + ", ".join(f"{counts[name]} in {name}" for name in ("shell", "coredata", "json", "xml") if counts[name]))


main()
