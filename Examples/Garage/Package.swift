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
            // Classes from Xcode with `@objc` and `#keyPath`, which the compiler accepts on Apple's platforms only. The
            // plugin compiles copies of them.
            exclude: ["Model"],
            resources: [.process("Resources")],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .testTarget(name: "GarageTests", dependencies: ["Garage"]),
    ],
    swiftLanguageModes: [.v6]
)
