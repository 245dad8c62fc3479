#!/usr/bin/env python3
"""Says where the instructions of the benchmarks go, from the files that `make bench-check` has left.

usage: bench-profile.py [--write] [WORKLOAD ...]

A line for each workload: its instructions, and the shares of SQLite, of memory (malloc and its relatives), of the counting of
references, of the rest of the Swift runtime and of Foundation, of the modules of this project, and of the workload itself.
`--write` puts the table into Documentation/Performance.md. The waits for memory and the cost of atomic operations, which
reference counts are, don't show in a number of instructions.
"""
import collections
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FOLDER = os.path.join(ROOT, "Benchmarks", ".build", "callgrind")
DOCUMENT = os.path.join(ROOT, "Documentation", "Performance.md")
GROUPS = ["SQLite", "memory", "references", "Swift, Foundation", "model, predicates", "stores", "objects", "SwiftData",
          "workload", "other"]
MODULES = [("CoreDataModel", "model, predicates"), ("CoreDataPredicates", "model, predicates"), ("CoreDataStores", "stores"),
           ("OpenCoreData", "objects"), ("9SwiftData", "SwiftData"), ("benchmarks", "workload")]
REFERENCES = re.compile(r"swift_(bridgeObject)?(unknownObject)?(retain|release|tryRetain)|RefCount|_swift_release_dealloc")
MEMORY = re.compile(r"^(_int_malloc|_int_free|malloc|free|calloc|realloc|unlink_chunk|malloc_consolidate|cfree"
                    r"|_int_realloc|sysmalloc|swift_slow(Alloc|Dealloc)|swift_alloc\w*|swift_dealloc\w*|.*posix_memalign)")


def group(library, function):
    """The group of a function of a library."""
    if "libsqlite3" in library:
        return "SQLite"
    if REFERENCES.search(function):
        return "references"
    if MEMORY.match(function):
        return "memory"
    if library.endswith("/benchmarks"):
        # A specialization of generic code has the name of the module that asked for it, behind the name of the generic
        # code's module.
        found = [(function.find(module), name) for module, name in MODULES if module in function]
        return min(found)[1] if found else "Swift, Foundation"
    if re.search(r"libswift|libFoundation|lib_Foundation|libdispatch|libBlocks", library):
        return "Swift, Foundation"
    return "other"


def shares(path):
    """The instructions of each group in a file of callgrind."""
    names = {}

    def name(text, kind):
        number, _, new = text.partition(" ")
        if new:
            names[kind, number] = new
        return names.get((kind, number), text)

    sums = collections.Counter()
    library = function = ""
    isCall = False
    for line in open(path, encoding="utf-8", errors="replace"):
        line = line.rstrip("\n")
        if line.startswith("ob="):
            library = name(line[3:], "ob")
        elif line.startswith("cob="):
            name(line[4:], "ob")
        elif line.startswith("fn="):
            function = name(line[3:], "fn")
        elif line.startswith("cfn="):
            name(line[4:], "fn")
        elif line.startswith("calls="):
            isCall = True
        elif line and (line[0].isdigit() or line[0] in "+-*"):
            # The line after a call has the instructions of the callee.
            if not isCall:
                sums[group(library, function)] += int(line.split()[1])
            isCall = False
    return sums


def main():
    arguments = sys.argv[1:]
    names = [argument for argument in arguments if argument != "--write"]
    if not os.path.isdir(FOLDER):
        sys.exit("There are no counts yet: run 'make bench-check' first.")
    known = [line.split("\t")[0] for line in open(os.path.join(ROOT, "Benchmarks", "Instructions.tsv"), encoding="utf-8")
             if line.strip() and not line.startswith("#")]
    found = [name for name in names or known if os.path.exists(os.path.join(FOLDER, f"{name}.callgrind"))]
    missing = sorted(set(names) - set(found))
    if missing:
        sys.exit(f"There are no counts of {', '.join(missing)}: run 'make bench-check' first.")
    lines = [f"| | instructions | {' | '.join(GROUPS)} |", f"| --- | ---: |{' ---: |' * len(GROUPS)}"]
    for workload in found:
        sums = shares(os.path.join(FOLDER, f"{workload}.callgrind"))
        total = sum(sums.values())
        cells = [f"{round(sums[group] / total * 100)} %" if sums[group] * 200 >= total else "" for group in GROUPS]
        lines.append(f"| `{workload}` | {total:,} | {' | '.join(cells)} |")
    text = "\n".join(lines)
    if "--write" not in arguments:
        print(text)
        return
    document = open(DOCUMENT, encoding="utf-8").read()
    pattern = re.compile(r"(<!-- profile: measured[^>]*-->\n).*?(<!-- profile: end -->)", re.S)
    if not pattern.search(document):
        sys.exit(f"{DOCUMENT} has no markers '<!-- profile: measured … -->' and '<!-- profile: end -->'.")
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(pattern.sub(lambda match: f"{match[1]}\n{text}\n\n{match[2]}", document))


main()
