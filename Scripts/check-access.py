#!/usr/bin/env python3
"""Checks that access is as narrow as it can be.

usage: check-access.py [MODULE ...]

Prints each `package` declaration whose name stands in no other module, test, tool or example, and each public
declaration that is neither Apple's nor an extension: its comment, or the comment of its type, says **Extension**.
Fails if there is one. With arguments only the declarations of these modules are printed.

The names decide, not the declarations that they mean: a name that stands elsewhere for something else keeps its
access. A test that imports a module by `@testable import` sees its internal declarations. What the compiler requires
keeps its access, too: types in the signatures of wider declarations, the members that satisfy a protocol, overriding
members, and what the body of an inlinable function uses.
"""
import collections
import fnmatch
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "Scripts", "API"))
import api_table

USERS = ("Tests", "Benchmarks", "Fuzz", "Faults", "Examples", "Oracle", "Plugins")
# Modules whose public declarations Apple's Core Data has.
APPLE = ("CoreDataPredicates", "CoreDataModel", "CoreDataStores", "OpenCoreData", "CoreDataPostgreSQL")
TYPES = {"class", "struct", "enum", "protocol", "actor", "typealias"}
KINDS = TYPES | {"func", "var", "let", "init", "deinit", "subscript", "case", "extension", "associatedtype", "import",
                 "operator", "precedencegroup", "macro"}
NAMELESS = {"init", "deinit", "subscript"}
MODIFIERS = set(
    "package public open internal private fileprivate static final override mutating nonmutating lazy weak unowned "
    "nonisolated indirect required convenience dynamic borrowing consuming prefix postfix infix optional".split())
# The requirements of protocols of the standard library and of Foundation.
KNOWN = set(
    """description debugDescription hash hashValue encode next makeIterator startIndex endIndex index formIndex count
    underestimatedCount isEmpty first map filter allCases rawValue id errorDescription failureReason recoverySuggestion
    helpAnchor errorCode errorUserInfo errorDomain localizedDescription customMirror codingPath stringValue intValue
    userInfo add subtract copy mutableCopy supportsSecureCoding isEqual value setValue wrappedValue projectedValue
    Element Iterator Index Key Value Subject makeMessage makeNotification RawValue AllCases SubSequence Indices ID Body Output Input Failure""".split())
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>\#*"(?:"")?)|(?P<name>`[^`\n]+`|[A-Za-z_][A-Za-z_0-9]*)"""
    r"""|(?P<sign>->|==|[{}()\[\]:,;=@.#<>\\?!&]|[^\s\w])|(?P<number>\d\w*(?:\.\d\w*)?)""", re.S)

Token = collections.namedtuple("Token", "text line isName")


def tokens_of(text):
    """The tokens of a source and its comments by the line of their end. Strings are only their interpolations."""
    tokens, comments = [], {}
    # Open strings as (terminator, start of an interpolation, depth of parentheses within the interpolation).
    strings, position, line = [], 0, 1

    def read_string(position, terminator, escape):
        """The end of a string's text: behind its terminator, or behind the start of an interpolation."""
        while position < len(text):
            if text.startswith(terminator, position):
                return position + len(terminator), False
            if text.startswith(escape, position):
                if text.startswith("(", position + len(escape)):
                    return position + len(escape) + 1, True
                position += len(escape) + 1
            else:
                position += 1
        return position, False

    while match := TOKEN.search(text, position):
        line += text.count("\n", position, match.start())
        start, position = match.start(), match.end()
        kind, word = match.lastgroup, match.group()
        if kind == "comment":
            line += word.count("\n")
            comments[line] = word
            continue
        entry = None
        if kind == "string":
            tokens.append(Token('"', line, False))
            signs = word.count("#")
            entry = (word.lstrip("#") + "#" * signs, "\\" + "#" * signs, 0)
            if entry[0].startswith('""') and not entry[0].startswith('"""'):
                continue
        elif strings and word in "()":
            terminator, escape, depth = strings.pop()
            depth += 1 if word == "(" else -1
            if depth >= 0:
                strings.append((terminator, escape, depth))
            else:
                entry = (terminator, escape, 0)
        if entry:
            end, interpolated = read_string(position, entry[0], entry[1])
            line += text.count("\n", position, end)
            position = end
            if interpolated:
                strings.append(entry)
            continue
        tokens.append(Token(word.strip("`"), line, kind == "name"))
    return tokens, comments


