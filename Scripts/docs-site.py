#!/usr/bin/env python3
"""Completes the site that docc has made. Arguments: the folder of the site, the folder of the symbol graphs.

Adds the root page, the search with its index, a header with the project's name, buttons that copy listings, and on the
pages of symbols links to the source and to Apple's page of the same symbol. What is added is plain files of Scripts/Site
beside docc's: docc's pages get one script, one style sheet and one template.

COREDATA_SOURCE_URL names the sources on a forge (https://example.org/owner/OpenCoreData/blob/main). Without it the site has
pages of the sources itself.
"""
import collections
import csv
import html
import json
import os
import pathlib
import re
import shutil
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
ASSETS = ROOT / "Scripts/Site"
DRAWINGS = ROOT / "Sources/CoreData/CoreData.docc/Resources"
APPLE = "https://developer.apple.com/documentation/coredata/"
FEWEST_ENTRIES = 1000
TOKEN = re.compile(
    r'(?P<c>//[^\n]*)|(?P<s>"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*")|(?P<n>\b\d[\d_.]*\b)|'
    r"(?P<k>(?:#|@|\b)(?:import|let|var|func|for|in|if|else|guard|return|try|await|class|struct|enum|final|extension|init|"
    r"self|nil|true|false|public|private|override|throws|async|while|switch|case|do|catch|static|any|some|where|protocol|"
    r"package|internal|open|convenience|required|weak|unowned|defer|throw|super|Self|is|as|mutating|nonisolated)\b)")


def highlighted(code):
    """Swift as HTML. It needn't be exact: it is for the eye."""
    result, at = [], 0
    for token in TOKEN.finditer(code):
        result.append(html.escape(code[at:token.start()], quote=False))
        result.append(f'<span class="{token.lastgroup}">{html.escape(token[0], quote=False)}</span>')
        at = token.end()
    return "".join(result) + html.escape(code[at:], quote=False)


class Site:
    def __init__(self, folder, symbols):
        if (folder / "site").exists():
            sys.exit(f"{folder} is complete already: run Scripts/docs.sh.")
        self.folder = folder
        template = (folder / "index.html").read_text()
        self.base = re.search(r'var baseUrl = "([^"]*)"', template)[1]
        self.data = folder / "data/documentation"
        self.pages = {file: json.loads(file.read_text()) for file in sorted(self.data.rglob("*.json"))}
        graph = json.loads((symbols / "CoreData.symbols.json").read_text())
        self.locations, self.modules = {}, {}
        for file in symbols.glob("*.symbols.json"):
            for symbol in json.loads(file.read_text())["symbols"]:
                if "location" in symbol:
                    self.locations[symbol["identifier"]["precise"]] = symbol["location"]
        self.types = {symbol["names"]["title"] for symbol in graph["symbols"] if len(symbol["pathComponents"]) == 1}

    def address(self, file):
        """The address of a page, from the root of the site."""
        return "documentation/" + str(file.relative_to(self.data).with_suffix("")) + "/"


# What docc's pages say.

def text_of(value, references):
    """The words of content, without its form."""
    if isinstance(value, list):
        return " ".join(filter(None, (text_of(each, references) for each in value)))
    if not isinstance(value, dict):
        return ""
    kind = value.get("type")
    if kind == "text":
        return value["text"]
    if kind in ("codeVoice",):
        return value["code"]
    if kind == "codeListing":
        return " ".join(line.strip() for line in value["code"])
    if kind in ("reference", "link"):
        return references.get(value.get("identifier"), {}).get("title", "") or value.get("title", "")
    if kind == "image":
        return ""
    if kind == "table":
        return " · ".join(filter(None, (text_of(cell, references) for row in value["rows"] for cell in row)))
    return text_of([value[key] for key in ("inlineContent", "content", "items", "rows", "term", "definition") if key in value],
                   references)


def tidy(text):
    return re.sub(r"\s+([.,;:)])", r"\1", re.sub(r"\s+", " ", text)).strip()


def entries(site):
    """The index: kind, address, title, heading and text of each section and each symbol."""
    for file, page in site.pages.items():
        references, address = page.get("references", {}), site.address(file)
        title = page["metadata"]["title"]
        abstract = tidy(text_of(page.get("abstract", []), references))
        if page["kind"] != "article":
            if page["metadata"].get("symbolKind") == "module":
                continue
            # What a type has by a protocol of the standard library is nothing that people look for.
            if abstract.startswith("Inherited from "):
                continue
            own = path_title(page, references)
            if len(file.relative_to(site.data / "coredata").parts) > 1 and not title.startswith(own + "."):
                title = f"{own}.{title}"
            yield ["symbol", address, title, "", abstract]
            continue
        heading, anchor, parts = "", "", [abstract]
        for section in page.get("primaryContentSections", []):
            for element in section.get("content", []):
                if element.get("type") == "heading" and element["level"] <= 3:
                    if parts:
                        yield ["guide", address + anchor, title, heading, tidy(" ".join(parts))]
                    name = element["text"]
                    heading, anchor, parts = name, "#" + urllib.parse.quote(element["anchor"]), []
                    if name == "Overview":
                        heading, anchor = "", ""
                else:
                    parts.append(text_of(element, references))
        if parts:
            yield ["guide", address + anchor, title, heading, tidy(" ".join(parts))]


