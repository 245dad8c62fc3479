#!/usr/bin/env python3
"""Checks that the suites which run against Apple's framework, and the client of sync, use nothing of ours.

usage: check-sources.py SYMBOLGRAPH_FOLDER

Names that only we declare are the names in the symbol graphs, without the names in Apple's table (Scripts/API) and in
foundation-names.tsv, which Foundation and other modules declare on Apple's platforms. The check reads words, not types:
it does not see an overload of ours beside a function of Apple's with the same labels. It also searches for what
compiles here and not on a Mac. Prints each breach as FILE:LINE: TEXT, and fails if there is one.
"""
import glob
import json
import os
import re
import sys

sys.dont_write_bytecode = True
from suites import FOLDER, ROOT, SUPPORT, all_sources, rows

sys.path.insert(0, os.path.join(ROOT, "Scripts", "API"))
import api_table

MODULES = (
    "CoreData OwnStores Foundation FoundationNetworking Testing Dispatch Synchronization CoreDataTestSupport TestExpectations TestSupport SQLiteLibrary SQLite3"
).split()
# The only conditions beside the version of the compiler: the module of SQLite, the language of Apple's platforms, and the
# part of Foundation that is a module of its own elsewhere.
CONDITIONS = ("canImport(SQLiteLibrary)", "canImport(ObjectiveC)", "canImport(FoundationNetworking)")
# The modules that build on Apple's framework, too, from the lowest one on.
LIBRARIES = "CoreDataSyncModel CoreDataSync".split()
FORMS = [
    (r'managedObjectClassName\s*=\s*"', "a class is found by a bare name only here: use NSStringFromClass"),
    (r"\brequired\s+init\(\s*(?:entity|managedObjectModel)\b", "Apple's initializer is not required"),
    (r"NSFetchRequest<\s*\[", "the type of the results must be one of Objective-C"),
    (r"\.xc(?:datamodel|mappingmodel)", "only our framework reads source models"),
    (r"/proc/", "there is no /proc on a Mac"),
]
REQUESTS = r"(?:NSFetchRequest|NSAsynchronousFetchRequest|NSAsynchronousFetchResult|NSFetchedResultsController)"


def without_texts(source):
    """The source with blanks in place of comments and of the contents of strings. Lines stay where they are."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|#*"""(?:\\.|.)*?"""#*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
    return pattern.sub(lambda match: re.sub(r"[^\n\"]", " ", match.group()), source)


def without_comments(source):
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)

    def replacement(match):
        text = match.group()
        return text if text[0] == '"' else re.sub(r"[^\n]", " ", text)

    return pattern.sub(replacement, source)


def last_part(name):
    """The last part of a name like A.B.c(d:e:)."""
    return re.search(r"([^.]*\(.*\)|[^.]+)$", name).group(1)


def base(name):
    return last_part(name).split("(")[0]


def apple_rows():
    """The rows of Apple's table by container and name, and the first macOS version of each."""
    found = {}
    for name, row in api_table.rows():
        version = re.match(r"macOS (\d+)", row["introduced"])
        found.setdefault(name, []).append(int(version.group(1)) if version else 0)
    return found


class Symbol:
    def __init__(self, module, symbol):
        self.module = module
        self.path = [part.replace("`", "") for part in symbol["pathComponents"]]
        self.name = ".".join(self.path)
        self.declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
        self.kind = symbol["kind"]["identifier"].split(".", 1)[-1]
        comment = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
        self.is_marked = re.search(r"^\*\*Extension", comment, re.MULTILINE) is not None

    @property
    def is_type(self):
        return self.kind in ("class", "struct", "enum", "protocol", "typealias", "associatedtype")


def load_symbols(folder):
    symbols = []
    for path in sorted(glob.glob(os.path.join(folder, "*.symbols.json"))):
        module = os.path.basename(path).split(".")[0].split("@")[0]
        with open(path, encoding="utf-8") as handle:
            for symbol in json.load(handle)["symbols"]:
                if "::SYNTHESIZED" not in symbol["identifier"]["precise"]:
                    symbols.append(Symbol(module, symbol))
    return symbols


def names_of_ours(symbols, apple):
    """The symbols that only we declare: types, and members of other types."""
    foundation = {name for name, _ in rows("foundation-names.tsv")}
    # CoreDataPredicates completes Foundation: there only what is marked is ours.
    ours = [
        symbol for symbol in symbols
        if symbol.name not in apple and last_part(symbol.name) not in foundation
        and (symbol.is_marked or symbol.module != "CoreDataPredicates")
    ]
    types = {symbol.name for symbol in ours if symbol.is_type}
    # A member of a type of ours is used only where the type is, or a function that returns it.
    return [symbol for symbol in ours if ".".join(symbol.path[:-1]) not in types], foundation


