#!/bin/sh
# Times debug builds of programs with SwiftData beside the same with CoreData: the library from nothing for a program that
# imports CoreData, what a program that imports SwiftData builds beyond that, and an app of ten models with each of them.
# Prints processor seconds, which other work on the machine disturbs less than elapsed ones. Part of `make bench-build`.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
app=$scratch/Builds
mkdir -p "$app/Sources/PlainCoreData" "$app/Sources/PlainSwiftData" "$app/Sources/TenCoreData" "$app/Sources/TenSwiftData"

cat >"$app/Package.swift" <<END
// swift-tools-version: 6.1
import PackageDescription

let coreData = Target.Dependency.product(name: "CoreData", package: "OpenCoreData")
let swiftData = Target.Dependency.product(name: "SwiftData", package: "OpenCoreData")
let package = Package(
    name: "Builds",
    dependencies: [.package(name: "OpenCoreData", path: "$PWD")],
    targets: [
        .executableTarget(name: "PlainCoreData", dependencies: [coreData]),
        .executableTarget(name: "PlainSwiftData", dependencies: [swiftData]),
        .executableTarget(
            name: "TenCoreData", dependencies: [coreData],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .executableTarget(name: "TenSwiftData", dependencies: [swiftData]),
    ],
    swiftLanguageModes: [.v6]
)
END
echo 'import CoreData

print(NSManagedObjectModel().entities.count)' >"$app/Sources/PlainCoreData/main.swift"
echo 'import SwiftData

print(Schema().entities.count)' >"$app/Sources/PlainSwiftData/main.swift"

# Ten models of eight attributes; each leads to the next one.
model=$app/Sources/TenCoreData/Ten.coredata
for number in 0 1 2 3 4 5 6 7 8 9; do
    next=$(((number + 1) % 10))
    cat >>"$model" <<END
entity Model$number as .Model$number, generate: class {
    attribute title: string, required, default: ""
    attribute details: string
    attribute amount: integer64, required, default: 0
    attribute price: double, required, default: 0
    attribute created: date
    attribute identifier: uuid
    attribute image: binary
    attribute isHidden: boolean, required, default: false
    to-many members: Model$next, inverse: owner, delete: nullify
    to-one owner: Model$(((number + 9) % 10)), inverse: members, delete: nullify
}

END
    cat >"$app/Sources/TenCoreData/Use$number.swift" <<END
import CoreData

extension Model$number {
    func total() -> Int64 {
        let members = members as? Set<Model$next> ?? []
        return members.reduce(amount) { \$0 + \$1.amount }
    }

    static func hidden(_ context: NSManagedObjectContext) throws -> [Model$number] {
        let request = NSFetchRequest<Model$number>(entityName: "Model$number")
        request.predicate = NSPredicate(format: "isHidden == YES AND amount > %d", 10)
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try context.fetch(request)
    }
}
END
    cat >"$app/Sources/TenSwiftData/Model$number.swift" <<END
import SwiftData

@Model final class Model$number {
    var title = ""
    var details: String?
    var amount = 0
    var price = 0.0
    var created: Date?
    var identifier: UUID?
    var image: Data?
    var isHidden = false
    @Relationship(deleteRule: .nullify, inverse: \\Model$next.owner) var members: [Model$next] = []
    var owner: Model$(((number + 9) % 10))?

    init(title: String) { self.title = title }

    func total() -> Int { members.reduce(amount) { \$0 + \$1.amount } }

    static func hidden(_ context: ModelContext) throws -> [Model$number] {
        let hidden = #Predicate<Model$number> { \$0.isHidden && \$0.amount > 10 }
        return try context.fetch(FetchDescriptor(predicate: hidden, sortBy: [SortDescriptor(\\.title)]))
    }
}
END
done
echo 'import CoreData

let model = NSManagedObjectModel.mergedModel(from: [Bundle.module])
print(model?.entities.count ?? 0)' >"$app/Sources/TenCoreData/main.swift"
echo 'import SwiftData

print(Schema([Model0.self]).entities.count)' >"$app/Sources/TenSwiftData/main.swift"

# Builds a product and prints its processor seconds under a title.
timed() {
    if ! bash -c 'TIMEFORMAT="%R %U %S"; time "$@" >"$0" 2>&1' "$scratch/log" swift build --package-path "$app" \
        --product "$2" 2>"$scratch/time"; then
        cat "$scratch/log" >&2
        exit 1
    fi
    tail -n 1 "$scratch/time" |
        awk -v title="$1" '{ printf "%-72s %8.2f s elapsed %8.2f s on processors\n", title, $1, $2 + $3 }'
}

# Fetches the dependencies, which isn't measured.
swift package --package-path "$app" resolve >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
echo "Debug builds, each after the one before it (several minutes)"
timed "import CoreData, from nothing" PlainCoreData
timed "import SwiftData, beyond that (target: 15 s on processors)" PlainSwiftData
timed "an app of ten models with SwiftData, beyond that" TenSwiftData
timed "momc and an app of ten models with CoreData, beyond that" TenCoreData
for app_name in TenSwiftData TenCoreData; do
    rm -rf "$app/.build/debug/$app_name.build"
    timed "$app_name alone" "$app_name"
done
