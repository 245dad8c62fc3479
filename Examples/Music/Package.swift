// swift-tools-version: 6.1
// The library of the listings: the guide "The library of the listings" shows it.
import PackageDescription

let package = Package(
    name: "MusicLibrary",
    platforms: [.macOS(.v15)],
    products: [.library(name: "MusicLibrary", targets: ["MusicLibrary"])],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .target(
            name: "MusicLibrary", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: ".",
            exclude: ["Music.coredata", "Package.swift"])
    ],
    swiftLanguageModes: [.v6]
)
