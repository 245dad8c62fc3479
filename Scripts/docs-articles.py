#!/usr/bin/env python3
"""Makes the long pages of Documentation pages of the site. Arguments: the folder of the symbol graphs, that of the pages.

Links between pages become links of the site, and so do the names of our types.
"""
import json
import pathlib
import re
import sys

# The titles, since two pages have that of a guide, and a line about each.
PAGES = {
    "ModelEditor": ("Editing a model in a browser", "Lists, a diagram, text, versions, files, and the verbs around them."),
    "Browser": ("Looking at a store in a browser", "Pages, predicates, keys, times, security and editing."),
    "Command": ("The command", "Rows in and out, history, differences, migrations, scripts and completion."),
    "Differences": ("All differences from Core Data", "Each of them is deliberate and has a reason."),
    "Performance": ("Measurements", "This package beside raw SQLite, GRDB and SQLAlchemy, in time and memory."),
    "PostgreSQL": (
        "Stores on a PostgreSQL server, in detail",
        "Options, tables, queries, migration, permissions, backups and poolers."),
    "Servers": ("Servers", "From a model to a server: its service, conflicts, JSON, metrics and spans."),
    "SwiftDataComplaints": (
        "Fifteen complaints about SwiftData", "The behaviour of this package, and the tests that show it."),
}
KINDS = {"swift.class", "swift.struct", "swift.enum", "swift.protocol"}
LINK = re.compile(r"\[[^\]]*\]\((?:[^)]*/)?(\w+)\.md(?:#[^)]*)?\)")


def main():
    symbols, pages = map(pathlib.Path, sys.argv[1:3])
    graph = json.loads((symbols / "CoreData.symbols.json").read_text())
    types = {symbol["names"]["title"] for symbol in graph["symbols"]
             if symbol["kind"]["identifier"] in KINDS and len(symbol["pathComponents"]) == 1}
    for name, (title, abstract) in PAGES.items():
        lines = pathlib.Path(f"Documentation/{name}.md").read_text().splitlines()
        lines[:1] = [f"# {title}", "", abstract]
        is_code = False
        for index, line in enumerate(lines):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            elif not is_code and not line.startswith("#"):
                line = LINK.sub(r"<doc:\1>", line)
                lines[index] = re.sub(
                    r"(?<!`)`(\w+)`(?!`)", lambda found: f"`{found[0]}`" if found[1] in types else found[0], line)
        (pages / f"{name}.md").write_text("\n".join(lines) + "\n")
    # A browser shows an image without a size very small.
    for image in pathlib.Path("Documentation").glob("*.svg"):
        text = re.sub(r'<svg ([^>]*viewBox="0 0 (\d+) (\d+)")', r'<svg width="\2" height="\3" \1', image.read_text(), count=1)
        (pages / image.name).write_text(text)


main()
