#!/bin/sh
# Type-checks the examples in the doc comments of the library. Argument: the folder of the built package.
set -eu
cd "$(dirname "$0")/.."

folder=$1
mkdir -p .build/examples
{
    echo 'import CoreData'
    find Sources/CoreDataPredicates Sources/CoreDataModel Sources/CoreDataStores Sources/OpenCoreData -name '*.swift' | LC_ALL=C sort |
        xargs awk -f Scripts/extract-examples.awk
} >.build/examples/examples.swift

Scripts/with-modules.sh "$folder" swiftc -typecheck -parse-as-library -suppress-warnings -swift-version 6 \
    Scripts/examples-preamble.swift .build/examples/examples.swift
