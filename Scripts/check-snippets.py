#!/usr/bin/env python3
"""Checks that the code in the guides equals the code of the programs in Examples/Snippets. Options:

--update  writes the code of the programs into the guides

A block of code in a page stands below a line that names a program and a slice of it:

    <!-- snippet: FirstStore model -->

The slice is the text from `// snippet.model` to `// snippet.end` in Examples/Snippets/FirstStore.swift, without the
lines between `// snippet.hide` and `// snippet.show`. Other sources that are compiled elsewhere stand in a page as whole
files, or as one declaration with the comment above it:

    <!-- source: Examples/Music/MusicObjects.swift -->
    <!-- source: Examples/Music/MusicStack.swift `public func openMusic` -->
"""
import re
import sys
import textwrap

sys.dont_write_bytecode = True
from listings import ROOT, SNIPPET, SOURCE, pages

PROGRAMS = ROOT / "Examples/Snippets"
COMMAND = re.compile(r"^ *// snippet\.(\w+)$")


def slices(program):
    """The slices of a program by their names, as lists of lines."""
    result, current, is_hidden = {}, None, False
    for line in program.read_text().splitlines():
        command = COMMAND.match(line)
        if not command:
            if current is not None and not is_hidden:
                current.append(line)
        elif command[1] in ("hide", "show"):
            is_hidden = command[1] == "hide"
        elif command[1] == "end":
            current = None
        else:
            current = result[command[1]] = []
    return {name: textwrap.dedent("\n".join(lines)).strip("\n").split("\n") for name, lines in result.items()}


def source(path, start):
    """The lines of a file, or of the declaration whose first line contains a text; nothing if there is none."""
    file = ROOT / path
    if not file.is_file():
        return None
    lines = file.read_text().rstrip("\n").split("\n")
    if not start:
        return lines
    first = next((at for at, line in enumerate(lines) if start in line), None)
    if first is None:
        return None
    indent = len(lines[first]) - len(lines[first].lstrip())
    last = next((at for at in range(first, len(lines)) if lines[at] == " " * indent + "}"), first)
    while lines[first - 1].lstrip().startswith(("///", "@")):
        first -= 1
    return textwrap.dedent("\n".join(lines[first:last + 1])).split("\n")


def with_code(page, programs, used):
    """The text of a page with the code of the programs below each marker, and the problems of the page."""
    lines, result, problems = page.read_text().split("\n"), [], []
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        result.append(line)
        marker = SNIPPET.match(line) or SOURCE.match(line)
        if not marker:
            if "@Snippet" in line or "<!-- snippet" in line or "<!-- source" in line:
                problems.append((index, "A snippet is named by a line <!-- snippet: PROGRAM SLICE -->."))
            continue
        indent, name, part = marker.groups()
        is_snippet = "<!-- snippet" in line
        code = programs.get(name, {}).get(part) if is_snippet else source(name, part)
        name = f"Examples/Snippets/{name}.swift" if is_snippet else name
        if code is None:
            problems.append((index, f"{name} has no part {part}."))
            continue
        used.add((name, part))
        language = {"coredata": "coredata", "json": "json"}.get(name.rpartition(".")[2], "swift")
        wanted = [indent + text if text else "" for text in [f"```{language}", *code, "```"]]
        found = []
        if index < len(lines) and lines[index] == f"{indent}```{language}":
            end = next((at for at in range(index, len(lines)) if lines[at] == f"{indent}```"), None)
            if end is None:
                problems.append((index + 1, "The block of code has no end."))
                continue
            found = lines[index:end + 1]
        if found != wanted:
            problems.append((index, f"The code is not {part or 'the text'} of {name}."))
        index += len(found)
        result += wanted
    return "\n".join(result), problems


def main():
    is_update = "--update" in sys.argv[1:]
    programs = {program.stem: slices(program) for program in sorted(PROGRAMS.glob("*.swift"))}
    used, problems = set(), []
    for page in pages():
        text, found = with_code(page, programs, used)
        if is_update and text != page.read_text():
            page.write_text(text)
            _, found = with_code(page, programs, used)
        problems += [f"{page.relative_to(ROOT)}:{line}: {problem}" for line, problem in found]
    problems += [f"Examples/Snippets/{name}.swift: no guide shows the slice {part}."
                 for name, parts in programs.items() for part in parts if (f"Examples/Snippets/{name}.swift", part) not in used]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit("Scripts/check-snippets.py --update writes the code of the programs into the guides.")


main()
