// swift-tools-version: 6.1
import PackageDescription

// The tool that reads Examples/Snippets for the documentation site, in a package of its own: users of the library don't resolve
// it. See Scripts/docs.sh.
let package = Package(
    name: "DocTools",
    dependencies: [.package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0")]
)
