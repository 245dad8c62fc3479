// swift-tools-version: 6.2
import PackageDescription

// The model layer compiles on both sides. On Apple's platforms it has no dependency, and Xcode compiles the model.
#if os(Linux)
    let coreData: [Target.Dependency] = [
        .product(name: "CoreData", package: "OpenCoreData"), .product(name: "CoreDataSync", package: "OpenCoreData"),
    ]
    let plugins: [Target.PluginUsage] = [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]
    // Classes from Xcode with `@objc` and `#keyPath`: the plugin compiles copies of them.
    let excluded = ["Entities"]
#else
    let coreData: [Target.Dependency] = []
    let plugins: [Target.PluginUsage] = []
    let excluded: [String] = []
#endif

let package = Package(
    name: "TeamNotes",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "NotesModel", targets: ["NotesModel"])],
    targets: [
        .target(
            name: "NotesModel", dependencies: coreData, exclude: excluded,
            swiftSettings: [.swiftLanguageMode(.v5)], plugins: plugins),
        .testTarget(name: "NotesModelTests", dependencies: ["NotesModel"]),
    ]
)

// The notes in a terminal, a server, and what they need.
#if os(Linux)
    package.dependencies = [
        // The traits by name, as in Scripts/test-server.sh: `.defaults` is a flag of the compiler. Another flag would
        // compile the library a second time in a folder that packages share.
        .package(name: "OpenCoreData", path: "../..", traits: ["SystemSQLite", "Server"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ]
    package.targets += [
        .executableTarget(
            name: "notes",
            dependencies: ["NotesModel", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .target(
            name: "NotesServer",
            dependencies: [
                "NotesModel",
                .product(name: "CoreDataServer", package: "OpenCoreData"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(name: "notes-server", dependencies: ["NotesServer"]),
        .testTarget(name: "NotesServerTests", dependencies: ["NotesServer"]),
    ]
#endif
