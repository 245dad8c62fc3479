import CoreDataClasses
import Testing

/// The toolchain's compiler, run on generated sources with the modules of this build.
enum SwiftCompiler {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder with the modules of this build, beside the test's executable.
    private static let modules: URL? = {
        let folder = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
            .deletingLastPathComponent()
        for candidate in [folder, folder.deletingLastPathComponent(), root.appendingPathComponent(".build/debug")] {
            let modules = candidate.appendingPathComponent("Modules")
            if FileManager.default.fileExists(atPath: modules.appendingPathComponent("OpenCoreData.swiftmodule").path) {
                return modules
            }
        }
        return nil
    }()

    static var isAvailable: Bool { modules != nil }

    /// Runs the compiler in a folder.
    ///
    /// - Returns: the exit code and the messages of the compiler.
    static func run(_ arguments: [String], in folder: URL) throws -> (code: Int32, output: String) {
        let modules = try requireValue(modules)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments =
            ["swiftc", "-swift-version", "6", "-I", modules.path]
            + ["CSQLite", "CSQLiteShims", "CZlib", "CSwiftRuntime"].flatMap {
                ["-Xcc", "-fmodule-map-file=\(root.path)/Sources/\($0)/module.modulemap"]
            } + arguments
        let log = folder.appendingPathComponent("log.txt")
        try Data().write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return (process.terminationStatus, try String(contentsOf: log, encoding: .utf8))
    }

    /// The compiler's symbol names of all `@NSManaged` accessors and methods of a module.
    static func managedSymbols(module: String, files: [String: String], in folder: URL, dependencies: URL? = nil) throws
        -> Set<String>
    {
        for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        let graphs = folder.appendingPathComponent("graphs")
        try FileManager.default.createDirectory(at: graphs, withIntermediateDirectories: true)
        let (code, output) = try run(
            (dependencies.map { ["-I", $0.path] } ?? []) + [
                "-module-name", module, "-emit-module", "-emit-module-path",
                folder.appendingPathComponent("\(module).swiftmodule").path,
                "-emit-symbol-graph", "-emit-symbol-graph-dir", graphs.path, "-symbol-graph-minimum-access-level",
                "private",
            ] + files.keys.sorted(), in: folder)
        try #require(code == 0, "\(output)")
        var symbols: Set<String> = []
        for url in try FileManager.default.contentsOfDirectory(at: graphs, includingPropertiesForKeys: nil) {
            let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: url))
            for symbol in graph.symbols
            where symbol.declarationFragments?.contains(where: { $0.spelling == "@NSManaged" }) ?? false {
                let name = "$s" + symbol.identifier.precise.dropFirst(2)
                symbols.formUnion(name.hasSuffix("p") ? ["\(name.dropLast())g", "\(name.dropLast())s"] : [name])
            }
        }
        return symbols
    }
}

private struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }
        let identifier: Identifier
        let declarationFragments: [Fragment]?
    }

    let symbols: [Symbol]
}

/// The symbol names in a file of generated accessors.
func generatedSymbols(_ text: String) -> Set<String> {
    Set(text.split(separator: "@_silgen_name(\"").dropFirst().map { String($0.prefix { $0 != "\"" }) })
}
