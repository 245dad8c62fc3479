#!/usr/bin/env python3
"""Checks that access is as narrow as it can be.

usage: check-access.py [MODULE ...]

Prints each `package` declaration that no other module of this package names, and each public declaration that is
neither Apple's nor an extension: its comment, or the comment of its type, says **Extension**. Fails if there is one.
With arguments only the declarations of these modules are printed.

The compiler's index decides (source_index.py), so the check build must be there. A test is no reason for `package`: it
sees internal declarations by `@testable import`. What the compiler requires keeps its access: types in the signatures of
wider declarations, the members that satisfy a protocol, overriding members, and what the body of an inlinable function
uses. So do the names in code that this build leaves out by `#if`.
"""
import bisect
import collections
import fnmatch
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), "API")]
import api_table
import source_index as index
from swift_declarations import NAMELESS, TYPES, declarations_of, tokens_of

# Modules whose public declarations Apple's Core Data has.
APPLE = ("CoreDataPredicates", "CoreDataModel", "CoreDataStores", "OpenCoreData", "CoreDataPostgreSQL")
# Members that the compiler calls without a reference in the index, and requirements of protocols of the standard
# library and of Foundation, which public types satisfy.
CALLED = set(
    """wrappedValue projectedValue callAsFunction makeIterator next appendInterpolation appendLiteral buildBlock
    buildExpression buildOptional buildEither buildArray buildFinalResult RawValue AllCases""".split())
KNOWN = CALLED | set(
    """description debugDescription hash hashValue encode startIndex endIndex index formIndex count underestimatedCount
    isEmpty first map filter allCases rawValue id errorDescription failureReason recoverySuggestion helpAnchor errorCode
    errorUserInfo errorDomain localizedDescription customMirror codingPath stringValue intValue userInfo add subtract copy
    mutableCopy supportsSecureCoding isEqual value setValue Element Iterator Index Key Value Subject makeMessage
    makeNotification SubSequence Indices ID Body Output Input Failure""".split())
NOMINAL = {"class", "struct", "enum", "protocol", "actor"}


class Package:
    """The declarations of all modules, with what the index knows about them."""

    def __init__(self):
        self.occurrences = index.load(lambda module, files: not module.endswith("Tests"))
        self.declarations, self.by_usr = [], {}
        # What a declaration overrides or satisfies; the members that satisfy a requirement for a type that inherits them,
        # as (member, requirement, type); the declarations that other modules name.
        self.overridden, self.inherited, self.external = collections.defaultdict(set), [], set()
        self.references = collections.defaultdict(list)
        self.exposed, self.left_out = set(), collections.defaultdict(set)
        self.module_of = {}
        definitions = {}
        for module, occurrences in self.occurrences.items():
            for entry in occurrences:
                if entry.roles & index.DEFINITION and not entry.roles & index.IMPLICIT:
                    self.module_of.setdefault(entry.symbol.usr, module)
                    if not any(roles & index.ACCESSOR for roles, _ in entry.related):
                        definitions.setdefault((entry.file, entry.line, entry.column), entry.symbol)
        places = collections.defaultdict(set)
        for module, occurrences in self.occurrences.items():
            for entry in occurrences:
                usr = entry.symbol.usr
                places[entry.file].add((entry.line, entry.column))
                overridden = {symbol.usr for roles, symbol in entry.related if roles & index.OVERRIDE}
                named = {usr} | overridden
                if entry.roles & index.IMPLICIT:
                    self.inherited += [(usr, requirement, symbol.usr) for requirement in overridden
                                       for roles, symbol in entry.related if roles & index.CONTAINED]
                else:
                    self.overridden[usr] |= overridden
                # Without a role of their own: the members that satisfy a protocol in an extension of another module.
                self.external.update(usr for usr in named if self.module_of.get(usr, module) != module)
                if entry.roles & index.REFERENCE:
                    self.references[entry.file].append(((entry.line, entry.column), usr))
        for references in self.references.values():
            references.sort()
        for module in self.occurrences:
            # The index doesn't know a source that this build leaves out whole.
            for file in index.sources(module):
                self.read(module, file, definitions, places[file])

    def read(self, module, file, definitions, places):
        tokens, comments = tokens_of(os.path.join(index.ROOT, file))
        depth = 0
        for position, token in enumerate(tokens):
            word = token.text if tokens[position - 1].text == "#" else ""
            depth += {"if": 1, "endif": -1}.get(word, 0)
            is_use = tokens[position - 1].text == "." or token.text[:1].isupper()
            if depth > 0 and token.is_name and is_use and token.place not in places:
                self.left_out[token.text].add(module)
        if not file.startswith("Sources/"):
            return
        found, exposed = declarations_of(file, tokens, comments)
        self.exposed.update(usr for place, usr in self.references[file] if place in exposed)
        for declaration in found:
            declaration.module = module
            symbol = definitions.get((file, *declaration.place))
            declaration.usr = symbol.usr if symbol else None
            if declaration.kind == "extension":
                declaration.target = next((usr for place, usr in self.references[file] if place == declaration.place),
                                          None)
            if declaration.usr:
                self.by_usr.setdefault(declaration.usr, declaration)
            self.declarations.append(declaration)

    def named_in(self, declaration):
        """The symbols in the signature of a declaration, with their places."""
        references = self.references[declaration.file]
        start = bisect.bisect_left(references, (declaration.start, ""))
        end = bisect.bisect_left(references, (declaration.end, ""))
        return references[start:end]

    def holder(self, declaration):
        """The type that a declaration is a member of: a declaration, None outside of types, False if it is another's."""
        container = declaration.container
        if container is None:
            return None
        if container.kind == "extension":
            return self.by_usr.get(container.target, False)
        return container


