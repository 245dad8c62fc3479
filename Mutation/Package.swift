// swift-tools-version: 6.1
import PackageDescription

// The modules of swift-syntax that the toolchain has for its own macros: to build the package takes minutes.
// Scripts/mutate.py finds the folder.
let modules = Context.environment["SWIFT_HOST_MODULES"] ?? "/usr/lib/swift/host"
let libraries = ["SwiftSyntax", "SwiftParser", "SwiftOperators", "SwiftDiagnostics"]

let package = Package(
    name: "Mutation",
    targets: [
        .executableTarget(
            name: "mutants",
            swiftSettings: [.unsafeFlags(["-I", modules])],
            linkerSettings: [
                .unsafeFlags(["-L", modules, "-Xlinker", "-rpath", "-Xlinker", modules] + libraries.map { "-l\($0)" })
            ])
    ],
    swiftLanguageModes: [.v6]
)
