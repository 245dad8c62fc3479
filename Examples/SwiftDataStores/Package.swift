// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "SwiftDataStoresExample",
    platforms: [.macOS(.v15)],
    products: [.library(name: "SwiftDataStores", targets: ["SwiftDataStores"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .target(name: "SwiftDataStores", dependencies: [.product(name: "SwiftData", package: "OpenCoreData")])
    ]
)
