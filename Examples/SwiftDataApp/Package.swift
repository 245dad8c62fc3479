// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "SwiftDataAppExample",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "GardenData", targets: ["GardenData"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .target(name: "GardenData", dependencies: [.product(name: "SwiftData", package: "OpenCoreData")]),
        .testTarget(name: "GardenDataTests", dependencies: ["GardenData"]),
    ]
)
