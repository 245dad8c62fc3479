#!/usr/bin/env python3
"""Checks the documentation site in .build/docs/site, made by Scripts/docs.sh. Options:

--update  writes the figures of Scripts/docs-coverage.json, if they have risen
"""
import functools
import html
import html.parser
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

SITE = pathlib.Path(".build/docs/site")
SYMBOLS = pathlib.Path(".build/docs/symbols")
COVERAGE = pathlib.Path("Scripts/docs-coverage.json")
MOST_USED = pathlib.Path("Scripts/docs-examples.txt")
TYPES = {"swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias"}
# Pages and a heading of each, which a browser must show.
SHOWN = {
    "firststore": ("A first store in ten minutes", "Open a store"),
    "predicatecookbook": ("Predicate cookbook", "Numbers and lists"),
    "nsmanagedobjectcontext": ("NSManagedObjectContext", "Topics"),
}
# Words of a guide's text, and the pages that a search for them must show first.
SEARCHED = {"replaces side files": "sharingfiles", "pinned context newest rows": "querygenerations",
            "134110": "migration", "nsfetchrequest": "nsfetchrequest"}


def pages():
    """The pages by their address, as docc writes them for the browser."""
    result = {}
    data = SITE / "data"
    for file in sorted(data.glob("documentation/**/*.json")):
        page = json.loads(file.read_text())
        result["/" + str(file.relative_to(data).with_suffix("")).lower()] = page
    return result


def anchors(value):
    """The anchors of all headings in a page."""
    if isinstance(value, dict):
        if isinstance(value.get("anchor"), str):
            yield value["anchor"].lower()
        for element in value.values():
            yield from anchors(element)
    elif isinstance(value, list):
        for element in value:
            yield from anchors(element)


def dead_links(pages):
    """Addresses that no page or file of the site has, with the page that leads to them.

    docc itself warns of links that an author has written; types of other modules are names without a link.
    """
    known = {address: set(anchors(page.get("primaryContentSections", []))) | {"topics", "overview"}
             for address, page in pages.items()}
    for address, page in pages.items():
        if not (SITE / address[1:] / "index.html").exists():
            yield f"{address}: index.html is missing"
        for reference in page.get("references", {}).values():
            for variant in reference.get("variants", []):
                if not (SITE / variant["url"].lstrip("/")).exists():
                    yield f"{address}: {variant['url']} is missing"
            url = reference.get("url", "")
            if not url.startswith("/"):
                continue
            target, _, anchor = url.partition("#")
            target = urllib.parse.unquote(target).lower().rstrip("/")
            if target not in known:
                yield f"{address}: {url} is missing"
            elif anchor and urllib.parse.unquote(anchor).lower() not in known[target]:
                yield f"{address}: {url} has no such heading"


