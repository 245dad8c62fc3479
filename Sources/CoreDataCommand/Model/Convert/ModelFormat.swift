import CoreDataModel
import OpenCoreData

/// The forms in which a model can be written, known by the extension of the file.
enum ModelFormat: String, CaseIterable {
    case sourceVersion = "xcdatamodel"
    case sourceBundle = "xcdatamodeld"
    case compiledVersion = "mom"
    case compiledBundle = "momd"
    case text = "coredata"

    static let list =
        "It can be written as .xcdatamodel (source), .xcdatamodeld (source with versions), "
        + ".mom (compiled), .momd (compiled with versions) and .coredata (text notation)."

    init?(path: String) {
        self.init(rawValue: URL(fileURLWithPath: path).pathExtension.lowercased())
    }

    /// Whether it holds several versions.
    var isBundle: Bool { self == .sourceBundle || self == .compiledBundle }

    /// Writes the versions, or the current one: wholly, and only if what is read back has the same version hashes.
    ///
    /// - Returns: what the form has no place for, in words.
    func write(_ versions: ConvertedVersions, to url: URL) throws -> [String] {
        switch self {
        case .sourceVersion, .sourceBundle:
            let (reduced, left) = versions.reducedToSource
            return left + (try writeFolder(try sourceFiles(reduced), of: reduced, to: url))
        case .compiledBundle:
            let models = Dictionary(
                versions.models.map { ($0.name, $0.model) }, uniquingKeysWith: { first, _ in first })
            return try writeFolder(
                try CompiledModelBundle.files(models, current: versions.current, for: url), of: versions, to: url)
        case .compiledVersion:
            let data = try ModelArchive.encode(versions.currentModel, as: .compiled)
            return try writeFile(data, holding: try ModelArchive.decode(data), of: versions, to: url)
        case .text:
            let data = Data(try TextNotation.text(of: versions.currentModel).utf8)
            return try writeFile(data, holding: try TextNotation.read(data, from: url), of: versions, to: url)
        }
    }

    private func writeFile(
        _ data: Data, holding model: NSManagedObjectModel, of versions: ConvertedVersions, to url: URL
    ) throws -> [String] {
        let losses = try ModelReadBack.losses(from: versions.currentModel, to: model, url)
        try OutputFile.write(data, to: url)
        return losses
    }

    private func writeFolder(
        _ files: [(path: String, data: Data)], of versions: ConvertedVersions, to url: URL
    ) throws -> [String] {
        var losses: [String] = []
        try OutputFile.writeFolder(files, to: url) { draft in
            losses = try ModelReadBack.losses(of: versions, at: draft, for: url)
        }
        return losses
    }

    private func sourceFiles(_ versions: ConvertedVersions) throws -> [(path: String, data: Data)] {
        guard isBundle else { return [("contents", try SourceModelWriter.xml(of: versions.currentModel))] }
        return [(SourceModelBundle.currentVersionFile, SourceModelBundle.currentVersionData(versions.current))]
            + (try versions.models.map { name, model in
                ("\(name).\(ModelFormat.sourceVersion.rawValue)/contents", try SourceModelWriter.xml(of: model))
            })
    }
}
