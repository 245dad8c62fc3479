import TestSupport
import Testing

@testable import CoreDataClasses

/// Compiles generated classes with the modules of this build.
@Suite("Generated classes compile without warnings", .enabled(if: CompilerRun.isPossible))
struct CompilingGeneratedClassesTests {
    @Test(
        "In both styles, all access levels, in Swift 6 and for modules of the main actor",
        arguments: ClassGenerationOptions.Style.allCases)
    func compile(style: ClassGenerationOptions.Style) async throws {
        // The declaration of a class for which the model generates only an extension.
        let handWritten = GeneratedFile(
            name: "Person.swift", text: "import CoreData\n\npublic nonisolated class Person: NSManagedObject {}\n")
        let levels =
            TestRun.isLong ? ClassGenerationOptions.Access.allCases : [style == .portable ? .public : .internal]
        for access in levels {
            let options = ClassGenerationOptions(style: style, access: access, module: "App", includesManual: true)
            let files = try GeneratedModel(GeneratedModel.everything, options).generator.files() + [handWritten]
            let extra = style == .selfContained && access == .internal ? ["-default-isolation", "MainActor"] : []
            try await expectEqual(CompilerRun(files, extra).errors, "", "\(access)")
        }
    }

    @Test(
        "With classes that hide standard types",
        arguments: TestRun.isLong ? ClassGenerationOptions.Style.allCases : [.selfContained])
    func hiding(style: ClassGenerationOptions.Style) async throws {
        let files = try GeneratedModel(
            """
            <entity name="Data" representedClassName="Data" codeGenerationType="class"><attribute name="bytes" \
            attributeType="Binary"/>
            <attribute name="count" attributeType="Integer 64" usesScalarValueType="YES"/></entity>
            <entity name="String" representedClassName="String" codeGenerationType="class"><attribute name="text" \
            attributeType="String"/></entity>
            """, ClassGenerationOptions(style: style)
        ).generator.files()
        try await expectEqual(CompilerRun(files).errors, "")
    }
}

/// A type check of source files by `swiftc`, in Swift 6 mode with warnings as errors.
struct CompilerRun {
    /// The messages of the compiler.
    let errors: String

    private static let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Whether the modules of the build are beside the test bundle.
    static var isPossible: Bool {
        FileManager.default.fileExists(atPath: products.appendingPathComponent("Modules/CoreData.swiftmodule").path)
    }

    init(_ files: [GeneratedFile], _ options: [String] = []) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("generated-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = try files.map { file in
            let url = folder.appendingPathComponent(file.name)
            try Data(file.text.utf8).write(to: url)
            return url.path
        }
        let arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-name", "App",
                "-package-name", "app",
            ]
            + [
                "-I", Self.products.appendingPathComponent("Modules").path, "-module-cache-path",
                Self.products.appendingPathComponent("ModuleCache").path,
            ]
            + ["CSQLite", "CSQLiteShims", "CZlib", "CSwiftRuntime"].flatMap {
                [
                    "-Xcc",
                    "-fmodule-map-file=" + Self.package.appendingPathComponent("Sources/\($0)/module.modulemap").path,
                ]
            } + options + sources
        let run = try await ToolRun(URL(fileURLWithPath: "/usr/bin/env"), arguments)
        let text = run.output + run.errors
        errors = run.status == 0 ? text : text.isEmpty ? "exit code \(run.status)" : text
    }
}