class Links(html.parser.HTMLParser):
    """The addresses and the anchors of a page, and its images without an alternative text."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.anchors, self.problems = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.add(values.get("id"))
        self.addresses += [values[name] for name in ("href", "src", "srcset", "action") if values.get(name)]
        if tag == "img" and not values.get("alt"):
            self.problems.append(f"the image {values.get('src')} has no alternative text")


def own_pages(pages):
    """Dead links of the root page, the search and its index, and links of symbols to lines of sources."""
    known = {address: set(anchors(page.get("primaryContentSections", []))) for address, page in pages.items()}
    for name in ("index.html", "search/index.html"):
        file = SITE / name
        links = Links(file.read_text())
        yield from (f"{name}: {problem}" for problem in links.problems)
        for address in links.addresses:
            target, _, anchor = address.partition("#")
            path = (file.parent / urllib.parse.unquote(target)).resolve() if target else file.resolve()
            if "://" in target:
                continue
            if not path.exists() or path.is_dir() and not (path / "index.html").exists():
                yield f"{name}: {address} is missing"
            elif anchor:
                page = path / "index.html" if path.is_dir() else path
                if anchor not in Links(page.read_text()).anchors:
                    yield f"{name}: {address} has no such anchor"
    for _, address, title, _, _ in json.loads((SITE / "site/search-index.json").read_text()):
        target, _, anchor = address.partition("#")
        page = "/" + target.rstrip("/").lower()
        if page not in known or anchor and urllib.parse.unquote(anchor).lower() not in known[page]:
            yield f"The search index: {title} leads to {address}, which is missing"
    lines = {}
    for address, page in pages.items():
        url = page["metadata"].get("remoteSource", {}).get("url", "")
        if "/source/" not in url or "://" in url:
            continue
        path, _, anchor = url.partition("#")
        file = SITE / urllib.parse.unquote("source/" + path.partition("/source/")[2])
        if file not in lines:
            lines[file] = set(re.findall(r'id="(L\d+)"', file.read_text())) if file.exists() else set()
        if anchor not in lines[file]:
            yield f"{address}: {url} is missing"


def forge_links():
    """Dead links of the pages that people read on a forge, and links that only the site knows."""
    root = pathlib.Path(".")
    for file in [*root.glob("*.md"), *root.glob("Documentation/**/*.md"), *root.glob("Examples/*/README.md"),
                 *root.glob("Sources/CoreData/CoreData.docc/**/*.md")]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", file.read_text(), flags=re.S)
        yield from (f"{file}: a forge shows {link} as text" for link in re.findall(r"<doc:[^>]*>", text))
        for address in re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", text):
            target = urllib.parse.unquote("".join(address).partition("#")[0])
            if target and "://" not in target and not (file.parent / target).exists():
                yield f"{file}: {target} is missing"


def images(pages):
    """Drawings of the pages without an alternative text or a dark form."""
    for address, page in pages.items():
        for reference in page.get("references", {}).values():
            if reference.get("type") == "image":
                if not reference.get("alt"):
                    yield f"{address}: {reference['identifier']} has no alternative text"
                traits = {trait for variant in reference["variants"] for trait in variant["traits"]}
                if "Performance-" not in reference["identifier"] and "dark" not in traits:
                    yield f"{address}: {reference['identifier']} has no form for a dark page"


def uncurated(pages):
    """The public types and variables that no Topics group of an author contains."""
    curated = set()
    for page in pages.values():
        for section in page.get("topicSections", []):
            if not section.get("generated"):
                for identifier in section["identifiers"]:
                    curated.add(page["references"].get(identifier, {}).get("title"))
    graph = json.loads((SYMBOLS / "CoreData.symbols.json").read_text())
    for symbol in graph["symbols"]:
        if symbol["kind"]["identifier"] in TYPES and len(symbol["pathComponents"]) == 1:
            if symbol["names"]["title"] not in curated:
                yield f"{symbol['names']['title']} is in no Topics group"


def without_example():
    """The members of Scripts/docs-examples.txt whose pages show no code."""
    # docc tells overloads and a property from its type by an ending of the address, which changes with the declarations.
    shown = {}
    for entry in json.loads((SITE / "documentation-coverage.json").read_text()):
        page = entry.get("referencePath", "").partition("/documentation/CoreData/")[2]
        page = re.sub(r"-(swift\.)?[0-9a-z]+$", "", page)
        shown[page] = shown.get(page, False) or bool(entry.get("hasCodeListing"))
    for page in MOST_USED.read_text().splitlines():
        if page.startswith("#"):
            continue
        if page not in shown:
            yield f"{MOST_USED}: there is no page {page}"
        elif not shown[page]:
            yield f"{page} has no example"


def member(path):
    """The end of a page's path that names a type and its member, without the suffix of an overloaded one."""
    return "/".join(re.sub(r"-[0-9a-z]+$|-swift\.[a-z]+$", "", part) for part in path.split("/")[-2:])


def synthesized_members():
    """The members that protocols give a type, such as `union(_:)`: they can't have a comment. Members that the type
    declares itself, too, are left out."""
    synthesized, own = set(), set()
    for graph in SYMBOLS.glob("*.symbols.json"):
        for symbol in json.loads(graph.read_text())["symbols"]:
            found = synthesized if "::SYNTHESIZED::" in symbol["identifier"]["precise"] else own
            found.add("/".join(symbol["pathComponents"][-2:]))
    return synthesized - own


