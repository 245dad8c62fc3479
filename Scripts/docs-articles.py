#!/usr/bin/env python3
"""Completes the copy of the catalog that docc reads. Arguments: the folder of the symbol graphs, the folder of the copy.

The pages in the repository have links that a forge follows, such as [Fetching](../Guides/Fetching.md). In the copy they
are links of the site, <doc:Fetching>, whose text is the title of the page. The long pages of Documentation are added;
there the names of our types become links, too. A link to a page that the site doesn't have is an error.
"""
import json
import pathlib
import re
import sys

CATALOG = pathlib.Path("Sources/CoreData/CoreData.docc")
DOCUMENTS = pathlib.Path("Documentation")
# The titles, since two pages have the title of a guide, and a line about each page.
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
    "SyncSecurity": ("Attacks on a sync server", "What was tried on a sync server, the answers, and the tests that try it again."),
    "SwiftDataComplaints": (
        "Fifteen complaints about SwiftData", "The behaviour of this package, and the tests that show it."),
}
KINDS = {"swift.class", "swift.struct", "swift.enum", "swift.protocol"}
# A link to a page, or code, in which nothing is a link.
LINK = re.compile(
    r"^ *```[\s\S]*?^ *```$|`[^`\n]*`|\[[^\]]*\]\((?P<page>[^)\s:]*\.md)(?:#[^)\s]*)?\)", re.M)


def site_pages():
    """The files that are pages of the site."""
    files = [*CATALOG.glob("Guides/*.md"), *(DOCUMENTS / f"{name}.md" for name in PAGES)]
    return {file.resolve() for file in files}


def with_site_links(file, known):
    """The text of a page with links of the site."""
    def link(found):
        if not found["page"]:
            return found[0]
        page = (file.parent / found["page"]).resolve()
        if page not in known:
            sys.exit(f"{file}: the site has no page {found['page']}.")
        return f"<doc:{page.stem}>"

    return LINK.sub(link, file.read_text())


def with_types(lines, types):
    """The lines with links to types."""
    is_code = False
    for line in lines:
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith("#"):
            line = re.sub(r"(?<!`)`(\w+)`(?!`)", lambda found: f"`{found[0]}`" if found[1] in types else found[0], line)
        yield line


def main():
    symbols, copy = map(pathlib.Path, sys.argv[1:3])
    known = site_pages()
    for file in CATALOG.rglob("*.md"):
        (copy / file.relative_to(CATALOG)).write_text(with_site_links(file, known))
    graph = json.loads((symbols / "CoreData.symbols.json").read_text())
    types = {symbol["names"]["title"] for symbol in graph["symbols"]
             if symbol["kind"]["identifier"] in KINDS and len(symbol["pathComponents"]) == 1}
    pages = copy / "Reference"
    pages.mkdir()
    for name, (title, abstract) in PAGES.items():
        lines = with_site_links(DOCUMENTS / f"{name}.md", known).splitlines()
        lines[:1] = [f"# {title}", "", abstract]
        (pages / f"{name}.md").write_text("\n".join(with_types(lines, types)) + "\n")
    # A browser shows an image without a size very small.
    for image in DOCUMENTS.glob("*.svg"):
        text = re.sub(r'<svg ([^>]*viewBox="0 0 (\d+) (\d+)")', r'<svg width="\2" height="\3" \1', image.read_text(), count=1)
        (pages / image.name).write_text(text)


if __name__ == "__main__":
    main()
