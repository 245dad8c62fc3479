import CoreDataModel
import Testing

@testable import momc

/// The folder of a target with a model, and the plugin's request for it.
final class TargetFolder {
    let url: URL
    private var model: [TargetRequest.Generation] = []
    private var sources: [String] = []
    private var dependencies: [TargetRequest.Dependency] = []
    private var excluded: [TargetRequest.Generation] = []
    private var configuration: TargetRequest.Configuration?
    /// The path of the folder with the generated files.
    private let out: String
    /// The names of the models that the target has.
    var compiledModels: [String] = []

    init(out: String = "out") throws {
        self.out = out
        url = FileManager.default.temporaryDirectory.appendingPathComponent("TargetFolder \(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url.appendingPathComponent(out), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var generatedModel: URL { url.appendingPathComponent(out + "/Shop+CoreDataModel.swift") }
    var accessors: URL { url.appendingPathComponent(out + "/Shop+ManagedAccessors.swift") }
    var names: URL { url.appendingPathComponent(out + "/Shop+CoreDataNames.swift") }
    var registration: URL { url.appendingPathComponent(out + "/Shop+ManagedClasses.swift") }

    /// Writes the only version of the target's model.
    func writeModel(_ entities: String) throws {
        let version = url.appendingPathComponent("Shop.xcdatamodeld/Shop.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
            userDefinedModelVersionIdentifier="">
            \(entities)
            </model>
            """
        try Data(text.utf8).write(to: version.appendingPathComponent("contents"))
        model = [.init(source: version.deletingLastPathComponent().path, generated: generatedModel.path)]
    }

    /// Adds a source that the package manager compiles.
    func write(_ text: String, to name: String) throws {
        let file = url.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        if !sources.contains(file.path) { sources.append(file.path) }
    }

    /// Adds a module that the target depends on.
    func writeDependency(_ text: String, module: String, model: String? = nil) throws {
        let file = url.appendingPathComponent("\(module).swift")
        try Data(text.utf8).write(to: file)
        dependencies.append(.init(module: module, sources: [file.path], models: model.map { [$0] } ?? []))
    }

    /// Adds a source that the target excludes.
    ///
    /// - Returns: the path of the generated copy.
    @discardableResult
    func writeExcluded(_ text: String, to name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        let copy = url.appendingPathComponent(out + "/Managed-" + file.lastPathComponent)
        excluded.append(.init(source: file.path, generated: copy.path))
        return copy
    }

    /// Writes the plugin's configuration.
    ///
    /// - Parameter plannedText: the text that the plugin read.
    func writeConfiguration(_ text: String, plannedText: String) throws {
        let file = url.appendingPathComponent("coredata-plugin.json")
        try Data(text.utf8).write(to: file)
        configuration = .init(path: file.path, text: plannedText)
    }

    /// Runs the verb.
    ///
    /// - Returns: the exit code.
    func prepare() throws -> Int32 {
        let request = TargetRequest(
            module: "Shop", folder: url.path, configuration: configuration, sources: sources, excluded: excluded,
            models: model, dependencies: dependencies,
            compiledModels: compiledModels, bundle: "Shop_Shop.resources",
            accessors: accessors.path,
            registration: registration.path, names: names.path)
        let file = url.appendingPathComponent("request.json")
        try JSONEncoder().encode(request).write(to: file)
        return TargetPreparation.run([file.path])
    }

    /// Writes a file below the folder, which is no source.
    func writeFile(_ path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("text".utf8).write(to: file)
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appendingPathComponent(path).path)
    }

    func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
}