def coverage():
    """How much is documented, of types and of members, in per mille."""
    types = {"class", "struct", "structure", "enum", "enumeration", "protocol", "extendedClass", "extendedStructure"}
    globals_ = {"func", "function", "var", "globalVariable", "operator", "typealias", "module", "article"}
    entries = json.loads((SITE / "documentation-coverage.json").read_text())
    synthesized = synthesized_members()
    kinds = [
        (entry["kind"]["id"].rsplit(".", 1)[-1], entry) for entry in entries
        if entry["kind"]["isSymbol"] and member(entry["referencePath"]) not in synthesized]
    result = {}
    for name, chosen in (
        ("types", [entry for kind, entry in kinds if kind in types]),
        ("members", [entry for kind, entry in kinds if kind not in types | globals_]),
    ):
        for figure, key in (("abstract", "hasAbstract"), ("example", "hasCodeListing"), ("curated", "isCurated")):
            result[f"{name} with {figure}"] = 1000 * sum(bool(entry.get(key)) for entry in chosen) // len(chosen)
    return result


def fallen(figures):
    stored = json.loads(COVERAGE.read_text()) if COVERAGE.exists() else {}
    for name, least in stored.items():
        if figures.get(name, 0) < least:
            yield f"Coverage: {name}: {figures.get(name, 0)} ‰, was {least} ‰"
    if "--update" in sys.argv:
        risen = {name: max(value, stored.get(name, 0)) for name, value in figures.items()}
        COVERAGE.write_text(json.dumps(risen, indent=4) + "\n")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    missing = []

    def log_message(self, *arguments):
        pass

    def send_error(self, code, message=None, explain=None):
        self.missing.append(self.path)
        super().send_error(code, message, explain)


def in_browser():
    """What a browser doesn't show of some pages."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("  no Chromium: the pages are not looked at in a browser")
        return
    handler = functools.partial(QuietHandler, directory=str(SITE))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def shown(path):
        """The page that scripts have made, and the messages of the browser."""
        with tempfile.TemporaryDirectory() as profile:
            result = subprocess.run(
                [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                 "--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom",
                 f"http://127.0.0.1:{server.server_port}/{path}"], capture_output=True, text=True, timeout=180)
        return result.stdout, [line for line in result.stderr.splitlines() if "CONSOLE" in line]

    for name, headings in SHOWN.items():
        dom, _ = shown(f"documentation/coredata/{name}/")
        if 'class="copy"' not in dom:
            yield f"{name}: the listings have no button that copies them"
        found = {html.unescape(re.sub(r"<[^>]*>|\s+", " ", heading)).strip()
                 for heading in re.findall(r"<h[1-6][^>]*>(.*?)</h[1-6]>", dom, re.S)}
        found = {re.sub(r"\s+", "", heading) for heading in found}
        for heading in headings:
            if re.sub(r"\s+", "", heading) not in found:
                yield f"{name}: Chromium shows no heading “{heading}”"
    for words, page in SEARCHED.items():
        dom, messages = shown("search/?" + urllib.parse.urlencode({"q": words}))
        first = re.findall(r'<li><a href="\.\./documentation/coredata/(\w+)', dom)[:3]
        if page not in first:
            yield f"A search for “{words}” shows {', '.join(first) or 'nothing'} first, and not {page}"
        yield from (f"search: {message}" for message in messages)
    hostile = "<img src=x onerror=alert(1)>"
    dom, _ = shown("search/?" + urllib.parse.urlencode({"q": hostile}))
    if "<img" in dom:
        yield "The search reads the words of an address as HTML"
    dom, messages = shown("")
    if 'class="copy"' not in dom:
        yield "The root page: the program has no button that copies it"
    yield from (f"The root page: {message}" for message in messages)
    server.shutdown()
    yield from (f"{path}: not found by the browser" for path in QuietHandler.missing if "favicon" not in path)


def main():
    all_pages = pages()
    figures = coverage()
    problems = [*dead_links(all_pages), *own_pages(all_pages), *forge_links(), *images(all_pages), *uncurated(all_pages), *without_example(), *fallen(figures), *in_browser()]
    for problem in sorted(set(problems)):
        print(problem, file=sys.stderr)
    print(f"  {len(all_pages)} pages; " + ", ".join(f"{name} {value / 10:.1f} %" for name, value in figures.items()))
    sys.exit(1 if problems else 0)


main()
