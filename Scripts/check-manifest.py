#!/usr/bin/env python3
"""Checks that each target, and each product of a library, names in Package.swift all modules that its imports show it.

usage: check-manifest.py

The package manager compiles a target again when a module has changed that the target names. It doesn't when one has
changed that the target sees through another module (`@_exported import`): a changed layout is then a crash. A package
that uses a product depends on the product's targets in the same way.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IMPORT = re.compile(
    r"^(?P<exported>@_exported )?(?:@testable )?(?:(?:public|package|internal|private) )?import (?:struct |class |func )?"
    r"(?P<module>\w+)", re.M)


def imports_of(target):
    """The modules that the sources of a target import, and those that it re-exports."""
    folder = os.path.join(ROOT, target.get("path") or os.path.join(
        "Tests" if target["type"] == "test" else "Sources", target["name"]))
    imported, exported = set(), set()
    for path, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".swift"):
                with open(os.path.join(path, name), encoding="utf-8") as handle:
                    for match in IMPORT.finditer(handle.read()):
                        imported.add(match["module"])
                        if match["exported"]:
                            exported.add(match["module"])
    return imported, exported


def closed(modules, exports):
    """The modules with all that they re-export."""
    found, ends = set(modules), list(modules)
    while ends:
        for module in exports.get(ends.pop(), ()):
            if module not in found:
                found.add(module)
                ends.append(module)
    return found


def main():
    environment = {name: value for name, value in os.environ.items() if name != "COREDATA_SUITES"}
    package = json.loads(subprocess.check_output(["swift", "package", "dump-package"], cwd=ROOT, env=environment))
    targets = {target["name"]: target for target in package["targets"] if target["type"] not in ("system", "plugin")}
    imports, exports = {}, {}
    for name, target in targets.items():
        imports[name], exports[name.replace("-", "_")] = imports_of(target)
    # A system library has a module of its name.
    known = {target["name"].replace("-", "_"): target["name"] for target in package["targets"]}
    failures = []

    def require(subject, shown, named, remedy):
        missing = sorted(known[module] for module in shown if module in known and known[module] not in named)
        if missing:
            failures.append(f"Package.swift: {subject} without naming {', '.join(missing)}: {remedy}")

    for name, target in targets.items():
        named = {(kind.get("byName") or kind.get("target") or [None])[0] for kind in target["dependencies"]} | {name}
        require(f"the target {name} imports, directly or through another module,",
                closed(imports[name], exports), named, "add them to its dependencies.")
    for product in package["products"]:
        if "library" in product["type"]:
            shown = closed(product["targets"], exports)
            require(f"the product {product['name']} re-exports", shown, product["targets"], "add them to its targets.")
    if failures:
        print("\n".join(failures), file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
