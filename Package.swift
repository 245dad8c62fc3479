// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

// The package manager compiles a target again when a module has changed that the target names, not when one has changed
// that it sees through another module. So targets and products name all modules that an import shows them: those that a
// module re-exports too. Scripts/check-manifest.py checks it.
let model = ["CoreDataModel", "CoreDataPredicates"]
let stores = ["CoreDataStores"] + model
let framework = ["OpenCoreData"] + stores
let coreData = ["CoreData"] + framework
let swiftData = ["SwiftData", "CoreDataPredicates"]
let classes = ["CoreDataClasses", "SwiftDeclarations"] + model
let postgreSQL = ["CoreDataPostgreSQL"] + framework
let cloudKit = ["CoreDataCloudKit", "CoreDataSync", "CoreDataSyncWire"]
let sync = ["CoreDataSync", "CoreDataSyncModel", "CoreDataSyncServer", "CoreDataSyncWire"]
let testing = ["TestExpectations", "CoreDataTestSupport", "TestSupport"]

let sqlite: [Target.Dependency] = [
    .target(name: "CSQLite", condition: .when(traits: ["SystemSQLite"])),
    .product(
        name: "SwiftToolchainCSQLite", package: "swift-toolchain-sqlite", condition: .when(traits: ["BundledSQLite"])),
]

/// The targets of the lists, each once.
func targets(_ lists: [String]..., and others: Target.Dependency...) -> [Target.Dependency] {
    var names: Set<String> = []
    return lists.joined().filter { names.insert($0).inserted }.map { .target(name: $0) } + others
}

