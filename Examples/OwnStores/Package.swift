// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "OwnStoresExample",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "OpenCoreData", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    ],
    targets: [
        .target(name: "OwnStores", dependencies: [.product(name: "CoreData", package: "OpenCoreData")]),
        .executableTarget(name: "JSONFile", dependencies: ["OwnStores"]),
        .executableTarget(
            name: "RestStore",
            dependencies: ["OwnStores", .product(name: "Hummingbird", package: "hummingbird")]),
    ]
)