class Declaration:
    def __init__(self, module, file, line, kind, name, modifiers, container):
        self.module, self.file, self.line, self.kind, self.name = module, file, line, kind, name
        self.modifiers, self.container, self.comment = modifiers, container, ""
        self.signature, self.defaults, self.parents = set(), set(), set()
        self.access = next((word for word in ("open", "public", "package") if word in modifiers), None)

    @property
    def path(self):
        """The name with the names of the types around it."""
        name = self.extended if self.kind == "extension" else self.name
        return f"{self.container.path}.{name}" if self.container is not None else name


def declarations_of(module, file, tokens, comments, exposed):
    """The declarations of a source, in order; `exposed` gets the names in bodies of inlinable functions."""
    found, stack, modifiers, attributes = [], [], [], set()
    first_line, index = 0, 0
    while index < len(tokens):
        token = tokens[index]
        if token.text == "}":
            if stack:
                stack.pop()
        elif token.text == "{":
            stack.append((None, stack and stack[-1][1]))
        elif token.text == "@" or (token.text in MODIFIERS and token.isName and tokens[index - 1].text != ".") or (
                token.text == "class" and index + 1 < len(tokens)
                and tokens[index + 1].text in ("func", "var", "subscript", "override", "final", "let")):
            if not modifiers and not attributes:
                first_line = token.line
            if token.text == "@":
                index += 1
                attributes.add(tokens[index].text)
            else:
                modifiers.append(token.text)
            if index + 1 < len(tokens) and tokens[index + 1].text == "(" and tokens[index + 1].line == token.line:
                index = closing(tokens, index + 1)
                if modifiers and tokens[index - 1].text == "set":
                    modifiers.pop()
            index += 1
            continue
        elif token.text in KINDS and token.isName and (index == 0 or tokens[index - 1].text != "."):
            container = stack[-1][0] if stack else None
            name = tokens[index + 1].text if index + 1 < len(tokens) else ""
            declaration = Declaration(
                module, file, token.line, token.text, token.text if token.text in NAMELESS else name, modifiers,
                container)
            declaration.comment = comment_above(comments, first_line if modifiers or attributes else token.line)
            inlinable = bool(attributes & {"inlinable", "usableFromInline", "_alwaysEmitIntoClient"})
            end = end_of_signature(tokens, index)
            after = False
            for part in tokens[index + 1:end]:
                after = after or part.text == "="
                if part.isName:
                    declaration.signature.add(part.text)
                    if after:
                        declaration.defaults.add(part.text)
            declaration.signature |= attributes
            if inlinable:
                exposed.add(declaration.name)
            if token.text in TYPES or token.text == "extension":
                declaration.parents = parents_of(tokens[index + 2:end])
                if token.text == "extension":
                    declaration.extended = extended_name(tokens[index + 1:end])
                    declaration.name = declaration.extended.split(".")[-1]
            found.append(declaration)
            modifiers, attributes = [], set()
            if end < len(tokens) and tokens[end].text == "{":
                is_type = token.text in TYPES or token.text == "extension"
                stack.append((declaration if is_type else None, inlinable or bool(stack and stack[-1][1])))
                index = end + 1
                continue
            index = max(end, index + 1)
            continue
        elif stack and stack[-1][1] and token.isName:
            exposed.add(token.text)
        modifiers, attributes = [], set()
        index += 1
    return found


def closing(tokens, index):
    depth = 0
    while index < len(tokens):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(tokens[index].text, 0)
        if depth == 0:
            return index
        index += 1
    return len(tokens) - 1