def closing(text, start):
    depth = 0
    for index in range(start, len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return len(text)


def parts_in_parentheses(text, start):
    """The parts between the parenthesis at an index and the one that closes it, split at the commas."""
    inner = text[start + 1 : closing(text, start)]
    parts, depth, begin = [], 0, 0
    for index, character in enumerate(inner):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(inner[begin:index])
            begin = index + 1
    return [part for part in parts + [inner[begin:]] if part.strip()]


def labels_of_call(text, start):
    labels = [re.match(r"\s*(\w+)\s*:(?!:)", part) for part in parts_in_parentheses(text, start)]
    return [label.group(1) if label else "_" for label in labels]


def labels_of_declaration(text, start):
    return [(re.search(r"\w+", part) or ["_"])[0] for part in parts_in_parentheses(text, start)]


def fits(call, symbol):
    """Whether the labels of a call can belong to a function: arguments with default values may be missing, and a
    block that follows the parentheses."""
    declared = re.search(r"\((.*)\)$", last_part(symbol.name)).group(1).split(":")[:-1]
    optional = set(re.findall(r"(\w+)(?: \w+)?: [^,]*? = ", symbol.declaration))
    takes_block = re.search(r": (?:@\w+ )*\([^()]*\) (?:throws )?-> [^,()]*\)", symbol.declaration)
    rest = list(call)
    for index, label in enumerate(declared):
        if rest and rest[0] == label:
            rest.pop(0)
        elif label not in optional and not (takes_block and index == len(declared) - 1):
            return False
    return not rest


class File:
    def __init__(self, target, path):
        self.target, self.path = target, path
        with open(path, encoding="utf-8") as handle:
            source = handle.read()
        self.code = without_comments(source)
        self.words = without_texts(source)
        keywords = "func|var|let|case|class|struct|enum|actor|protocol|typealias"
        self.declared = set(re.findall(rf"\b(?:{keywords})\s+`?(\w+)", self.words))
        # Functions by their names with labels.
        for match in re.finditer(r"\bfunc\s+(\w+)(?:<[^(]*>)?\(", self.words):
            labels = labels_of_declaration(self.words, match.end() - 1)
            self.declared.add(f"{match.group(1)}({''.join(label + ':' for label in labels)})")


class Check:
    def __init__(self):
        self.breaches = []

    def report(self, path, text, index, message):
        line = text.count("\n", 0, index) + 1
        self.breaches.append((os.path.relpath(path, ROOT), line, message))

    def imports(self, file):
        allowed = MODULES + (["CoreDataSyncWire", "CoreDataSyncModel", "Digests"] if file.target in LIBRARIES else [])
        for match in re.finditer(r"^[ \t]*(?:@\w+ +)*(?:\w+ +)?import +(?:\w+ +)?(\w+)", file.words, re.MULTILINE):
            if match.group(1) not in allowed:
                self.report(file.path, file.words, match.start(1), f"imports {match.group(1)}")
        for match in re.finditer(r"^[ \t]*#(?:else)?if +(.*)$", file.words, re.MULTILINE):
            condition = match.group(1).strip()
            if condition not in CONDITIONS and not condition.startswith("compiler("):
                self.report(file.path, file.words, match.start(), f"the condition {condition}")

    def forms(self, file):
        for pattern, message in FORMS:
            for match in re.finditer(pattern, file.code):
                self.report(file.path, file.code, match.start(), message)
        for match in re.finditer(r"\bfunc\s+\w+<([^>]*)>[^{]*", file.words):
            for parameter in match.group(1).split(","):
                name, _, constraint = (part.strip() for part in parameter.partition(":"))
                if not constraint and re.search(rf"\b{REQUESTS}<{name}>", match.group()):
                    text = f"{name} needs the constraint NSFetchRequestResult"
                    self.report(file.path, file.words, match.start(), text)

    def uses(self, file, symbols, known, declared, message):
        """Reports the uses of some symbols. A name that another declaration has too counts with its container only."""
        for symbol in symbols:
            name = base(symbol.name)
            if not re.match(r"\w+$", name) or name in ("init", "subscript"):
                continue
            if name not in file.words:
                continue
            container = symbol.path[-2] if len(symbol.path) > 1 else ""
            qualified = rf"\b{container}\s*\.\s*{name}\b" if container else None
            if symbol.is_type or (not container and "(" not in symbol.name):
                if name in declared:
                    continue
                for match in re.finditer(rf"\b{name}\b", file.words):
                    self.report(file.path, file.words, match.start(), message(symbol))
            elif "(" in symbol.name:
                for match in re.finditer(rf"(?<!func )\b{name}\s*(?=\()", file.words):
                    is_qualified = qualified and re.search(qualified + r"$", file.words[: match.end()].rstrip())
                    call = labels_of_call(file.words, match.end())
                    is_only_ours = last_part(symbol.name) not in declared | known
                    if fits(call, symbol) and (is_qualified or is_only_ours):
                        self.report(file.path, file.words, match.start(), message(symbol))
            else:
                pattern = rf"\.{name}\b" if name not in declared and name not in known else qualified
                for match in re.finditer(pattern, file.words):
                    self.report(file.path, file.words, match.start(), message(symbol))


def declarations_of_left_out(path):
    """The types, functions and members that a left-out file offers to other files."""
    with open(path, encoding="utf-8") as handle:
        words = without_texts(handle.read())
    found = set(re.findall(
        r"^(?:(?:public|package|nonisolated|final|open|@\w+) +)*(?:class|struct|enum|actor|protocol|func) +(\w+)",
        words, re.MULTILINE))
    for match in re.finditer(r"^(?:nonisolated +)?extension [^{]*\{", words, re.MULTILINE):
        body = words[match.end() : closing(words, match.end() - 1)]
        member = r"^    (?:(?:public|package|static|final|@\w+) +)*(?:func|var) +(\w+)"
        found |= set(re.findall(member, body, re.MULTILINE))
    return found


def platform_version():
    with open(os.path.join(FOLDER, "Package.swift"), encoding="utf-8") as handle:
        return int(re.search(r"\.macOS\(\.v(\d+)\)", handle.read()).group(1))


def main():
    symbols = load_symbols(sys.argv[1])
    if not symbols:
        sys.exit(f"no *.symbols.json in {sys.argv[1]}")
    check = Check()
    left_out = rows("left-out.tsv")
    for table in ("left-out.tsv", "known-differences.tsv", "foundation-names.tsv"):
        for name, reason in rows(table):
            if not reason.strip():
                check.breaches.append((f"Scripts/Apple/{table}", 0, f"'{name}' has no reason"))
    for path, _ in left_out:
        if not os.path.exists(os.path.join(ROOT, "Tests", path)):
            check.breaches.append(("Scripts/Apple/left-out.tsv", 0, f"there is no Tests/{path}"))

    apple = apple_rows()
    ours, foundation = names_of_ours(symbols, apple)
    newest = platform_version()
    newer = [symbol for symbol in symbols if symbol.name in apple and min(apple[symbol.name]) > newest]
    # Members of types that are newer themselves are used only where these are.
    newer_types = {symbol.name for symbol in newer if symbol.is_type}
    newer = [symbol for symbol in newer if ".".join(symbol.path[:-1]) not in newer_types]
    older = {last_part(name) for name, versions in apple.items() if min(versions) <= newest}
    known = {last_part(name) for name in apple} | foundation
    lower = [symbol for symbol in symbols if symbol.module == "CoreDataPredicates" and not symbol.is_marked]
    known |= {last_part(symbol.name) for symbol in lower}
    # As the name of a property, or of a function without its labels.
    known |= {base(name) for name in known}
    older |= {base(name) for name in older}

    count = 0
    below = set()
    for library in LIBRARIES:
        paths = glob.glob(os.path.join(ROOT, "Sources", library, "**", "*.swift"), recursive=True)
        files = [File(library, path) for path in sorted(paths)]
        count += len(files)
        below = below.union(*(file.declared for file in files))
        for file in files:
            check.imports(file)
            check.forms(file)
            check.uses(file, ours, known, below, lambda symbol: f"{symbol.name} is ours")
    shared = set()
    for sources in all_sources(left_out):
        files = [File(sources.target, path) for path in sources.files.values()]
        count += len(files)
        declared = shared.union(*(file.declared for file in files))
        if sources.target in SUPPORT:
            shared = declared
        missing = set()
        for path in sources.left_out:
            missing |= declarations_of_left_out(path)
        missing -= declared
        for file in files:
            check.imports(file)
            check.forms(file)
            check.uses(file, ours, known, declared, lambda symbol: f"{symbol.name} is ours")
            check.uses(
                file, newer, older, declared,
                lambda symbol: f"{symbol.name} begins with a macOS newer than {newest}")
            for name in missing & set(re.findall(r"\w+", file.words)):
                if name not in known:
                    index = re.search(rf"\b{name}\b", file.words).start()
                    check.report(file.path, file.words, index, f"{name} is declared in a file that is left out")

    for path, line, message in sorted(set(check.breaches)):
        print(f"{path}:{line}: {message}" if line else f"{path}: {message}", file=sys.stderr)
    if check.breaches:
        print(
            "Use Apple's API, or move the test to a folder Extensions, or name the file in Scripts/Apple/left-out.tsv.",
            file=sys.stderr)
        return 1
    print(f"{count} files use nothing of ours, {len(left_out)} files and folders are left out")
    return 0


sys.exit(main())
