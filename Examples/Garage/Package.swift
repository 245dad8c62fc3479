// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Garage",
    defaultLocalization: "en",
    dependencies: [
        .package(name: "OpenCoreData", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "Garage",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            // Classes as Xcode wrote them, with `@objc` and `#keyPath`, which only Apple's compiler takes: the plugin
            // compiles them.
            exclude: ["Model"],
            resources: [.process("Resources")],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .testTarget(name: "GarageTests", dependencies: ["Garage"]),
    ],
    swiftLanguageModes: [.v6]
)
