#!/usr/bin/env python3
"""Lists the files that call functions of C, other than those of the libraries that the package links.

usage: system-calls.py

These are the places that a port to another platform must look at. The compiler's index decides (source_index.py), so
the check build must be there. Fails for a file that isn't in FILES: put the call there, so that a port has few files to
adapt.
"""
import collections
import re
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [__file__.rsplit("/", 1)[0]]
import source_index as index

# The files that may call the system, with what a port does there.
FILES = {
    "Sources/CoreDataCommand/ServeCommand.swift": "starts coredata-serve in the place of the command",
    "Sources/CoreDataCommand/Support/StandardStreams.swift": "the terminal and the signals of the command",
    "Sources/CoreDataPostgreSQL/Connection/Statements/PostgreSQLConnection+Waiting.swift": "ends a wait for a socket",
    "Sources/CoreDataPostgreSQL/History/PostgreSQLNotifier.swift": "the end of the process",
    "Sources/CoreDataPredicates/Files/DatabaseFiles.swift": "files that SQLite has open",
    "Sources/CoreDataPredicates/Files/FileContents.swift": "reads files",
    "Sources/CoreDataPredicates/Locked.swift": "locks between threads",
    "Sources/CoreDataPredicates/Tree/StackSpace.swift": "the stack of a thread",
    "Sources/CoreDataStores/Support/OperatingSystem.swift": "files, the process, threads, the clock",
    "Sources/CoreDataStores/Support/OperatingSystem+PlainFiles.swift": "files beside a store",
    "Sources/SwiftDataExpansion/Messages/MessageChannel.swift": "the pipes of the plugin to the compiler",
    "Sources/momc/StandardStreams.swift": "the signals of the model compiler",
    "Sources/momc/main.swift": "the exit status of the model compiler",
}
# SQLite, libpq, zlib, the Swift runtime, CoreFoundation, and the C of this package.
LINKED = re.compile(
    r"c:@F@_?(sqlite3|PQ|pq|lo_|inflate|deflate|crc32|adler32|zlib|compress|uncompress|swift_|CF|opencoredata)")
# Functions of the language, which every platform has.
STANDARD = re.compile(
    r"c:@F@(mem(cpy|cmp|move|set|chr)|str(len|cmp|ncmp|toll?|toull?|tod|dup)|free|malloc|calloc|realloc|qsort|abs|"
    r"(sqrt|pow|exp|log|log2|log10|floor|ceil|fabs|fmod|trunc|round|rint|nearbyint|sin|cos|tan|atan|atan2|acos|asin|"
    r"ldexp|frexp|nextafter|scalbn|signbit|isnan|isinf|lgamma|copysign|hypot|cbrt|expm1|log1p)[fl]?)(#|$)")


def main():
    calls = collections.defaultdict(set)
    modules = index.load(lambda module, files: any("/Sources/" in file for file in files))
    for occurrences in modules.values():
        for entry in occurrences:
            usr = entry.symbol.usr
            if usr.startswith("c:@F@") and not LINKED.match(usr) and not STANDARD.match(usr):
                calls[entry.file].add(entry.symbol.name.split("(")[0])
    others = {file: names for file, names in calls.items() if file not in FILES}
    for file, names in sorted(calls.items()):
        print(f"{file} ({FILES.get(file, 'not a file for system calls')}): {', '.join(sorted(names))}")
    if others:
        sys.exit(f"{len(others)} more files call the system. Move the calls to a file that Scripts/system-calls.py names.")
    if FILES.keys() - calls.keys():
        sys.exit(f"These files don't call the system; remove them from the list: {', '.join(FILES.keys() - calls.keys())}")


if __name__ == "__main__":
    main()