def end_of_signature(tokens, index):
    """The index of the body's brace, or behind the declaration if it has none."""
    start, index = index, index + 1
    while index < len(tokens):
        token = tokens[index]
        if token.text in ("{", "}"):
            return index
        if token.line > tokens[index - 1].line and index > start + 1 and (
                token.text == "@" or (token.isName and (token.text in KINDS or token.text in MODIFIERS))
                and tokens[index - 1].text not in (",", ":", "=", "->", "&", "where")):
            return index
        index = closing(tokens, index) + 1 if token.text in ("(", "[") else index + 1
    return index


def parents_of(tokens):
    names, active = set(), False
    for token in tokens:
        active = (active or token.text == ":") and token.text != "where"
        if active and token.isName:
            names.add(token.text)
    return names


def extended_name(tokens):
    """The name behind `extension`, with the names of the types around it."""
    end = next((i for i, token in enumerate(tokens) if i % 2 == 1 and token.text != "."), len(tokens))
    return "".join(token.text for token in tokens[:end])


def comment_above(comments, line):
    text, line = "", line - 1
    while line in comments:
        text, line = comments[line] + text, line - 1
    return text


def imported(tokens, word):
    """The modules behind `import`, or behind `@testable import`."""
    skipped = 1 if word == "import" else 2
    return {tokens[index + skipped].text for index in range(len(tokens) - skipped) if tokens[index].text == word}


def closure(edges, start):
    """All that can be reached over one edge or more."""
    found, ends = set(), [start]
    while ends:
        for target in edges.get(ends.pop(), ()):
            if target not in found:
                found.add(target)
                ends.append(target)
    return found


def load():
    """The declarations of all modules, the names that other modules use of each, and the exposed names."""
    declarations, exposed = [], collections.defaultdict(set)
    files = {}
    for folder in ["Sources", *USERS]:
        for path in sorted(glob.glob(os.path.join(ROOT, folder, "**", "*.swift"), recursive=True)):
            if "/.build/" in path:
                continue
            parts = os.path.relpath(path, ROOT).split(os.sep)
            module = parts[1] if folder in ("Sources", "Tests") else folder
            with open(path, encoding="utf-8") as handle:
                files[path] = (folder, module, *tokens_of(handle.read()))
    modules = {module for folder, module, _, _ in files.values() if folder == "Sources"}
    imports = collections.defaultdict(set)
    for _, module, tokens, _ in files.values():
        imports[module] |= imported(tokens, "import")
    used = {module: set() for module in modules}
    for folder, module, tokens, _ in files.values():
        names = {token.text for token in tokens if token.isName}
        # Members of a module are visible, too, where only a module between them is imported.
        for other in closure(imports, module) & modules - imported(tokens, "testable") - {module}:
            used[other] |= names
    for path, (folder, module, tokens, comments) in files.items():
        if folder == "Sources":
            file = os.path.relpath(path, ROOT)
            declarations += declarations_of(module, file, tokens, comments, exposed[module])
    return declarations, used, exposed


def required_names(declarations):
    """The names of the requirements that each type's members may satisfy, by module-independent type name."""
    parents, requirements = collections.defaultdict(set), collections.defaultdict(set)
    protocols = set()
    for declaration in declarations:
        if declaration.kind in TYPES or declaration.kind == "extension":
            parents[declaration.name] |= declaration.parents
        if declaration.kind == "protocol":
            protocols.add(declaration.name)
        container = declaration.container
        if container is not None and container.kind == "protocol":
            requirements[container.name].add(declaration.name)

    result = collections.defaultdict(set)
    for name in list(parents):
        above = closure(parents, name)
        names = set().union(*(requirements[parent] for parent in above | {name}))
        result[name] |= names
        # A member of a superclass, or of a protocol's extension, may satisfy the requirement of another parent.
        for parent in above:
            result[parent] |= names
    return result


