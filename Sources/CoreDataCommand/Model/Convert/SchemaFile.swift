// SPDX-License-Identifier: Apache-2.0

import CoreDataClasses
import CoreDataModel
import OpenCoreData

/// A Swift source with the `@Model` classes of each version of a model.
enum SchemaFile {
    /// Writes the source.
    ///
    /// - Returns: messages for the parts that SwiftData has no form for.
    /// - Throws: an error that names the entity and the property for a part that would change version hashes.
    static func write(_ versions: ConvertedVersions, to url: URL) throws -> [String] {
        let name = typeName(url.deletingPathExtension().lastPathComponent)
        let numbers = numbers(of: versions.models.map(\.model))
        let generator = VersionedSchemaGenerator(
            zip(versions.models, numbers).enumerated().map { index, version in
                VersionedSchemaGenerator.Version(
                    name: versions.models.count == 1 ? name : "\(name)V\(index + 1)", model: version.0.model,
                    number: version.1)
            })
        try OutputFile.write(Data(try generator.source().utf8), to: url)
        return generator.findings.filter { $0.severity == .warning }.map(\.message)
    }

    /// The name of the schema's type, made from the name of the file.
    private static func typeName(_ file: String) -> String {
        let letters = String(file.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
        return SwiftName.isIdentifier(letters) ? letters : "Schema\(letters)"
    }

    /// The numbers of the versions: the numbers in their identifiers if these ascend, otherwise their positions.
    private static func numbers(of models: [NSManagedObjectModel]) -> [[Int]] {
        let own = models.compactMap { VersionedSchemaGenerator.number(of: $0) }
        let ascends = zip(own, own.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
        return own.count == models.count && ascends ? own : models.indices.map { [$0 + 1, 0, 0] }
    }
}
