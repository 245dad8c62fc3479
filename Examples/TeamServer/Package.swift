// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TeamServer",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The traits by name, as in Scripts/test-server.sh: `.defaults` is a flag of the compiler. Another flag would
        // compile the library a second time in a folder that packages share.
        .package(name: "OpenCoreData", path: "../..", traits: ["SystemSQLite", "Server"]),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "TeamServer",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
                .product(name: "CoreDataServer", package: "OpenCoreData"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(name: "team-server", dependencies: ["TeamServer"]),
        // Without HummingbirdTesting, which would build BoringSSL: the tests write requests to sockets.
        .testTarget(name: "TeamServerTests", dependencies: ["TeamServer"]),
    ]
)
