// swift-tools-version: 6.1
// The programs whose code the guides show. They are a package of their own, since each build of the library would link
// them all. Scripts/snippets.sh builds and runs them.
import Foundation
import PackageDescription

let files = try FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory)
    .filter { $0.hasSuffix(".swift") && $0 != "Package.swift" }.sorted()

let package = Package(
    name: "Snippets",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../.."), .package(name: "MusicLibrary", path: "../Music")],
    targets: files.map { file in
        .executableTarget(
            name: "Snippet\(file.dropLast(".swift".count))",
            dependencies: [
                .product(name: "MusicLibrary", package: "MusicLibrary"),
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataCloudKit", package: "OpenCoreData"),
                .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
                .product(name: "CoreDataServer", package: "OpenCoreData"),
                .product(name: "CoreDataSync", package: "OpenCoreData"),
                .product(name: "CoreDataSyncServer", package: "OpenCoreData"),
                .product(name: "SwiftData", package: "OpenCoreData"),
            ],
            path: ".", exclude: ["Package.swift"] + files.filter { $0 != file }, sources: [file])
    },
    swiftLanguageModes: [.v6]
)