def required_access(package):
    """The declarations that other modules name, and what these need: the rest can be internal."""
    needed, ends = set(), []

    def need(declaration):
        if declaration is not None and declaration is not False and declaration not in needed:
            needed.add(declaration)
            ends.append(declaration)

    def need_usr(usr):
        need(package.by_usr.get(usr))

    def has_reason(declaration):
        usr = declaration.usr
        return usr is None or usr in package.external or usr in package.exposed or declaration.access != "package"

    def is_left_out(declaration):
        name = declaration.name
        if declaration.kind in NAMELESS and declaration.container is not None:
            name = declaration.container.name
        return any(module != declaration.module for module in package.left_out.get(name, ()))

    members = collections.defaultdict(list)
    for declaration in package.declarations:
        if declaration.kind in ("import", "deinit") or (declaration.container is None and declaration.nested):
            continue
        holder = package.holder(declaration)
        if holder:
            members[holder].append(declaration)
    for declaration in package.declarations:
        if declaration.access in ("package", "public", "open") and declaration.kind not in ("import", "extension") and (
                has_reason(declaration)):
            need(declaration)
        elif declaration.usr in package.external:
            need(declaration)

    def follow():
        while ends:
            declaration = ends.pop()
            holder = package.holder(declaration)
            if holder and holder.access is not None or declaration.kind == "case":
                need(holder)
            if declaration.container is not None and declaration.container.kind == "extension":
                for place, usr in package.named_in(declaration.container):
                    if place not in declaration.container.parents:
                        need_usr(usr)
            for place, usr in package.named_in(declaration):
                other = package.by_usr.get(usr)
                # A type that others see may conform to a protocol that they don't see.
                if place in declaration.parents and declaration.kind not in ("protocol", "typealias") and (
                        other is not None and other.kind == "protocol"):
                    continue
                need(other)
            for member in members[declaration]:
                if member.access is None and (declaration.kind == "protocol" or member.kind == "case"):
                    need(member)

    def is_seen(requirement):
        """Whether a requirement has a protocol that other modules see, or is a method of a class that they see."""
        declaration = package.by_usr.get(requirement)
        above = declaration and package.holder(declaration)
        return declaration is None or declaration in needed or (
            bool(above) and above.kind == "protocol" and above in needed)

    follow()
    changed = True
    while changed:
        changed = False
        for usr, requirement, conforming in package.inherited:
            member, conforming = package.by_usr.get(usr), package.by_usr.get(conforming)
            if conforming is not None and conforming.kind == "extension":
                conforming = package.by_usr.get(conforming.target)
            is_conforming_seen = conforming is None or conforming in needed
            if member is not None and member not in needed and is_conforming_seen and is_seen(requirement):
                need(member)
                follow()
                changed = True
        for declaration in package.declarations:
            if declaration in needed or declaration.access not in ("package", "public", "open"):
                continue
            holder = package.holder(declaration)
            if holder is None or (holder is not False and holder not in needed):
                continue
            reason = "required" in declaration.modifiers or declaration.name in CALLED or is_left_out(declaration)
            reason = reason or any(map(is_seen, package.overridden.get(declaration.usr, ())))
            if reason:
                need(declaration)
                follow()
                changed = True
    return needed


def superfluous(package):
    """The `package` declarations that can be internal."""
    needed = required_access(package)
    return [declaration for declaration in package.declarations
            if declaration.access == "package" and declaration.kind not in ("extension", "import")
            and declaration not in needed]


def undocumented_public(package, apple):
    """The public declarations that are neither Apple's nor an extension."""
    for declaration in package.declarations:
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
        satisfies = container is not None and (name in KNOWN or package.overridden.get(declaration.usr))
        if not satisfies and declaration.kind != "case":
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
    with open(os.path.join(index.ROOT, "Scripts", "API", "accepted-public.tsv"), encoding="utf-8") as handle:
        return [line.split("\t")[0] for line in handle if line.strip() and not line.startswith("#")]


def main():
    package = Package()
    modules = set(sys.argv[1:])
    count = 0

    def report(title, found):
        nonlocal count
        lines = [f"{d.file}:{d.line}: {d.kind} {d.path}"
                 for d in sorted(found, key=lambda d: (d.file, d.line)) if not modules or d.module in modules]
        count += len(lines)
        if lines:
            print("\n".join([title, *lines, ""]), file=sys.stderr)

    report("Used in their module only: these declarations need no `package`.", superfluous(package))
    patterns = accepted_patterns()
    report("Public, but neither Apple's nor documented as **Extension**:",
           [d for d in undocumented_public(package, apple_names())
            if not any(fnmatch.fnmatchcase(d.path, pattern) for pattern in patterns)])
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
