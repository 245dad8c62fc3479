import CoreDataClasses

/// The classes and extensions that a model of a target generates, all in one file: its name is known before the model is read.
struct GeneratedModelClasses {
    let text: String
    /// What is wrong or left out, as lines for the build log.
    let messages: [String]
    let hasErrors: Bool

    /// - Throws: the error of reading the model, which names the file.
    init(ofModelAt path: String, module: String) throws {
        let url = URL(fileURLWithPath: path)
        let options = ClassGenerationOptions(style: .selfContained, access: .public, module: module)
        let generator = ClassGenerator(model: try ModelFile.load(at: url), options: options)
        let source = try Self.sourceFile(of: url)
        messages = generator.findings.map { $0.text(path: source.path) }
        hasErrors = generator.findings.contains { $0.severity == .error }
        let files = hasErrors ? [] : try generator.files()
        text = files.isEmpty ? GeneratedOutput.nothing : files.map(\.text).joined(separator: "\n")
    }

    /// The file that a modeller edits: of several versions the current one's.
    private static func sourceFile(of url: URL) throws -> URL {
        switch try ModelFile.form(of: url) {
        case .sourceBundle: try sourceFile(of: SourceModelBundle(at: url).currentVersion.url)
        case .sourceVersion(let file): file
        case .compiledBundle, .file: url
        }
    }
}
