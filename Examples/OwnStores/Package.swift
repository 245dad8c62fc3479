// swift-tools-version: 6.1
import PackageDescription

// Stores of your own. Core Data's are subclasses of NSAtomicStore and NSIncrementalStore, SwiftData's types conform to
// DataStore.
let package = Package(
    name: "OwnStoresExample",
    platforms: [.macOS(.v15)],
    products: [.library(name: "SwiftDataStores", targets: ["SwiftDataStores"])],
    dependencies: [
        .package(name: "OpenCoreData", path: "../.."),
        .package(url: "https://github.com/swhitty/FlyingFox.git", .upToNextMinor(from: "0.27.0")),
    ],
    targets: [
        .target(name: "OwnStores", dependencies: [.product(name: "CoreData", package: "OpenCoreData")]),
        .target(name: "SwiftDataStores", dependencies: [.product(name: "SwiftData", package: "OpenCoreData")]),
        .executableTarget(name: "JSONFile", dependencies: ["OwnStores"]),
        .executableTarget(
            name: "RestStore",
            dependencies: [
                "OwnStores",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ]),
    ]
)
