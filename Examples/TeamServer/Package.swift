// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TeamServer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "OpenCoreData", path: "../..", traits: [.defaults, "Server"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    ],
    targets: [
        .target(
            name: "TeamServer",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
                .product(name: "CoreDataServer", package: "OpenCoreData"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .executableTarget(name: "team-server", dependencies: ["TeamServer"]),
        .testTarget(
            name: "TeamServerTests",
            dependencies: ["TeamServer", .product(name: "HummingbirdTesting", package: "hummingbird")]),
    ]
)