def superfluous_package(declarations, used, exposed):
    """The `package` declarations that can be internal, found by taking back what wider declarations need."""
    required = required_names(declarations)
    candidates = set()
    types = {}
    for declaration in declarations:
        if declaration.kind in TYPES and declaration.name not in types:
            types[declaration.module, declaration.name] = declaration
    for declaration in declarations:
        if declaration.access != "package" or declaration.kind in ("extension", "import"):
            continue
        container = declaration.container
        if declaration.kind in NAMELESS | {"case"} or not re.match(r"\w", declaration.name):
            continue
        if declaration.name in used[declaration.module] or declaration.name in exposed[declaration.module]:
            continue
        if "override" in declaration.modifiers or "required" in declaration.modifiers:
            continue
        if container is not None and (declaration.name in KNOWN or declaration.name in required[container.name]):
            continue
        candidates.add(declaration)
    wider = [d for d in declarations if d.access]
    # Cases and requirements have no access modifier.
    wider += [d for d in declarations
              if d.access is None and d.container is not None and d.container.access
              and (d.kind == "case" or d.container.kind == "protocol")]
    by_name = collections.defaultdict(list)
    for candidate in candidates:
        by_name[candidate.module, candidate.name].append(candidate)
    changed = True
    while changed:
        changed = False
        for declaration in wider:
            if declaration in candidates or (declaration.container in candidates):
                continue
            for name in declaration.signature:
                for candidate in by_name.get((declaration.module, name), ()):
                    needed = candidate.kind in TYPES or name in declaration.defaults
                    if needed and candidate is not declaration and candidate in candidates:
                        candidates.discard(candidate)
                        changed = True
    # The members of a type that can be internal.
    for declaration in declarations:
        if declaration.access == "package" and declaration.container in candidates:
            candidates.add(declaration)
    return candidates


def undocumented_public(declarations, apple):
    """The public declarations that are neither Apple's nor an extension."""
    required = required_names(declarations)
    for declaration in declarations:
        if declaration.access not in ("public", "open") or declaration.module not in APPLE:
            continue
        if declaration.kind in ("import", "extension") or "override" in declaration.modifiers:
            continue
        container, name = declaration.container, declaration.name
        names = {container.name if container is not None else "", ""}
        if any((holder, name) in apple for holder in names) or not re.match(r"\w", name):
            continue
        outer, is_extension = declaration, False
        while outer is not None:
            is_extension = is_extension or "**Extension" in outer.comment
            outer = outer.container
        if is_extension:
            continue
        if container is not None and (name in KNOWN or name in required[container.name] or declaration.kind == "case"):
            continue
        yield declaration


def apple_names():
    """Apple's declarations as pairs of a type's name, or nothing, and a name."""
    names = set()
    for _, row in api_table.rows():
        container = row["container"].split(".")[-1]
        member = re.split(r"[(:]", row["member"])[0].split(".")[-1]
        names.add((container, member))
        names.update({("", container)} if member == "" else set())
        names.update(("", part) for part in row["container"].split("."))
        if row["type"] in ("constant", "typealias") or container == "":
            names.add(("", member))
    return names


def accepted_patterns():
    with open(os.path.join(ROOT, "Scripts", "API", "accepted-public.tsv"), encoding="utf-8") as handle:
        return [line.split("\t")[0] for line in handle if line.strip() and not line.startswith("#")]


def main():
    declarations, used, exposed = load()
    modules = set(sys.argv[1:])
    count = 0

    def report(title, found):
        nonlocal count
        lines = [f"{d.file}:{d.line}: {d.kind} {d.path}"
                 for d in sorted(found, key=lambda d: (d.file, d.line)) if not modules or d.module in modules]
        count += len(lines)
        if lines:
            print("\n".join([title, *lines, ""]), file=sys.stderr)

    report("Used in their module only: these declarations need no `package`.",
           superfluous_package(declarations, used, exposed))
    patterns = accepted_patterns()
    report("Public, but neither Apple's nor documented as **Extension**:",
           [d for d in undocumented_public(declarations, apple_names())
            if not any(fnmatch.fnmatchcase(d.path, pattern) for pattern in patterns)])
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
