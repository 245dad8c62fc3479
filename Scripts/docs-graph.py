#!/usr/bin/env python3
"""Makes the symbol graphs of all modules graphs of CoreData itself. Argument: their folder.

`import CoreData` gives the declarations of five modules, and the site has one page for each under /documentation/coredata.
An extension is an extension of CoreData's type, whichever module declares it. The declarations of SwiftData and the few of
CoreDataPostgreSQL are there too: docc makes a site of one module.
"""
import json
import pathlib
import sys

OUR_MODULES = {"OpenCoreData", "CoreDataStores", "CoreDataModel", "CoreDataPredicates"}
# The compiler's flags for re-exported modules are experimental: an empty graph must not become an empty site.
FEWEST_SYMBOLS = 1000
EXPECTED = ("NSManagedObjectContext", "save()")


def add(own, graph):
    """Adds a graph to another one. Members of extensions become members of the types that are extended."""
    extended = {relation["source"]: relation["target"] for relation in own["relationships"]
                if relation["kind"] == "extensionTo"}
    graph["symbols"] += [symbol for symbol in own["symbols"] if symbol["identifier"]["precise"] not in extended]
    for relation in own["relationships"]:
        if relation["source"] not in extended:
            relation["target"] = extended.get(relation["target"], relation["target"])
            graph["relationships"].append(relation)


def main():
    folder = pathlib.Path(sys.argv[1])
    main_file = folder / "CoreData.symbols.json"
    graph = json.loads(main_file.read_text())
    for module in ("CoreDataPostgreSQL", "SwiftData"):
        for file in sorted(folder.glob(f"{module}*.symbols.json")):
            own = json.loads(file.read_text())
            file.unlink()
            # What SwiftData adds to types of Swift and Foundation is for accessors that macros make: no pages.
            if file.name.removesuffix(".symbols.json").partition("@")[2] in OUR_MODULES | {""}:
                add(own, graph)
    main_file.write_text(json.dumps(graph))
    paths = {}
    for file in folder.glob("CoreData*.symbols.json"):
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
