import CoreDataModel
import OpenCoreData

/// A model that was checked: the file that holds it, and what was found.
struct LintedModel {
    let path: String
    let findings: [ModelFinding]

    init(path: String, version: String?) throws {
        let versions = try ModelVersions(at: path)
        if version != nil && versions == nil { _ = try ModelSource.versions(at: path) }
        guard let chosen = try version.flatMap({ try versions?.version(named: $0) }) ?? versions?.current else {
            let url = URL(fileURLWithPath: path)
            let file = StoreFile.isStore(url) ? url : try Self.file(of: url)
            try self.init(file: file, model: try ModelSource.model(at: path))
            return
        }
        try self.init(file: try Self.file(of: chosen.url), model: try chosen.model())
    }

    private init(file: URL, model: NSManagedObjectModel) throws {
        path = file.relativePath
        var findings = ModelLint.findings(in: model)
        if file.lastPathComponent == "contents" {
            // What the reader passes over: attributes that no model has.
            let root = try SourceXMLReader.read(try ModelFile.contents(of: file), from: file)
            findings = SourceSpellingCheck.findings(in: root) + findings
        }
        self.findings = findings
    }

    /// The file that has the lines: in a source model the one inside the folder.
    private static func file(of url: URL) throws -> URL {
        if case .sourceVersion(let file) = try ModelFile.form(of: url) { return file }
        return url
    }
}
