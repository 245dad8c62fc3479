// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "OpenCoreData",
    products: [
        .library(name: "CoreData", targets: ["CoreData"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(name: "CoreDataPredicates"),
        .target(name: "CoreDataModel", dependencies: ["CoreDataPredicates"]),
        .target(
            name: "OpenCoreData",
            dependencies: [
                "CoreDataPredicates", "CoreDataModel", "CSQLite", "CZlib",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "CoreData", dependencies: ["OpenCoreData"]),
        .testTarget(name: "CoreDataPredicatesTests", dependencies: ["CoreDataPredicates"]),
        .testTarget(name: "CoreDataModelTests", dependencies: ["CoreDataModel"]),
        .testTarget(name: "OpenCoreDataTests", dependencies: ["OpenCoreData"]),
        .testTarget(name: "CoreDataTests", dependencies: ["CoreData"]),
    ],
    swiftLanguageModes: [.v6]
)
