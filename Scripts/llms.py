#!/usr/bin/env python3
"""Writes llms.txt, the index of the documentation for programs that read it: https://llmstxt.org. Options:

--check  writes nothing, and fails if the file isn't what would be written

The groups, their order and the titles are those of the first page of the documentation.
"""
import pathlib
import re
import runpy
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CATALOG = ROOT / "Sources/CoreData/CoreData.docc"
FILE = ROOT / "llms.txt"
HEAD = """# OpenCoreData

> Core Data and SwiftData for Linux, in Swift: Apple's API, files and behaviour. `import CoreData` and
> `import SwiftData` compile unchanged. Stores are SQLite files in Apple's format, PostgreSQL schemas, binary or XML files, or memory.

What Apple documents holds here, apart from the pages about differences. Programs that write code against this library
begin with the first page.

- [For programs that write code](AGENTS.md): the manifest, complete programs, rules, what doesn't exist here
"""


PAGES = runpy.run_path(str(ROOT / "Scripts/docs-articles.py"))["PAGES"]


def abstract(page):
    """What a page is about, in one line: the words of the site, or the first sentence of a guide."""
    if page.stem in PAGES and CATALOG not in page.parents:
        return PAGES[page.stem][1].rstrip(".")
    paragraphs = re.split(r"\n\s*\n", re.sub(r"<!--.*?-->", "", page.read_text(), flags=re.S))
    parts = (part.strip() for part in paragraphs[1:])
    text = next(part for part in parts if part and not part.startswith(("#", "|", "!", "```")))
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))
    return re.match(r".*?[.:](?= |$)|.*", text)[0].rstrip(":.")


def groups():
    """The groups of articles of the first page, with the titles and the paths of their pages."""
    topics = (CATALOG / "CoreData.md").read_text().partition("## Topics")[2]
    for part in topics.split("\n### ")[1:]:
        title, _, body = part.partition("\n")
        pages = re.findall(r"^- \[([^\]]+)\]\(([^)]+\.md)\)$", body, re.M)
        if pages:
            yield title.strip(), [(name, (CATALOG / path).resolve()) for name, path in pages]


def main():
    text = HEAD
    for title, pages in groups():
        text += f"\n## {title}\n\n"
        text += "".join(f"- [{name}]({page.relative_to(ROOT)}): {abstract(page)}\n" for name, page in pages)
    if "--check" not in sys.argv:
        FILE.write_text(text)
    elif not FILE.exists() or FILE.read_text() != text:
        sys.exit("llms.txt isn't what Scripts/llms.py writes: run it.")


if __name__ == "__main__":
    main()
