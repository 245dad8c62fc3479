// swift-tools-version: 5.9
import PackageDescription

#if os(Linux)
    let dependencies: [Package.Dependency] = [.package(name: "OpenCoreData", path: "../..")]
    let products: [Target.Dependency] = [.product(name: "CoreData", package: "OpenCoreData")]
    let plugins: [Target.PluginUsage] = [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]
    // The plugin compiles copies of these files.
    let excluded = ["App"]
#else
    let dependencies: [Package.Dependency] = []
    let products: [Target.Dependency] = []
    let plugins: [Target.PluginUsage] = []
    let excluded: [String] = []
#endif

let package = Package(
    name: "Compatibility",
    platforms: [.macOS(.v13), .iOS(.v16)],
    dependencies: dependencies,
    targets: [
        .executableTarget(name: "Bookshelf", dependencies: products, exclude: excluded, plugins: plugins)
    ]
)
