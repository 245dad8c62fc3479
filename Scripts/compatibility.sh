#!/bin/sh
# Builds and runs Examples/Compatibility and Examples/MainActorApp with the modules of the built package: the compiler gets
# what the plugin and the package manager would give it. `swift run` in an example's folder does the same from nothing, in
# minutes. Argument: the folder of the built package.
set -eu
cd "$(dirname "$0")/.."

binaries=$(cd "$1" && pwd -P)
root=$(pwd -P)
# What a program that uses the library links.
mkdir -p .build/compatibility
grep -v '/follow_models\.build/' "$binaries/follow-models.product/Objects.LinkFileList" >.build/compatibility/objects

# Generates the code of a module as the plugin does. Arguments: the module, its folder, the folder of the sources of which
# copies are compiled, and its model; it may have none.
prepare() {
    module=$1
    sources=$2
    work=$root/.build/compatibility/$module
    rm -rf "$work"
    mkdir -p "$work/generated"
    python3 - "$module" "$sources" "$sources/$3" "$work/generated" "${4:-}" >"$work/request.json" <<'PYTHON'
import json, pathlib, sys

module, model = sys.argv[1], sys.argv[5]
sources, copied, generated = map(pathlib.Path, sys.argv[2:5])
json.dump({
    "module": module,
    "folder": str(sources),
    "sources": [str(file) for file in sorted(sources.glob("*.swift"))],
    "excluded": [{"source": str(file), "generated": str(generated / f"Managed-{file.name}")}
                 for file in sorted(copied.rglob("*.swift"))],
    "models": [{"source": str(sources / f"{model}.xcdatamodeld"),
                "generated": str(generated / f"{model}+CoreDataModel.swift")}] if model else [],
    "dependencies": [],
    "compiledModels": [f"{model}.momd"] if model else [],
    "bundle": f"{module}_{module}.resources",
    "accessors": str(generated / f"{module}+ManagedAccessors.swift"),
    "registration": str(generated / f"{module}+ManagedClasses.swift"),
    "names": str(generated / f"{module}+CoreDataNames.swift"),
}, sys.stdout, indent=2)
PYTHON
    "$binaries/momc" --prepare-target "$work/request.json"
}

# Compiles the prepared module. Arguments: the arguments of the compiler.
compile() {
    Scripts/with-modules.sh "$binaries" swiftc -module-name "$module" -warnings-as-errors \
        -load-plugin-executable "$binaries/SwiftDataMacros-tool#SwiftDataMacros" "$@" \
        "$sources/"*.swift "$work/generated/"*.swift
}

program() { compile "$@" @.build/compatibility/objects -lsqlite3 -lz -o "$work/$module"; }

sources=$root/Examples/Compatibility/Sources/Bookshelf
prepare Bookshelf "$sources" App Bookshelf
resources=$work/Bookshelf_Bookshelf.resources
mkdir "$resources"
"$binaries/momc" --module Bookshelf "$sources/Bookshelf.xcdatamodeld" "$resources/Bookshelf.momd"
cat >"$work/generated/resource_bundle_accessor.swift" <<'SWIFT'
import Foundation

extension Foundation.Bundle {
    static let module = Bundle(
        path: Bundle.main.bundleURL.appendingPathComponent("Bookshelf_Bookshelf.resources").path)!
}
SWIFT
program -swift-version 5 -no-warnings-as-errors
"$work/Bookshelf"
# A module whose default isolation is the main actor; the app itself isn't written for it.
compile -typecheck -swift-version 5 -no-warnings-as-errors -default-isolation MainActor

prepare MainActorApp "$root/Examples/MainActorApp/Sources/MainActorApp" Classes
compile -typecheck -swift-version 5 -default-isolation MainActor
program -swift-version 6 -default-isolation MainActor \
    -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances
"$work/MainActorApp"