def path_title(page, references):
    """The name of the type that a member belongs to."""
    path = page.get("hierarchy", {}).get("paths", [[]])[0]
    return references.get(path[-1], {}).get("title", "") if path else ""


# Links to sources and to Apple.

def apple_names():
    """The names of Apple's Core Data and how often each is declared: an overloaded member has no address that is known."""
    counts = {}
    with open(ROOT / "Scripts/API/coredata-api.tsv") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["member"] == "(type)":
                name = (row["container"],)
            elif row["type"] == "constant" or not row["container"]:
                name = (row["member"],)
            else:
                name = (row["container"], row["member"])
            # Extensions of types of other frameworks are on the pages of those.
            if name[0].startswith(("NS", "CoreData")):
                counts[name] = counts.get(name, 0) + 1
    return counts


def name_of(page):
    """The name of a symbol, with the name of its type."""
    title, own = page["metadata"]["title"], path_title(page, page.get("references", {}))
    return (title,) if own in ("", "CoreData") else (own, title)


def apple_address(page, names, own_counts):
    """The address of Apple's page of a symbol, if it has one declaration on both sides."""
    name = name_of(page)
    if names.get(name) != 1 or own_counts[name] != 1 or (len(name) == 2 and names.get(name[:1]) != 1):
        return None
    # A type inside of another one is a page below that one.
    parts = ".".join(name[:-1]).split(".") + [name[-1]] if len(name) == 2 else name[0].split(".")
    return APPLE + "/".join(urllib.parse.quote(part.lower(), safe="(:)_,") for part in parts)


def add_links(site):
    """Links of symbols to their source and to Apple. Returns the files that are linked, and the counts."""
    forge = os.environ.get("COREDATA_SOURCE_URL", "").rstrip("/")
    names, files, counts = apple_names(), set(), {"source": 0, "apple": 0}
    own_counts = collections.Counter(name_of(page) for page in site.pages.values() if page["kind"] != "article")
    for file, page in site.pages.items():
        if page["kind"] == "article":
            continue
        is_changed = False
        location = site.locations.get(page["metadata"].get("externalID"))
        if location:
            path = urllib.parse.unquote(urllib.parse.urlparse(location["uri"]).path)
            source = path.partition("/Sources/")[2]
            if source and (ROOT / "Sources" / source).is_file():
                line = location["position"]["line"] + 1
                address = (f"{forge}/Sources/{urllib.parse.quote(source)}" if forge
                           else f"{site.base}source/{urllib.parse.quote(source)}.html")
                page["metadata"]["remoteSource"] = {
                    "fileName": source.rpartition("/")[2], "url": f"{address}#L{line}"}
                files.add(source)
                counts["source"] += 1
                is_changed = True
        apple = apple_address(page, names, own_counts)
        if apple:
            identifier = "apple:" + apple
            page.setdefault("references", {})[identifier] = {
                "type": "link", "identifier": identifier, "url": apple,
                "title": f"{page['metadata']['title']} in Apple’s documentation",
                "titleInlineContent": [{"type": "text", "text": f"{page['metadata']['title']} in Apple’s documentation"}]}
            page.setdefault("primaryContentSections", []).append({"kind": "content", "content": [
                {"type": "heading", "level": 2, "anchor": "On-Apples-Platforms",
                 "text": "On Apple’s Platforms"},
                {"type": "paragraph", "inlineContent": [
                    {"type": "reference", "isActive": True, "identifier": identifier}]}]})
            counts["apple"] += 1
            is_changed = True
        if is_changed:
            file.write_text(json.dumps(page, ensure_ascii=False))
    return set() if forge else files, counts


