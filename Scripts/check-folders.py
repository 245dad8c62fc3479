#!/usr/bin/env python3
"""Checks that no new circle appears between the folders of a module.

usage: check-folders.py [--print] [--update] [MODULE ...]

A folder points at another one of its module if one of its files names a declaration of the other. Folders form a
circle if each can be reached from each. Scripts/API/folder-circles.tsv lists the arrows within circles: the most that
is allowed. The check fails at an arrow within a circle that is not in the list, and so at each circle that grows.

--print   prints the circles of the modules, with the number of references of each arrow
--update  writes the list again without the arrows that are gone

The arrows come from the compiler's index: see source_index.py.
"""
import collections
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import source_index as index

LIST = os.path.join(index.ROOT, "Scripts", "API", "folder-circles.tsv")
HEADER = """\
# The circles between the folders of each module, which Scripts/check-folders.py compares with the sources: a module, a
# folder in a circle, and the folders of the same circle that it names. It only gets shorter: check-folders.py --update.
# Rename a folder here, too. Tab between the columns.
"""


def folder_of(module, file):
    return os.path.relpath(os.path.dirname(file), os.path.join("Sources", module))


def arrows_of(module, occurrences):
    """The references from folder to folder."""
    ignored = (index.MODULE, index.PARAMETER)
    homes, arrows = {}, collections.defaultdict(list)
    for occurrence in occurrences:
        defines = occurrence.roles & index.DEFINITION and not occurrence.roles & index.IMPLICIT
        if defines and occurrence.symbol.kind not in ignored:
            homes.setdefault(occurrence.symbol.usr, folder_of(module, occurrence.file))
    for occurrence in occurrences:
        named = occurrence.roles & index.REFERENCE and not occurrence.roles & index.IMPLICIT
        home = homes.get(occurrence.symbol.usr)
        if named and home is not None and occurrence.symbol.kind not in ignored:
            folder = folder_of(module, occurrence.file)
            if folder != home:
                arrows[folder, home].append(occurrence)
    return arrows


def circles_of(arrows):
    """The sets of two folders or more of which each reaches each."""
    targets = collections.defaultdict(set)
    for source, target in arrows:
        targets[source].add(target)

    def reached(start):
        found, ends = {start}, [start]
        while ends:
            for target in targets[ends.pop()] - found:
                found.add(target)
                ends.append(target)
        return found

    reach = {folder: reached(folder) for folder in sorted({folder for arrow in arrows for folder in arrow})}
    circles = {frozenset(other for other in found if folder in reach[other]) for folder, found in reach.items()}
    return sorted((circle for circle in circles if len(circle) > 1), key=lambda circle: (-len(circle), min(circle)))


def read_list():
    allowed = set()
    if os.path.exists(LIST):
        with open(LIST, encoding="utf-8") as handle:
            for line in handle:
                if not line.startswith("#"):
                    module, folder, others = line.rstrip("\n").split("\t")
                    allowed.update((module, folder, other) for other in others.split(" "))
    return allowed


def write_list(found):
    rows = collections.defaultdict(list)
    for module, folder, other in sorted(found):
        rows[module, folder].append(other)
    with open(LIST, "w", encoding="utf-8") as handle:
        handle.write(HEADER)
        handle.writelines(f"{module}\t{folder}\t{' '.join(others)}\n" for (module, folder), others in rows.items())


def main():
    options = {argument for argument in sys.argv[1:] if argument.startswith("--")}
    modules = set(sys.argv[1:]) - options
    if options - {"--print", "--update"} or (modules and "--update" in options):
        sys.exit(__doc__.strip().split("\n\n")[1])
    chosen = index.load(lambda module, files: f"{index.ROOT}/Sources/{module}/" in files[0]
                        and (not modules or module in modules))
    if modules - set(chosen):
        sys.exit("There is no such module in the check build: " + ", ".join(sorted(modules - set(chosen))))
    allowed, first = read_list(), not os.path.exists(LIST)
    found, failures = set(), []
    for module, occurrences in sorted(chosen.items()):
        arrows = arrows_of(module, occurrences)
        for circle in circles_of(arrows):
            inner = {arrow: named for arrow, named in sorted(arrows.items()) if set(arrow) <= circle}
            found.update((module, *arrow) for arrow in inner)
            if "--print" in options:
                print(f"{module}: a circle of {len(circle)} folders with {len(inner)} arrows: "
                      f"{', '.join(sorted(circle))}")
                for (folder, other), named in inner.items():
                    print(f"  {folder} -> {other}: {len(named)}")
            for (folder, other), named in inner.items():
                if (module, folder, other) not in allowed:
                    example = named[0]
                    here, there = (os.path.normpath(f"Sources/{module}/{name}") for name in (folder, other))
                    failures.append(
                        f"{example.file}:{example.line}: {here} names {example.symbol.name} of {there} ({len(named)} "
                        f"references), from which a way leads back: a new circle, or a larger one. Move one of the "
                        f"declarations.")
    if failures and not first:
        print("\n".join(failures), file=sys.stderr)
        return 1
    gone = {arrow for arrow in allowed if arrow[0] in chosen} - found
    if "--update" in options:
        write_list(found)
    elif gone:
        print(f"{len(gone)} arrows within circles are gone. Write the list again: Scripts/check-folders.py --update")
    return 0


if __name__ == "__main__":
    sys.exit(main())
