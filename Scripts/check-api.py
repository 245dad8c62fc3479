#!/usr/bin/env python3
"""Compares the public API of the built modules with the table of Apple's API, declaration by declaration.

usage: check-api.py SYMBOLGRAPH_FOLDER [--swiftdata] [--all]

The table is API/coredata-api.tsv. A row of the type "class" is a member of an Objective-C class, so it must be open
here; any other row must be public. A declaration is compared without its attributes, default values and the names of
parameters inside a function. Prints each difference that API/accepted-differences.tsv doesn't explain, and fails if
there is one. With --all it prints the explained ones too, with their reasons.

With --swiftdata the table is API/swiftdata-api.tsv, and the differences are in API/accepted-swiftdata-differences.tsv.
Its classes are Swift classes: none may be open. The conformances of types are
compared, too, with Sendable among them.
"""
import csv
import fnmatch
import glob
import json
import os
import re
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "API")
sys.dont_write_bytecode = True
sys.path.insert(0, FOLDER)
import api_table
# Tiers of rows that can't exist here: CloudKit and UIKit, and what the compiler or Xcode generates.
OTHER_TIERS = ("apple-only", "elsewhere", "tier")
MODIFIERS = (
    "public open final override required dynamic nonisolated weak mutating indirect unowned(unsafe) "
    "nonisolated(unsafe) nonisolated(nonsending) lazy prefix optional"
).split()


def load_conformances(folder):
    """The names of the protocols that each type conforms to, or that a protocol refines."""
    names, conformances = {"s:Sa": "Array", "s:Sq": "Optional"}, {}
    graphs = []
    for path in sorted(glob.glob(os.path.join(folder, "*.symbols.json"))):
        with open(path) as handle:
            graphs.append(json.load(handle))
    for graph in graphs:
        for symbol in graph["symbols"]:
            names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
    for graph in graphs:
        for relation in graph["relationships"]:
            if relation["kind"] not in ("conformsTo", "inheritsFrom"):
                continue
            target = names.get(relation["target"]) or relation.get("targetFallback", "").split(".")[-1]
            source = names.get(relation["source"]) or relation.get("sourceFallback", "").split(".", 1)[-1]
            conformances.setdefault(source, set()).add(target)
    return conformances


def inherited_protocols(declaration):
    """The protocols in the declaration of a type."""
    head = re.split(r"\bwhere\b", re.sub(r"<[^<>]*>", "", declaration))[0]
    _, colon, rest = head.partition(" : ")
    names = re.split(r"[,&]", rest) if colon else []
    # Neither is a symbol of the graphs: the type of raw values, and the constraint to classes.
    return [name.strip() for name in names if name.strip() and name.strip() not in ("String", "AnyObject")]


def missing_conformances(name, row, conformances):
    """The protocols that a type doesn't conform to, directly or through another protocol."""
    if row["member"] == "(type)":
        wanted = inherited_protocols(row["declaration"])
    elif row["member"].startswith("conformance: ") and "unavailable" not in row["member"]:
        name, wanted = row["container"], [row["member"].split(": ")[1]]
    else:
        return []
    reached = all_conformances(name, conformances)
    return [protocol for protocol in wanted if protocol.replace("@unchecked ", "") not in reached]


def all_conformances(name, conformances):
    """The protocols that a type conforms to, directly or through another protocol."""
    reached, waiting = set(), [name]
    while waiting:
        for protocol in conformances.get(waiting.pop(), ()):
            if protocol not in reached:
                reached.add(protocol)
                waiting.append(protocol)
    if {"Encodable", "Decodable"} <= reached:
        reached.add("Codable")
    return reached


# The members that the compiler derives, which the graphs don't have, with the protocols that they are derived for.
DERIVED = {
    "==(_:_:)": "Equatable", "hash(into:)": "Hashable", "hashValue": "Hashable", "encode(to:)": "Encodable",
    "init(from:)": "Decodable", "rawValue": "RawRepresentable", "RawValue": "RawRepresentable",
    "stringValue": "CodingKey", "intValue": "CodingKey",
}


def is_derived(row, conformances):
    """Whether the compiler derives a member that the graphs don't have."""
    reached = all_conformances(re.sub(r"<.*?>", "", row["container"]), conformances)
    return DERIVED.get(row["member"]) in reached


def without_details(text):
    """A declaration without what documentation pages leave out: labels in function types, setters, convenience."""
    text = re.sub(r"\(_ \w+: ", "(", text)
    return re.sub(r"^convenience |\bconsuming | \{ get( set)? \}$", "", text)


def load_symbols(folder):
    """The declarations of the symbol graphs, by container and name."""
    symbols = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.symbols.json"))):
        with open(path) as handle:
            for symbol in json.load(handle)["symbols"]:
                name = ".".join(component.replace("`", "") for component in symbol["pathComponents"])
                declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
                entry = (symbol["accessLevel"], declaration)
                symbols.setdefault(name, []).append(entry)
    return symbols


def split_at_commas(text):
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[index - 1] != "-"):
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return parts + [text[start:]]


def closing(text, start):
    depth = 0
    for index in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return index
    return len(text) - 1


def parameter(text):
    """A parameter as label and type: without the inner name and the default value."""
    label, colon, kind = text.partition(":")
    kind = re.sub(r"\s+=\s.*$", "", kind).strip()
    return f"{label.split()[0]}: {kind}" if colon and label.split() else text.strip()


