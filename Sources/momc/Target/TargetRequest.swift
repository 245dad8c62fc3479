// SPDX-License-Identifier: Apache-2.0

import CoreDataClasses

/// The request of the build plugin: the files that momc generates for a target. `CoreDataModelPlugin` writes it as a
/// file. The plugin declares the type again, as a plugin can't share code with this tool.
struct TargetRequest: Codable {
    /// A source or model, and the file that is generated from it.
    struct Generation: Codable {
        let source: String
        let generated: String
    }

    /// A module that the target depends on, which may declare types of properties.
    struct Dependency: Codable {
        let module: String
        let sources: [String]
        /// The models of the module, which may have generated classes.
        let models: [String]
    }

    /// A configuration file as the plugin read it.
    struct Configuration: Codable {
        let path: String
        let text: String
    }

    let module: String
    /// The target's folder.
    let folder: String
    /// The configuration of the target; nil if it has none.
    let configuration: Configuration?
    /// The sources that the package manager compiles.
    let sources: [String]
    /// The excluded sources, with the copies that are compiled instead.
    let excluded: [Generation]
    /// The models, with the file for the classes of each.
    let models: [Generation]
    let dependencies: [Dependency]
    /// The names of the compiled models of the target, in the plugin's folder and in the bundle.
    let compiledModels: [String]
    /// The name of the target's bundle.
    let bundle: String
    /// The file for the accessors of `@NSManaged` properties.
    let accessors: String
    /// The file that registers the classes by name.
    let registration: String
    /// The file with the type aliases for the names that Foundation declares too.
    let names: String

    /// - Throws: `CocoaError` with the name of the file if it can't be read or is no request.
    static func load(at url: URL) throws -> TargetRequest {
        let data = try ModelFile.contents(of: url)
        do {
            return try JSONDecoder().decode(TargetRequest.self, from: data)
        } catch {
            let message = "it is no request of CoreDataModelPlugin. Remove it and build again."
            throw CoreDataErrors.cocoaError(
                .fileReadCorruptFile, message: message, reason: message,
                userInfo: [NSFilePathErrorKey: url.path, NSURLErrorKey: url, NSUnderlyingErrorKey: error])
        }
    }
}

/// The classes and extensions of one model, in one file. Its name must be known before the model is read.
struct GeneratedModelClasses {
    let text: String
    /// The errors and warnings.
    let messages: [CompilerDiagnostic]
    /// The classes that sources must declare, each with its entity.
    let extendedClasses: [(entity: String, name: String)]
    /// The file of the model's version.
    let path: String

    /// - Throws: the error of reading the model, with the name of the file.
    init(ofModelAt path: String, module: String) throws {
        let version = try SourceDocument(at: URL(fileURLWithPath: path)).current
        let options = ClassGenerationOptions(style: .selfContained, access: .public, module: module)
        let generator = ClassGenerator(model: version.model, options: options)
        extendedClasses = generator.extendedClasses
        self.path = version.file.path
        messages = generator.findings.map { CompilerDiagnostic($0, path: version.file.path) }
        let files = messages.contains { $0.severity == .error } ? [] : try generator.files()
        text = files.isEmpty ? TargetPreparation.nothing : files.map(\.text).joined(separator: "\n")
    }
}
