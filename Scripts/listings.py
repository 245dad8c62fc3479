"""The listings of the guides, for the scripts that check them."""
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
CATALOG = ROOT / "Sources/CoreData/CoreData.docc"
SNIPPET = re.compile(r"^( *)<!-- snippet: (\w+) (\w+) -->$")
# A file, or one declaration of it: the first line that contains the text, up to its last brace.
SOURCE = re.compile(r"^( *)<!-- source: (\S+?)(?: `(.+)`)? -->$")
FENCE = re.compile(r"^( *)```([\w-]*)$")


@dataclasses.dataclass
class Listing:
    page: pathlib.Path
    # The line of the fence, from 1.
    line: int
    language: str
    text: str
    # "snippet", "source" or nothing.
    kind: str = ""
    program: str = ""
    part: str = ""


def pages():
    """The pages whose listings are checked."""
    return [*sorted(CATALOG.rglob("*.md")), *sorted((ROOT / "Documentation").glob("*.md")), ROOT / "README.md",
            ROOT / "AGENTS.md",
            *sorted(ROOT.glob("Examples/*/README.md"))]


def listings(page):
    """The listings of a page in their order."""
    lines, result, index = page.read_text().split("\n"), [], 0
    while index < len(lines):
        fence = FENCE.match(lines[index])
        if not fence:
            index += 1
            continue
        indent = len(fence[1])
        end = next(at for at in range(index + 1, len(lines)) if lines[at].strip() == "```")
        text = "\n".join(line[indent:] for line in lines[index + 1:end])
        listing = Listing(page, index + 1, fence[2], text)
        above = lines[index - 1] if index else ""
        if marker := SNIPPET.match(above):
            (listing.kind, listing.program, listing.part) = ("snippet", marker[2], marker[3])
        elif marker := SOURCE.match(above):
            (listing.kind, listing.program, listing.part) = ("source", marker[2], marker[3] or "")
        result.append(listing)
        index = end + 1
    return result
