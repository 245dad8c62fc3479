// swift-tools-version: 6.1
// The programs whose code the guides show. They are a package of their own, since each build of the library would link
// them all. Scripts/snippets.sh builds and runs them.
import Foundation
import PackageDescription

let folder = "\(Context.packageDirectory)/Snippets"
let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }.sorted()

let package = Package(
    name: "Snippets",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "..")],
    targets: [
        // The guide "The library of the listings" shows it.
        .target(
            name: "MusicLibrary", dependencies: [.product(name: "CoreData", package: "OpenCoreData")], path: "Music",
            exclude: ["Music.coredata"])
    ]
        + files.map { file in
            .executableTarget(
                name: "Snippet\(file.dropLast(".swift".count))",
                dependencies: [
                    "MusicLibrary",
                    .product(name: "CoreData", package: "OpenCoreData"),
                    .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
                    .product(name: "CoreDataServer", package: "OpenCoreData"),
                    .product(name: "SwiftData", package: "OpenCoreData"),
                ],
                path: "Snippets", exclude: files.filter { $0 != file }, sources: [file])
        },
    swiftLanguageModes: [.v6]
)
