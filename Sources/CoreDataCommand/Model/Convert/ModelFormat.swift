// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataClasses
import CoreDataModel
import OpenCoreData

/// The file formats of models, by the extension of the file.
enum ModelFormat: String, CaseIterable {
    case sourceVersion = "xcdatamodel"
    case sourceBundle = "xcdatamodeld"
    case compiledVersion = "mom"
    case compiledBundle = "momd"
    case text = "coredata"
    case schema = "swift"

    static let list =
        "The formats are .xcdatamodel (source), .xcdatamodeld (source with versions), .mom (compiled), "
        + ".momd (compiled with versions), .coredata (text notation) and .swift (@Model classes of SwiftData in a "
        + "VersionedSchema for each version)."

    init?(path: String) {
        self.init(rawValue: URL(fileURLWithPath: path).pathExtension.lowercased())
    }

    /// Whether the format has several versions.
    var isBundle: Bool { self == .sourceBundle || self == .compiledBundle || self == .schema }

    /// Whether the format is the compiled form of a model.
    var isCompiled: Bool { self == .compiledVersion || self == .compiledBundle }

    /// Writes the versions, or the current version for a single model. Nothing is written if the version hashes of the
    /// result differ.
    ///
    /// - Parameter isText: whether the versions of a source bundle are written as texts.
    /// - Returns: messages for the details that the format doesn't support.
    func write(_ versions: ConvertedVersions, isText: Bool = false, to url: URL) throws -> [String] {
        switch self {
        case .sourceBundle where isText: return try writeFolder(try textFiles(versions), of: versions, to: url)
        case .sourceVersion, .sourceBundle:
            let (reduced, omissions) = versions.reducedToSource
            return omissions + (try writeFolder(try sourceFiles(reduced), of: reduced, to: url))
        case .compiledBundle:
            let models = Dictionary(
                versions.models.map { ($0.name, $0.model) }, uniquingKeysWith: { first, _ in first })
            return try writeFolder(
                try CompiledModelBundle.files(models, current: versions.current, for: url), of: versions, to: url)
        case .compiledVersion:
            let data = try ModelArchive.encode(versions.currentModel, as: .compiled)
            return try writeFile(data, containing: try ModelArchive.decode(data), of: versions, to: url)
        case .schema: return try SchemaFile.write(versions, to: url)
        case .text:
            let data = Data(try TextNotation.text(of: versions.currentModel).utf8)
            return try writeFile(data, containing: try TextNotation.read(data, from: url), of: versions, to: url)
        }
    }

    private func writeFile(
        _ data: Data, containing model: NSManagedObjectModel, of versions: ConvertedVersions, to url: URL
    ) throws -> [String] {
        let omissions = try ModelReadBack.omissions(from: versions.currentModel, to: model, url)
        try OutputFile.write(data, to: url)
        return omissions
    }

    private func writeFolder(
        _ files: [(path: String, data: Data)], of versions: ConvertedVersions, to url: URL
    ) throws -> [String] {
        var omissions: [String] = []
        try OutputFile.writeFolder(files, to: url) { temporaryFolder in
            omissions = try ModelReadBack.omissions(of: versions, at: temporaryFolder, for: url)
        }
        return omissions
    }

    private func textFiles(_ versions: ConvertedVersions) throws -> [(path: String, data: Data)] {
        try bundleFiles(versions, isText: true) { name, model in
            ("\(name).\(ModelFormat.text.rawValue)", Data(try TextNotation.text(of: model).utf8))
        }
    }

    private func sourceFiles(_ versions: ConvertedVersions) throws -> [(path: String, data: Data)] {
        guard isBundle else { return [("contents", try SourceModelWriter.xml(of: versions.currentModel))] }
        return try bundleFiles(versions, isText: false) { name, model in
            ("\(name).\(ModelFormat.sourceVersion.rawValue)/contents", try SourceModelWriter.xml(of: model))
        }
    }

    private func bundleFiles(
        _ versions: ConvertedVersions, isText: Bool,
        _ file: (_ name: String, _ model: NSManagedObjectModel) throws -> (path: String, data: Data)
    ) throws -> [(path: String, data: Data)] {
        let current = SourceModelBundle.currentVersionData(versions.current, isText: isText)
        return [(SourceModelBundle.currentVersionFile, current)] + (try versions.models.map(file))
    }

    /// Checks the flag `--text`.
    ///
    /// - Throws: a `ValidationError` if a format has no versions that could be texts.
    static func check(isText: Bool, for format: ModelFormat?) throws {
        guard isText, format != .sourceBundle else { return }
        throw ValidationError("--text is for bundles of source versions (.xcdatamodeld).")
    }
}