let package = Package(
    name: "OpenCoreData",
    // The module `Synchronization` needs these versions. The continuous integration builds and tests on Linux; on
    // Apple's platforms the package has not been built.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "CoreData", targets: coreData),
        .library(name: "SwiftData", targets: ["SwiftData"] + framework),
        .library(name: "CoreDataPostgreSQL", targets: postgreSQL),
        .library(name: "CoreDataServer", targets: ["CoreDataServer"] + framework),
        .library(name: "CoreDataSync", targets: ["CoreDataSync", "CoreDataSyncWire"]),
        .library(name: "CoreDataCloudKit", targets: cloudKit + coreData),
        .library(name: "CoreDataSyncServer", targets: ["CoreDataSyncServer", "CoreDataSyncWire"]),
        .executable(name: "coredata", targets: ["CoreDataCommand"]),
        .executable(name: "momc", targets: ["momc"]),
        .plugin(name: "CoreDataModelPlugin", targets: ["CoreDataModelPlugin"]),
    ],
    traits: [
        .default(enabledTraits: ["SystemSQLite"]),
        .trait(name: "SystemSQLite", description: "Links the SQLite of the system."),
        .trait(name: "SQLCipher", description: "Links SQLCipher in its place, for encrypted SQLite stores."),
        .trait(
            name: "BundledSQLite",
            description:
                "Compiles SQLite from a package in its place, for systems on which no library can be installed."
        ),
        .trait(
            name: "Server",
            description: "Gives CoreDataServer a service, metrics and spans, by the packages of the Swift server group."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        // The sockets of `coredata store browse`. Packages that use only the library resolve it and never build it.
        .package(url: "https://github.com/swhitty/FlyingFox.git", .upToNextMinor(from: "0.27.0")),
        // Without the trait BundledSQLite the package manager doesn't fetch it.
        .package(url: "https://github.com/swiftlang/swift-toolchain-sqlite", from: "1.0.7"),
        // Without the trait Server the package manager fetches none of these.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        // Without `pkgConfig`, so that SwiftPM asks users to install SQLCipher only with the trait.
        .systemLibrary(name: "CSQLCipher", providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
        .systemLibrary(name: "CSQLiteShims"),
        .target(
            name: "SQLiteLibrary",
            dependencies: sqlite + [
                "CSQLiteShims", .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
            ]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CSwiftRuntime"),
        // Without `pkgConfig`, so that SwiftPM asks only users of the PostgreSQL store to install libpq.
        .systemLibrary(name: "CLibPQ", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "CoreDataPredicates"),
        .target(name: "Digests"),
        .target(name: "CoreDataModel", dependencies: ["CoreDataPredicates", "Digests"]),
        .target(name: "CoreDataModelEditing", dependencies: targets(model)),
        .target(
            name: "CoreDataStores",
            dependencies: targets(
                model, ["SQLiteLibrary", "CSQLiteShims", "CZlib", "CSwiftRuntime"],
                and: .product(name: "Logging", package: "swift-log")
            )
        ),
        .target(name: "OpenCoreData", dependencies: targets(stores, ["CSwiftRuntime", "Digests"])),
        // Scripts/docs.sh reads the catalog.
        .target(name: "CoreData", dependencies: targets(framework), exclude: ["CoreData.docc"]),
        .target(name: "SwiftData", dependencies: targets(framework, ["CSwiftRuntime", "SwiftDataMacros"])),
        .target(name: "CoreDataPostgreSQL", dependencies: targets(framework, ["CLibPQ"])),
        .target(
            name: "CoreDataServer",
            dependencies: targets(
                framework,
                and: .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Server"])),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Server"])))),
        .target(name: "CoreDataSyncWire"),
        .target(name: "CoreDataSyncModel", dependencies: targets(coreData, ["CoreDataSyncWire", "Digests"])),
        .target(name: "CoreDataSync", dependencies: targets(coreData, ["CoreDataSyncModel", "CoreDataSyncWire"])),
        // Servers of one's own in place of CloudKit, by Apple's names.
        .target(name: "CoreDataCloudKit", dependencies: targets(coreData, sync.dropLast(2) + ["CoreDataSyncWire"])),
        .target(
            name: "CoreDataSyncServer",
            dependencies: targets(coreData, ["CoreDataSyncModel", "CoreDataSyncWire", "Digests"])),
        // Runs replicas and a server through random histories with faults: see Documentation/Architecture/Sync.md.
        .executableTarget(
            name: "sync-simulator",
            dependencies: targets(
                coreData, postgreSQL, sync, ["TestSupport"],
                and: .product(name: "ArgumentParser", package: "swift-argument-parser")),
            path: "Tests/SyncSimulation"),
        .target(name: "SwiftDeclarations"),
        .target(name: "CoreDataClasses", dependencies: targets(model, ["SwiftDeclarations"])),
        // Without swift-syntax, which takes minutes to build: the plugin speaks the compiler's protocol itself.
        .target(name: "SwiftDataExpansion", dependencies: ["SwiftDeclarations"]),
        .macro(name: "SwiftDataMacros", dependencies: ["SwiftDataExpansion"]),
        // Every user of the plugin builds it in every clean build: no dependency outside this package.
        .executableTarget(name: "momc", dependencies: targets(classes)),
        .plugin(name: "CoreDataModelPlugin", capability: .buildTool(), dependencies: ["momc"]),
        // The product is called `coredata`; the target is not, since `CoreData` and `coredata` are one
        // folder on a disk that ignores case.
        .executableTarget(
            name: "CoreDataCommand",
            dependencies: targets(
                postgreSQL, classes, ["CoreDataModelEditing", "CoreDataSync", "CoreDataSyncModel"],
                and: .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FlyingSocks", package: "FlyingFox"))),
        .executableTarget(
            name: "stories", dependencies: targets(coreData), path: "Examples/Stories", resources: [.copy("Models")]),
        // Two processes share a store on a server: see Scripts/test-postgresql.sh.
        .executableTarget(
            name: "shared-store", dependencies: targets(coreData, postgreSQL), path: "Examples/SharedStore"),
        // Two processes and one store of SwiftData. A test runs it.
        .executableTarget(name: "follow-models", dependencies: targets(swiftData), path: "Examples/SwiftDataFollower"),
        // The example in README.md, so that it is compiled and run.
        .executableTarget(name: "readme", dependencies: targets(coreData), path: "Examples/Readme"),
        // Damages files of every kind and reads them: see Scripts/fuzz.sh. The tests take a slice of its mutants.
        .executableTarget(
            name: "fuzz", dependencies: targets(coreData, classes, ["TestSupport"]),
            path: "Fuzz"),
        // Kills processes that write stores, fills disks and withdraws files: see Scripts/test-faults.sh.
        .executableTarget(
            name: "faults", dependencies: targets(framework, swiftData, ["FailingCalls", "TestSupport"]),
            path: "Faults", exclude: ["FailingCalls"]),
        // Calls of the operating system, and allocations of SQLite, that fail on demand.
        .target(name: "FailingCalls", dependencies: sqlite, path: "Faults/FailingCalls"),
        // Lets the program's own code act in the middle of the library's: see Scripts/test-callbacks.sh.
        .executableTarget(name: "callbacks", dependencies: targets(framework, ["TestSupport"]), path: "Callbacks"),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(name: "TestExpectations", path: "Tests/TestExpectations"),
        // The stores of the examples, over which the suites run, too.
        .target(name: "OwnStores", dependencies: targets(coreData), path: "Examples/OwnStores/Sources/OwnStores"),
        .target(
            name: "SwiftDataStores", dependencies: targets(swiftData),
            path: "Examples/OwnStores/Sources/SwiftDataStores"),
        .target(
            name: "CoreDataTestSupport",
            dependencies: targets(coreData, postgreSQL, ["SQLiteLibrary", "OwnStores", "TestSupport"]),
            path: "Tests/CoreDataTestSupport"),
        // A server and devices in one process.
        .target(
            name: "SyncTestSupport",
            dependencies: targets(
                coreData, ["CoreDataSync", "CoreDataSyncServer", "CoreDataSyncWire", "TestSupport"]),
            path: "Tests/SyncTestSupport"),
        .testTarget(
            name: "CoreDataPredicatesTests", dependencies: ["TestExpectations", "CoreDataPredicates", "TestSupport"]),
        .testTarget(
            name: "CoreDataModelTests",
            dependencies: targets(stores, ["TestExpectations", "fuzz", "Digests", "TestSupport"])),
        .testTarget(
            name: "CoreDataModelEditingTests",
            dependencies: targets(["TestExpectations", "CoreDataModelEditing"], model, ["TestSupport"])),
        .testTarget(name: "SwiftDeclarationsTests", dependencies: ["TestExpectations", "SwiftDeclarations"]),
        .testTarget(
            name: "SwiftDataExpansionTests", dependencies: ["TestExpectations", "SwiftDataExpansion", "TestSupport"],
            exclude: ["Messages/Recorded"]),
        .testTarget(
            name: "CoreDataClassesTests", dependencies: targets(classes, ["TestExpectations", "TestSupport"])),
        .testTarget(
            name: "ModelCompilerTests", dependencies: targets(model, ["TestExpectations", "momc", "TestSupport"])),
        .testTarget(
            name: "OpenCoreDataTests",
            dependencies: targets(framework, ["TestExpectations", "TestSupport"])),
        .testTarget(name: "CoreDataTests", dependencies: targets(coreData, testing)),
        // Whole tables of cases, random models, altered files: make test leaves them to make check.
        .testTarget(
            name: "CoreDataExhaustiveTests", dependencies: targets(coreData, testing)),
        .testTarget(
            name: "CoreDataContextTests", dependencies: targets(coreData, testing)),
        .testTarget(name: "CoreDataFetchTests", dependencies: targets(coreData, testing)),
        .testTarget(
            name: "SwiftDataTests",
            dependencies: targets(swiftData, coreData, classes, testing, ["SwiftDataStores", "follow-models"])),
        // The tests of the service, the metrics and the spans need the trait Server: see Scripts/test-server.sh.
        .testTarget(
            name: "CoreDataServerTests",
            dependencies: targets(
                ["CoreDataServer"], coreData, testing,
                and: .product(
                    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Server"])))),
        .testTarget(
            name: "CoreDataSyncTests",
            dependencies: targets(
                coreData, sync, swiftData, ["CoreDataCloudKit", "sync-simulator", "TestExpectations", "TestSupport"])),
        .testTarget(
            name: "ExampleTests", dependencies: ["TestExpectations", "TestSupport", "readme", "stories"]),
        // Models as apps for Apple's platforms write them.
        .testTarget(
            name: "SwiftDataAppsTests",
            dependencies: targets(swiftData, coreData, sync, ["TestExpectations", "TestSupport"])),
        .testTarget(
            name: "CoreDataCommandTests",
            dependencies: targets(
                coreData, ["CoreDataModelEditing", "CoreDataCommand", "CoreDataServer", "SyncTestSupport"], testing)),
        // The pages of `coredata store browse` and `coredata model edit`.
        .testTarget(
            name: "CoreDataBrowserTests",
            dependencies: targets(
                coreData, ["CoreDataModelEditing", "CoreDataCommand", "SyncTestSupport"], testing)),
        .testTarget(
            name: "CoreDataPostgreSQLTests",
            dependencies: targets(postgreSQL, coreData, swiftData, ["CoreDataCommand"], testing)),
    ],
    swiftLanguageModes: [.v6]
)

// Blocks of contexts are sendable. These targets capture objects in them, as programs in Swift 5 mode do.
let withSwift5 = [
    "CoreDataTests", "CoreDataExhaustiveTests", "CoreDataContextTests", "CoreDataFetchTests", "OpenCoreDataTests",
    "CoreDataCommandTests", "CoreDataBrowserTests", "CoreDataPostgreSQLTests", "CoreDataTestSupport", "callbacks",
    "faults",
]
for target in package.targets where withSwift5.contains(target.name) {
    target.swiftSettings = [.swiftLanguageMode(.v5), .enableUpcomingFeature("BareSlashRegexLiterals")]
}

// Each test target is compiled in one piece, since every compiler process of a target expands the macros of all its
// tests. The library is compiled in parts, so that all cores work on it. No product has a test target: packages that
// depend on this one see no unsafe flag.
for target in package.targets where target.type == .test {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .unsafeFlags(["-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo"])
        ]
}

// A part of the tests, for a quick build: COREDATA_SUITES="CoreDataModelTests CoreDataTests/Exports.swift
// CoreDataTests/Stores" names targets, folders or files below Tests. Targets that no named suite needs are left out.
if let suites = Context.environment["COREDATA_SUITES"] {
    var folders: [String: [String]] = [:]
    for suite in suites.split(whereSeparator: \.isWhitespace) {
        let path = suite.split(separator: "/", maxSplits: 1).map(String.init)
        folders[path[0], default: []] += path.dropFirst()
    }
    var needed: Set<String> = []
    func need(_ name: String) {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            return
        }
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): need(name)
            default: break
            }
        }
    }
    for (name, sources) in folders {
        need(name)
        package.targets.first { $0.name == name }?.sources = sources.isEmpty ? nil : sources
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        let targets =
            switch product {
            case let program as Product.Executable: program.targets
            case let library as Product.Library: library.targets
            // The plugin: no suite needs it.
            default: [""]
            }
        return !targets.allSatisfy(needed.contains)
    }
}
