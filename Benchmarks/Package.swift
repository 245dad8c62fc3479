// swift-tools-version: 6.1
// A separate package, so that users of OpenCoreData never fetch or build the libraries that it is compared with.
//
// No benchmark package that is maintained runs its benchmarks in turn, round by round, or knows ratios between them:
// ordo-one/benchmark runs each to its end before the next one. So the rounds and the reports are our own.
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "OpenCoreData", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.0.0"),
    ],
    targets: [
        .systemLibrary(name: "SystemSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "Counters", dependencies: ["SystemSQLite"]),
        .target(name: "OneStatement", dependencies: ["SystemSQLite"]),
        .target(name: "PostgreSQLClient", linkerSettings: [.linkedLibrary("pq")]),
        .executableTarget(name: "start-raw", dependencies: ["SystemSQLite"]),
        .executableTarget(
            name: "start-coredata", dependencies: [.product(name: "CoreData", package: "OpenCoreData")]),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Counters",
                "OneStatement",
                "PostgreSQLClient",
                "SystemSQLite",
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
                .product(name: "SwiftData", package: "OpenCoreData"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            resources: [.copy("sqlalchemy_arms.py")],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
    ],
    swiftLanguageModes: [.v6]
)
