import CoreDataModel
import OpenCoreData

/// Reads what was written, to see whether it is the same model.
enum ModelReadBack {
    /// What of the models is not in the draft at `url`, in words.
    ///
    /// - Parameter destination: where the draft is to go, for messages.
    /// - Throws: `CommandError` if a version hash differs: stores would no longer open.
    static func losses(of versions: ConvertedVersions, at url: URL, for destination: URL) throws -> [String] {
        guard let written = try ModelVersions(at: url.path) else {
            return try losses(from: versions.currentModel, to: try ModelFile.load(at: url), destination)
        }
        return try versions.models.flatMap { name, model in
            try losses(from: model, to: try written.version(named: name).model(), destination).map {
                versions.subject(name) + $0
            }
        }
    }

    static func losses(
        from model: NSManagedObjectModel, to written: NSManagedObjectModel, _ destination: URL
    ) throws -> [String] {
        let comparison = ModelComparison(from: model, to: written)
        guard !comparison.needsMigration else {
            throw CommandError(
                "\(destination.path) was not written: read back, it has other version hashes "
                    + """
                    (\(comparison.entitiesWithChangedHash.joined(separator: ", "))). \
                    \(comparison.differences.first?.text ?? "")
                    """
            )
        }
        return comparison.differences.map { "not kept: \($0.text)" }
    }
}
