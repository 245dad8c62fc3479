// swift-tools-version: 6.2
// The suites of behaviour against Apple's Core Data: see Scripts/test-against-apple.sh. The script puts this manifest
// into a new folder, beside links to the sources. It has never been built: that needs a Mac.
import PackageDescription

let package = Package(
    name: "OpenCoreDataAgainstApple",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(name: "TestExpectations", path: "Tests/TestExpectations"),
        .target(
            name: "OwnStores", path: "Tests/OwnStores", linkerSettings: [.linkedFramework("CoreData")]),
        .target(
            name: "CoreDataTestSupport", dependencies: ["OwnStores", "TestSupport"], path: "Tests/CoreDataTestSupport",
            linkerSettings: [.linkedFramework("CoreData"), .linkedLibrary("sqlite3")]),
        .testTarget(name: "CoreDataTests", dependencies: ["CoreDataTestSupport", "TestExpectations", "TestSupport"]),
        .testTarget(
            name: "CoreDataExhaustiveTests", dependencies: ["CoreDataTestSupport", "TestExpectations", "TestSupport"]),
        .testTarget(
            name: "CoreDataContextTests", dependencies: ["CoreDataTestSupport", "TestExpectations", "TestSupport"]),
        .testTarget(
            name: "CoreDataFetchTests", dependencies: ["CoreDataTestSupport", "TestExpectations", "TestSupport"]),
    ],
    // The suites test what Core Data does. Which of Apple's types are `Sendable` depends on the SDK.
    swiftLanguageModes: [.v5]
)

for target in package.targets { target.swiftSettings = [.enableUpcomingFeature("BareSlashRegexLiterals")] }
