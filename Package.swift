// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

let package = Package(
    name: "OpenCoreData",
    // The module `Synchronization` needs these versions. The continuous integration builds and tests on Linux; on
    // Apple's platforms the package has not been built.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "CoreData", targets: ["CoreData"]),
        .library(name: "SwiftData", targets: ["SwiftData"]),
        .library(name: "CoreDataPostgreSQL", targets: ["CoreDataPostgreSQL"]),
        .library(name: "CoreDataServer", targets: ["CoreDataServer"]),
        .executable(name: "coredata", targets: ["CoreDataCommand"]),
        .executable(name: "momc", targets: ["momc"]),
        .plugin(name: "CoreDataModelPlugin", targets: ["CoreDataModelPlugin"]),
    ],
    traits: [
        .default(enabledTraits: ["SystemSQLite"]),
        .trait(name: "SystemSQLite", description: "Links the SQLite of the system."),
        .trait(name: "SQLCipher", description: "Links SQLCipher in its place, for encrypted SQLite stores."),
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
        .target(
            name: "SQLiteLibrary",
            dependencies: [
                .target(name: "CSQLite", condition: .when(traits: ["SystemSQLite"])),
                .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
            ]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CSwiftRuntime"),
        // Without `pkgConfig`, so that SwiftPM asks only users of the PostgreSQL store to install libpq.
        .systemLibrary(name: "CLibPQ", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "CoreDataPredicates"),
        .target(name: "Digests"),
        .target(name: "CoreDataModel", dependencies: ["CoreDataPredicates", "Digests"]),
        .target(name: "CoreDataModelEditing", dependencies: ["CoreDataModel"]),
        .target(
            name: "CoreDataStores",
            dependencies: [
                "CoreDataPredicates", "CoreDataModel", "SQLiteLibrary", "CZlib", "CSwiftRuntime",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "OpenCoreData", dependencies: ["CoreDataStores", "CSwiftRuntime", "Digests"]),
        // Scripts/docs.sh reads the catalog.
        .target(name: "CoreData", dependencies: ["OpenCoreData"], exclude: ["CoreData.docc"]),
        .target(name: "SwiftData", dependencies: ["OpenCoreData", "CSwiftRuntime", "SwiftDataMacros"]),
        .target(name: "CoreDataPostgreSQL", dependencies: ["OpenCoreData", "CLibPQ"]),
        .target(
            name: "CoreDataServer",
            dependencies: [
                "OpenCoreData",
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Server"])),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Server"])),
            ]),
        .target(name: "CoreDataSyncWire"),
        .target(name: "CoreDataSyncModel", dependencies: ["CoreData", "CoreDataSyncWire", "Digests"]),
        .target(name: "CoreDataSync", dependencies: ["CoreData", "CoreDataSyncModel", "CoreDataSyncWire"]),
        .target(
            name: "CoreDataSyncServer", dependencies: ["CoreData", "CoreDataSyncModel", "CoreDataSyncWire", "Digests"]),
        // Runs replicas and a server through random histories with faults: see Documentation/Architecture/Sync.md.
        .executableTarget(
            name: "sync-simulator",
            dependencies: [
                "CoreData", "CoreDataSync", "CoreDataSyncServer", "CoreDataSyncWire", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/SyncSimulation"),
        .target(name: "SwiftDeclarations"),
        .target(name: "CoreDataClasses", dependencies: ["CoreDataModel", "SwiftDeclarations"]),
        // Without swift-syntax, which takes minutes to build: the plugin speaks the compiler's protocol itself.
        .target(name: "SwiftDataExpansion", dependencies: ["SwiftDeclarations"]),
        .macro(name: "SwiftDataMacros", dependencies: ["SwiftDataExpansion"]),
        // Every user of the plugin builds it in every clean build: no dependency outside this package.
        .executableTarget(name: "momc", dependencies: ["CoreDataModel", "CoreDataClasses"]),
        .plugin(name: "CoreDataModelPlugin", capability: .buildTool(), dependencies: ["momc"]),
        // The product is called `coredata`; the target is not, since `CoreData` and `coredata` are one
        // folder on a disk that ignores case.
        .executableTarget(
            name: "CoreDataCommand",
            dependencies: [
                "OpenCoreData", "CoreDataModelEditing", "CoreDataClasses", "CoreDataPostgreSQL",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]),
        .executableTarget(
            name: "two-halves",
            dependencies: ["CoreData"],
            path: "Examples/TwoHalves",
            resources: [.copy("Models")]),
        .executableTarget(
            name: "model-life",
            dependencies: ["CoreData"],
            path: "Examples/ModelLife",
            resources: [.copy("Models")]),
        .executableTarget(
            name: "delivered-data",
            dependencies: ["CoreData"],
            path: "Examples/DeliveredData",
            resources: [.copy("Models")]),
        .executableTarget(
            name: "migration-by-hand", dependencies: ["CoreData"], path: "Examples/MigrationByHand",
            resources: [.copy("Models")]),
        // Two processes share a store on a server: see Scripts/test-postgresql.sh.
        .executableTarget(
            name: "shared-store", dependencies: ["CoreData", "CoreDataPostgreSQL"], path: "Examples/SharedStore"),
        // Two processes and one store of SwiftData. A test runs it.
        .executableTarget(name: "follow-models", dependencies: ["SwiftData"], path: "Examples/SwiftDataFollower"),
        .executableTarget(name: "entities-first", dependencies: ["CoreData"], path: "Examples/EntitiesFirst"),
        // The example in README.md, so that it is compiled and run.
        .executableTarget(name: "readme", dependencies: ["CoreData"], path: "Examples/Readme"),
        // Damages files of every kind and reads them: see Scripts/fuzz.sh. The tests take a slice of its mutants.
        .executableTarget(
            name: "fuzz", dependencies: ["OpenCoreData", "CoreDataModel", "CoreDataClasses", "TestSupport"],
            path: "Fuzz"),
        // Kills processes that write stores, fills disks and withdraws files: see Scripts/test-faults.sh.
        .executableTarget(
            name: "faults", dependencies: ["FailingCalls", "OpenCoreData", "SwiftData", "TestSupport"], path: "Faults",
            exclude: ["FailingCalls"]),
        // Calls of the operating system, and allocations of SQLite, that fail on demand.
        .target(name: "FailingCalls", dependencies: ["CSQLite"], path: "Faults/FailingCalls"),
        // Lets the program's own code act in the middle of the library's: see Scripts/test-callbacks.sh.
        .executableTarget(name: "callbacks", dependencies: ["OpenCoreData", "TestSupport"], path: "Callbacks"),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(name: "TestExpectations", path: "Tests/TestExpectations"),
        // The stores of the examples, over which the suites run, too.
        .target(name: "OwnStores", dependencies: ["CoreData"], path: "Examples/OwnStores/Sources/OwnStores"),
        .target(
            name: "SwiftDataStores", dependencies: ["SwiftData"],
            path: "Examples/SwiftDataStores/Sources/SwiftDataStores"),
        .target(
            name: "CoreDataTestSupport",
            dependencies: ["CoreData", "CoreDataPostgreSQL", "SQLiteLibrary", "OwnStores", "TestSupport"],
            path: "Tests/CoreDataTestSupport"),
        .testTarget(
            name: "CoreDataPredicatesTests", dependencies: ["TestExpectations", "CoreDataPredicates", "TestSupport"]),
        .testTarget(
            name: "CoreDataModelTests",
            dependencies: ["TestExpectations", "fuzz", "CoreDataModel", "Digests", "TestSupport"]),
        .testTarget(
            name: "CoreDataModelEditingTests",
            dependencies: ["TestExpectations", "CoreDataModelEditing", "TestSupport"]),
        .testTarget(name: "SwiftDeclarationsTests", dependencies: ["TestExpectations", "SwiftDeclarations"]),
        .testTarget(
            name: "SwiftDataExpansionTests", dependencies: ["TestExpectations", "SwiftDataExpansion", "TestSupport"],
            exclude: ["Messages/Recorded"]),
        .testTarget(
            name: "CoreDataClassesTests", dependencies: ["TestExpectations", "CoreDataClasses", "TestSupport"]),
        .testTarget(
            name: "ModelCompilerTests", dependencies: ["TestExpectations", "CoreDataModel", "momc", "TestSupport"]),
        .testTarget(
            name: "OpenCoreDataTests",
            dependencies: ["TestExpectations", "CoreDataStores", "OpenCoreData", "TestSupport"]),
        .testTarget(name: "CoreDataTests", dependencies: ["TestExpectations", "CoreData", "CoreDataTestSupport"]),
        // Whole tables of cases, random models, altered files: make test leaves them to make check.
        .testTarget(
            name: "CoreDataExhaustiveTests", dependencies: ["TestExpectations", "CoreData", "CoreDataTestSupport"]),
        .testTarget(
            name: "CoreDataContextTests", dependencies: ["TestExpectations", "CoreData", "CoreDataTestSupport"]),
        .testTarget(name: "CoreDataFetchTests", dependencies: ["TestExpectations", "CoreData", "CoreDataTestSupport"]),
        .testTarget(
            name: "SwiftDataTests",
            dependencies: [
                "TestExpectations", "SwiftData", "CoreData", "CoreDataClasses", "CoreDataTestSupport",
                "SwiftDataStores", "follow-models",
                "TestSupport",
            ]),
        // The tests of the service, the metrics and the spans need the trait Server: see Scripts/test-server.sh.
        .testTarget(
            name: "CoreDataServerTests",
            dependencies: [
                "TestExpectations", "CoreDataServer", "CoreData", "CoreDataTestSupport", "TestSupport",
                .product(
                    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Server"])),
            ]),
        .testTarget(
            name: "CoreDataSyncTests",
            dependencies: [
                "TestExpectations", "CoreData", "CoreDataSync", "CoreDataSyncServer", "CoreDataSyncWire",
                "sync-simulator", "TestSupport",
            ]),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "TestExpectations", "two-halves", "model-life", "entities-first", "delivered-data", "migration-by-hand",
                "readme",
                "TestSupport",
            ]),
        // Models as apps for Apple's platforms write them.
        .testTarget(
            name: "SwiftDataAppsTests", dependencies: ["TestExpectations", "SwiftData", "CoreData", "TestSupport"]),
        .testTarget(
            name: "CoreDataCommandTests",
            dependencies: [
                "TestExpectations", "CoreData", "CoreDataModelEditing", "CoreDataCommand", "CoreDataServer",
                "CoreDataTestSupport", "TestSupport",
            ]),
        // The pages of `coredata store browse` and `coredata model edit`.
        .testTarget(
            name: "CoreDataBrowserTests",
            dependencies: [
                "TestExpectations", "CoreData", "CoreDataModelEditing", "CoreDataCommand", "CoreDataTestSupport",
                "TestSupport",
            ]),
        .testTarget(
            name: "CoreDataPostgreSQLTests",
            dependencies: [
                "TestExpectations", "CoreDataPostgreSQL", "CoreData", "SwiftData", "CoreDataTestSupport",
                "CoreDataCommand", "TestSupport",
            ]),
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