def normalized(declaration):
    text = re.sub(r"\s*//.*$", "", declaration)
    text = re.sub(r"@available\((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*\)\s*", "", text)
    text = re.sub(r"@(objc|nonobjc|discardableResult|NSCopying|preconcurrency|inlinable|NSManaged|unsafe)(\([^)]*\))?\s*", "", text)
    for modifier in MODIFIERS:
        text = re.sub(rf"(^|\s){re.escape(modifier)}\s+", r"\1", text)
    text = re.sub(r"\s+", " ", text).strip().replace("`", "")
    text = re.sub(r"\s*:\s*", ": ", text).replace("Swift.", "").replace("Foundation.", "")
    text = text.replace("NSNotification.Name", "Notification.Name")
    # Without Objective-C the result types of requests have no constraint.
    text = re.sub(r" where [^{]*$", "", text)
    text = re.sub(r" where [^{]*\{", " {", text)
    text = re.sub(r"^((?:static |class )?)let (\w+: [^{]+)$", r"\1var \2 { get }", text)
    text = re.sub(r"^((?:static |class )?var \w+: [^{]+)$", r"\1 { get set }", text)
    opening = text.find("(")
    if re.match(r"^(convenience |static |class )*(func|init|subscript)", text) and opening >= 0:
        end = closing(text, opening)
        inner = text[opening + 1 : end]
        parameters = ", ".join(parameter(part) for part in split_at_commas(inner)) if inner.strip() else ""
        text = f"{text[:opening]}({parameters}){text[end + 1:]}"
    return re.sub(r"\s+", " ", text).strip()


def is_type(declaration):
    return re.match(r"^(class|struct|enum|protocol|typealias) ", normalized(declaration))


def kind_of_type(declaration):
    return normalized(declaration).split()[0]


def problem(row, candidates, is_swiftdata):
    """What is wrong with the candidates for a row; nil if one of them fits."""
    must_be_open = row["type"] == "class" and not is_swiftdata
    if not candidates:
        return "is missing"
    if row["member"] == "(type)" or is_type(row["declaration"]):
        kinds = [kind_of_type(declaration) for _, declaration in candidates]
        if kind_of_type(row["declaration"]) not in kinds:
            return f"is a {kinds[0]}"
        if must_be_open and not any(access == "open" for access, _ in candidates):
            return "is not open"
        return None
    wanted = normalized(row["declaration"])
    fitting = [entry for entry in candidates if normalized(entry[1]) == wanted]
    if is_swiftdata and not fitting:
        short = without_details(wanted)
        fitting = [entry for entry in candidates if without_details(normalized(entry[1])) == short]
    if is_swiftdata and fitting and all(access == "open" for access, _ in fitting):
        return "is open"
    if not fitting:
        return "is declared as: " + " | ".join(sorted({normalized(declaration) for _, declaration in candidates}))
    is_initializer = wanted.startswith(("init", "convenience init"))
    if must_be_open and not is_initializer and not any(access == "open" for access, _ in fitting):
        return "is not open"
    return None


def load_accepted(name):
    with open(os.path.join(FOLDER, name), newline="") as handle:
        rows = [row for row in csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE) if row and row[0][:1] != "#"]
    return [(name, reason) for name, reason in rows]


def main():
    symbols = load_symbols(sys.argv[1])
    if not symbols:
        sys.exit(f"no *.symbols.json in {sys.argv[1]}")
    shows_all = "--all" in sys.argv
    is_swiftdata = "--swiftdata" in sys.argv
    accepted_name = "accepted-swiftdata-differences.tsv" if is_swiftdata else "accepted-differences.tsv"
    accepted = load_accepted(accepted_name)
    conformances = load_conformances(sys.argv[1]) if is_swiftdata else {}
    used = set()
    unexplained = explained = fitting = 0
    for name, row in api_table.rows("swiftdata-api.tsv" if is_swiftdata else "coredata-api.tsv"):
        if row["tier"] in OTHER_TIERS:
            continue
        is_conformance = row["member"].startswith("conformance: ")
        is_macro = row["container"] == "(macro)"
        if is_macro:
            macro = re.sub(r"^[@#]", "", row["member"])
            found = None if macro in symbols or macro.split("(")[0] in symbols else "is missing"
        elif is_swiftdata and is_conformance:
            found = None
        else:
            found = problem(row, symbols.get(name, []), is_swiftdata)
        if found == "is missing" and is_swiftdata and is_derived(row, conformances):
            found = None
        if found is None and is_swiftdata:
            missing = missing_conformances(name, row, conformances)
            found = f"doesn't conform to {', '.join(missing)}" if missing else None
        if found is None:
            fitting += 1
            continue
        reason = next(((pattern, text) for pattern, text in accepted if fnmatch.fnmatchcase(name, pattern)), None)
        if reason:
            used.add(reason[0])
            explained += 1
            if shows_all:
                print(f"{name} {found}\n    accepted: {reason[1]}")
            continue
        unexplained += 1
        print(f"{name} {found}\n    Apple: {normalized(row['declaration'])}")
    for pattern, _ in accepted:
        if pattern not in used:
            unexplained += 1
            print(f"{accepted_name}: '{pattern}' explains nothing; remove it")
    print(f"{fitting} declarations as Apple's, {explained} explained differences, {unexplained} unexplained")
    return 1 if unexplained else 0


sys.exit(main())
