// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A version of a migration plan, with its managed object model.
final class PlanVersion {
    let type: any VersionedSchema.Type
    let schema: Schema
    let model: SchemaModel

    /// - Throws: the mistakes in the classes of the version.
    convenience init(_ type: any VersionedSchema.Type) throws {
        try self.init(type, Schema(versionedSchema: type))
    }

    private init(_ type: any VersionedSchema.Type, _ schema: Schema) throws {
        self.type = type
        self.schema = schema
        model = try SchemaModel.make(for: schema)
    }

    /// The version with some of its entities, for a store that doesn't have all of them.
    func reduced(to names: Set<String>) throws -> PlanVersion {
        guard !schema.entities.allSatisfy({ names.contains($0.name) }) else { return self }
        let types = schema.entities.filter { names.contains($0.name) }.compactMap(\.modelType)
        return try PlanVersion(type, Schema(types, version: schema.version))
    }

    /// The version hashes by the names of the entities.
    var hashes: [String: Data] { model.entityVersionHashesByName }

    /// The name in messages: "NotesV2 (2.0.0)".
    var name: String { Self.name(of: type) }

    static func name(of type: any VersionedSchema.Type) -> String { "\(type) (\(type.versionIdentifier))" }

    var reference: NSManagedObjectModelReference {
        NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }
}
