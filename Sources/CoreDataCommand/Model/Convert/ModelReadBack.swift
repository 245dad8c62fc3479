import CoreDataModel
import OpenCoreData

/// Reads what was written, to see whether it is the same model.
enum ModelReadBack {
    /// What of the models is not in the file, in words.
    ///
    /// - Throws: `CommandError` if a version hash differs: stores would no longer open.
    static func losses(of versions: ConvertedVersions, at url: URL) throws -> [String] {
        guard let written = try ModelVersions(at: url.path) else {
            guard let model = versions.currentModel else { return [] }
            return try losses(from: model, to: try ModelFile.load(at: url), url)
        }
        return try versions.models.flatMap { name, model in
            let prefix = versions.models.count > 1 ? "\(name): " : ""
            return try losses(from: model, to: try written.version(named: name).model(), url).map { prefix + $0 }
        }
    }

    private static func losses(
        from model: NSManagedObjectModel, to written: NSManagedObjectModel, _ url: URL
    ) throws -> [String] {
        let comparison = ModelComparison(from: model, to: written)
        guard !comparison.needsMigration else {
            throw CommandError(
                "\(url.lastPathComponent) was not written: read back, it has other version hashes "
                    + "(\(comparison.entitiesWithChangedHash.joined(separator: ", "))). \(comparison.differences.first?.text ?? "")")
        }
        return comparison.differences.map(\.text)
    }
}
