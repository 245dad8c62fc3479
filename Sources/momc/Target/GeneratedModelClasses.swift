import CoreDataClasses

/// The classes and extensions that a model of a target generates, all in one file: its name is known before the model
/// is read.
struct GeneratedModelClasses {
    let text: String
    /// What is wrong or left out.
    let messages: [CompilerDiagnostic]

    /// - Throws: the error of reading the model, which names the file.
    init(ofModelAt path: String, module: String) throws {
        let version = try SourceDocument(at: URL(fileURLWithPath: path)).current
        let options = ClassGenerationOptions(style: .selfContained, access: .public, module: module)
        let generator = ClassGenerator(model: version.model, options: options)
        messages = generator.findings.map { CompilerDiagnostic($0, path: version.file.path) }
        let files = messages.contains { $0.severity == .error } ? [] : try generator.files()
        text = files.isEmpty ? TargetPreparation.nothing : files.map(\.text).joined(separator: "\n")
    }
}
