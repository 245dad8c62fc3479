// swift-tools-version: 6.2
import PackageDescription

// The server of an app's model. A package of its own: the library gains no dependency by it.
let package = Package(
    name: "Server",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "coredata-serve", targets: ["coredata-serve"])],
    dependencies: [
        // The traits by name, as in Scripts/test-server.sh: `.defaults` is a flag of the compiler. Another flag would
        // compile the library a second time in a folder that packages share.
        .package(name: "OpenCoreData", path: "..", traits: ["SystemSQLite", "Server"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", "4.1.0"..<"6.0.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.0"),
    ],
    targets: [
        .target(
            name: "ServeCommand",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
                .product(name: "CoreDataServer", package: "OpenCoreData"),
                .product(name: "CoreDataSyncServer", package: "OpenCoreData"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(name: "coredata-serve", dependencies: ["ServeCommand"]),
        .testTarget(
            name: "ServeCommandTests",
            dependencies: [
                "ServeCommand", .product(name: "CoreDataSync", package: "OpenCoreData"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
    ]
)
