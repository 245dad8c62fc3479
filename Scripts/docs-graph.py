#!/usr/bin/env python3
"""Makes the symbol graphs of the modules that CoreData re-exports graphs of CoreData itself. Argument: their folder.

`import CoreData` gives the declarations of four modules, and the site has one page for each under /documentation/coredata.
An extension is an extension of CoreData's type, whichever module declares it.
"""
import json
import pathlib
import sys

OUR_MODULES = {"OpenCoreData", "CoreDataModel", "CoreDataPredicates"}
# The compiler's flags for re-exported modules are experimental: an empty graph must not become an empty site.
FEWEST_SYMBOLS = 1000
EXPECTED = ("NSManagedObjectContext", "save()")


def main():
    paths = {}
    for file in pathlib.Path(sys.argv[1]).glob("CoreData*.symbols.json"):
        graph = json.loads(file.read_text())
        for symbol in graph["symbols"]:
            extension = symbol.get("swiftExtension")
            if extension and extension.get("extendedModule") in OUR_MODULES:
                extension["extendedModule"] = "CoreData"
            paths[tuple(symbol["pathComponents"])] = symbol
        file.write_text(json.dumps(graph))
    if len(paths) < FEWEST_SYMBOLS or EXPECTED not in paths:
        sys.exit(f"The symbol graph has {len(paths)} symbols, {'.'.join(EXPECTED)} "
                 f"{'among' if EXPECTED in paths else 'not among'} them: the compiler's flags have changed.")


main()
