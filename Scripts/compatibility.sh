#!/bin/sh
# Builds and runs Examples/Compatibility with the modules of the built package: the compiler gets what the plugin and the
# package manager would give it. `swift run` in the example's folder does the same from nothing, in minutes.
# Argument: the folder of the built package.
set -eu
cd "$(dirname "$0")/.."

binaries=$1
sources=$(pwd -P)/Examples/Compatibility/Sources/Bookshelf
mkdir -p .build/compatibility
work=$(cd .build/compatibility && pwd -P)
rm -rf "${work:?}"/*
mkdir "$work/generated" "$work/Bookshelf_Bookshelf.resources"

"$binaries/momc" --module Bookshelf "$sources/Bookshelf.xcdatamodeld" "$work/Bookshelf_Bookshelf.resources/Bookshelf.momd"
python3 - "$sources" "$work/generated" >"$work/request.json" <<'PYTHON'
import json, pathlib, sys

sources, generated = map(pathlib.Path, sys.argv[1:])
excluded = sorted((sources / "App").rglob("*.swift"))
json.dump({
    "module": "Bookshelf",
    "folder": str(sources),
    "sources": [str(sources / "main.swift")],
    "excluded": [{"source": str(file), "generated": str(generated / f"Managed-{file.name}")} for file in excluded],
    "models": [{"source": str(sources / "Bookshelf.xcdatamodeld"),
                "generated": str(generated / "Bookshelf+CoreDataModel.swift")}],
    "dependencies": [],
    "compiledModels": ["Bookshelf.momd"],
    "bundle": "Bookshelf_Bookshelf.resources",
    "accessors": str(generated / "Bookshelf+ManagedAccessors.swift"),
    "registration": str(generated / "Bookshelf+ManagedClasses.swift"),
    "names": str(generated / "Bookshelf+CoreDataNames.swift"),
}, sys.stdout, indent=2)
PYTHON
"$binaries/momc" --prepare-target "$work/request.json"
cat >"$work/generated/resource_bundle_accessor.swift" <<'SWIFT'
import Foundation

extension Foundation.Bundle {
    static let module = Bundle(
        path: Bundle.main.bundleURL.appendingPathComponent("Bookshelf_Bookshelf.resources").path)!
}
SWIFT
# What a program that uses the library links.
grep -v '/entities_first\.build/' "$binaries/entities-first.product/Objects.LinkFileList" >"$work/objects"
Scripts/with-modules.sh "$binaries" swiftc -swift-version 5 -module-name Bookshelf \
    "$sources/main.swift" "$work/generated/"*.swift @"$work/objects" -lsqlite3 -lz -o "$work/Bookshelf"
"$work/Bookshelf"