def write_sources(site, files):
    """Pages of the sources, with an anchor for each line."""
    for source in files:
        target = site.folder / "source" / f"{source}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * (len(pathlib.PurePosixPath(source).parts))
        code = highlighted((ROOT / "Sources" / source).read_text())
        lines = []
        for number, line in enumerate(code.rstrip("\n").split("\n"), 1):
            lines.append(f'<span class="l" id="L{number}">{line}</span>')
        target.write_text(
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><title>{html.escape(source)}: OpenCoreData</title>'
            f'<link rel="icon" href="{up}favicon.svg"><link rel="stylesheet" href="{up}site/site.css"></head>\n'
            f'<body><header class="bar"><a class="name" href="{up}./">OpenCoreData</a><nav aria-label="Site">'
            f'<a href="{up}documentation/coredata/">Documentation</a><a href="{up}search/">Search</a></nav></header>\n'
            f'<main class="source"><h1>{html.escape(source.rpartition("/")[2])}</h1><p>Sources/{html.escape(source)}</p>'
            f'<pre tabindex="0" aria-label="Source"><code>{"".join(lines)}</code></pre></main></body></html>\n')


# The pages of the site's own.

def guides(site):
    """The list of guides, in the groups of the first page."""
    page = site.pages[site.data / "coredata.json"]
    result = []
    for section in page["topicSections"]:
        rows = []
        for identifier in section["identifiers"]:
            reference = page["references"].get(identifier, {})
            if reference.get("kind") == "article":
                abstract = tidy(text_of(reference.get("abstract", []), page["references"]))
                rows.append(f'<li><a href="{html.escape(reference["url"].strip("/"))}/">'
                            f'{html.escape(reference["title"])}</a><span>{html.escape(abstract)}</span></li>')
        if rows:
            result.append(f'<section><h3>{html.escape(section["title"])}</h3><ul>{"".join(rows)}</ul></section>')
    return "\n".join(result)


def inline(text):
    """A paragraph of README.md as HTML: code, and links to pages of the site or of others."""
    def link(match):
        name, address = match.groups()
        page = re.fullmatch(r"(?:Sources/CoreData/CoreData\.docc/Guides|Documentation)/(\w+)\.md", address)
        if page:
            address = f"documentation/coredata/{page[1].lower()}/"
        elif "://" not in address:
            return name
        return f'<a href="{address}">{name}</a>'

    text = html.escape(" ".join(text.split()), quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\[((?:[^\]]|\](?!\())+)\]\(([^)]+)\)", link, text)


def questions():
    """The questions of README.md with their answers."""
    section = (ROOT / "README.md").read_text().partition("## Questions")[2].partition("\n## ")[0]
    found = re.findall(r"^\*\*(.+?)\*\*\s+(.+?)(?=\n\n|\Z)", section, re.M | re.S)
    if not found:
        sys.exit("README.md has no questions.")
    return "\n".join(f"<details><summary>{inline(question)}</summary><p>{inline(answer)}</p></details>"
                     for question, answer in found)


def add_pages(site):
    own = site.folder / "site"
    own.mkdir(exist_ok=True)
    for name in ("site.css", "site.js", "search.js", "docc.css"):
        shutil.copy(ASSETS / name, own / name)
    for drawing in DRAWINGS.glob("stack*.svg"):
        shutil.copy(drawing, own / drawing.name)
    home = (ASSETS / "home.html").read_text()
    home = home.replace("{{program}}", highlighted((ROOT / "Examples/Readme/main.swift").read_text().rstrip()))
    (site.folder / "search").mkdir(exist_ok=True)
    shutil.copy(ASSETS / "search.html", site.folder / "search/index.html")
    index = list(entries(site))
    if len(index) < FEWEST_ENTRIES:
        sys.exit(f"The search index has {len(index)} entries: the form of docc's pages has changed.")
    (own / "search-index.json").write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")))
    # After docc's pages: the root page is made from docc's.
    add_header(site)
    (site.folder / "index.html").write_text(
        home.replace("{{guides}}", guides(site)).replace("{{questions}}", questions()))
    return len(index)


def add_header(site):
    """The header, the script and the style sheet in docc's pages."""
    header = (ASSETS / "header.html").read_text().replace("{{base}}", site.base)
    tags = (f'<link href="{site.base}site/docc.css" rel="stylesheet"><script src="{site.base}site/site.js" defer></script>'
            "</head>")
    for page in (site.folder / "documentation").rglob("index.html"):
        text = page.read_text()
        if 'id="custom-header"' in text:
            continue
        changed = text.replace("</head>", tags, 1).replace('<div id="app">', header + '<div id="app">', 1)
        if changed.count("custom-header") != 1 or "site/site.js" not in changed:
            sys.exit(f"{page}: the form of docc's pages has changed.")
        page.write_text(changed)


def main():
    site = Site(*map(pathlib.Path, sys.argv[1:3]))
    # Before the links, which are no words of the pages.
    count = add_pages(site)
    files, counts = add_links(site)
    write_sources(site, files)
    print(f"  {count} entries in the search, {counts['source']} links to sources, {counts['apple']} to Apple's pages")


main()
