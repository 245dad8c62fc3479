#!/usr/bin/env python3
"""Counts phrases that make a reader read a sentence twice, in the comments of Sources and in all Markdown files.

usage: check-wording.py [--list]

--list  prints each match, also when there are no more than BUDGET

A phrase counts in upper and lower case, also across the end of a line, but not in a block of code.
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The number of matches that are allowed. It may only fall. Before the sentences were rewritten there were 836.
BUDGET = 83
PHRASES = ("that of", "those of", "of its own", "of their own", "meanwhile", "has the next")
# The words of a phrase stand on one line, or on a line and the next.
PATTERN = re.compile(r"\b(?:%s)\b" % "|".join(phrase.replace(" ", r"(?: +|[ ]*\n[ ]*)") for phrase in PHRASES), re.I)
FENCE = re.compile(r"^[\s>]*(```+|~~~+)")
# A comment begins a line or follows a space, so that the slashes of a URL begin none.
COMMENT = re.compile(r"(?:^|\s)//+ ?(.*)")


def files():
    """The Markdown files of the repository and the Swift files of Sources, without hidden folders."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        folder = pathlib.Path(folder)
        for name in sorted(names):
            if name.endswith(".md") or name.endswith(".swift") and ROOT / "Sources" in (folder, *folder.parents):
                yield folder / name


def prose(path):
    """The text of a file, in which lines without prose are empty."""
    result, fence = [], None
    for line in path.read_text().split("\n"):
        if path.suffix == ".swift":
            comment = COMMENT.search(line)
            if not comment:
                fence = None
            line = comment[1] if comment else ""
        marker = FENCE.match(line)
        if marker and fence is None:
            fence, line = marker[1], ""
        elif fence is not None:
            if marker and marker[1].startswith(fence):
                fence = None
            line = ""
        result.append(line)
    return "\n".join(result)


def main():
    matches = []
    for path in files():
        text = prose(path)
        for match in PATTERN.finditer(text):
            line = text.count("\n", 0, match.start())
            context = text.split("\n")[line].strip()
            matches.append(f"{path.relative_to(ROOT)}:{line + 1}: \"{' '.join(match[0].split())}\": {context}")
    if len(matches) > BUDGET or "--list" in sys.argv[1:]:
        print("\n".join(matches), file=sys.stderr)
    if len(matches) > BUDGET:
        sys.exit(f"{len(matches)} phrases make a reader read twice, {BUDGET} may. Rewrite the sentences with subject, "
                 "verb and object, and repeat the noun: \"the version of the store\", not \"that of the store\".")


main()
