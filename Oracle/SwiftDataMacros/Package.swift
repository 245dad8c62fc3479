// swift-tools-version: 6.1
import PackageDescription

// The modules of swift-syntax that the toolchain has for its own macros: to build the package takes minutes.
// Scripts/test-macros.sh finds the folder.
let modules = Context.environment["SWIFT_HOST_MODULES"] ?? "/usr/lib/swift/host"
let libraries = [
    "SwiftSyntax", "SwiftParser", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion",
    "SwiftDiagnostics", "SwiftBasicFormat",
]

let package = Package(
    name: "SwiftDataMacrosOracle",
    targets: [
        .executableTarget(
            name: "Oracle",
            swiftSettings: [.unsafeFlags(["-I", modules])],
            linkerSettings: [
                .unsafeFlags(["-L", modules, "-Xlinker", "-rpath", "-Xlinker", modules] + libraries.map { "-l\($0)" })
            ])
    ],
    swiftLanguageModes: [.v6]
)
