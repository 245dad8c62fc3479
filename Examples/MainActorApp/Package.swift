// swift-tools-version: 6.2
import PackageDescription

// A module whose default isolation is the main actor, as in new projects of Xcode 26. Its sources are as for Apple's
// platforms; the plugin compiles copies of those in Classes/.
let package = Package(
    name: "MainActorApp",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "MainActorApp",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "SwiftData", package: "OpenCoreData"),
            ],
            exclude: ["Classes"],
            swiftSettings: [
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")])
    ]
)
