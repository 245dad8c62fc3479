// SPDX-License-Identifier: Apache-2.0

/// The models of a program, and the properties that a store has of them.
///
/// ```swift
/// let schema = Schema([Recipe.self, Ingredient.self], version: Schema.Version(1, 0, 0))
/// ```
///
/// A schema contains the given classes, their superclasses, and all classes that relationships lead to. It is made from
/// the metadata of the classes. A container makes a managed object model from it. The container's initializer throws
/// the mistakes in the classes, for example two classes of one name, or an inverse that doesn't exist.
///
/// May be used on any thread.
public final class Schema: Codable, Hashable, @unchecked Sendable {
    /// The version of the form in which schemas are encoded.
    public static let schemaEncodingVersion = Version(1, 0, 0)

    /// The entities of the classes, in the order in which they were given and found.
    public let entities: [Entity]
    /// The entities by name.
    public let entitiesByName: [String: Entity]
    /// The version of the schema.
    public let version: Version
    /// The version of the form in which the schema was encoded.
    public let encodingVersion: Version

    /// The mistakes in the classes.
    let problems: [SchemaProblem]

    /// Makes a schema without entities.
    public convenience init() { self.init(entities: [], problems: [], version: Version(1, 0, 0)) }

    /// Makes a schema of classes.
    ///
    /// - Parameters:
    ///   - types: the classes of the models.
    ///   - version: the version of the schema.
    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    /// Makes a schema of classes.
    ///
    /// - Parameters:
    ///   - types: the classes of the models.
    ///   - version: the version of the schema.
    public convenience init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        let builder = SchemaBuilder(types)
        self.init(entities: builder.entities, problems: builder.problems, version: version)
    }

    /// Makes a schema of entities that the program describes itself.
    ///
    /// - Parameters:
    ///   - entities: the entities.
    ///   - version: the version of the schema.
    public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
        self.init(entities: entities, problems: [], version: version)
    }

    /// Makes the schema of a version.
    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }

    init(
        entities: [Entity], problems: [SchemaProblem], version: Version,
        encodingVersion: Version = Schema.schemaEncodingVersion
    ) {
        self.entities = entities
        entitiesByName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.problems = problems
        self.version = version
        self.encodingVersion = encodingVersion
    }

    // MARK: Entities

    /// The entity of a class, nil if the schema doesn't have it.
    public func entity<T>(for type: T.Type) -> Entity? where T: PersistentModel { entity(of: type) }

    func entity(of type: any PersistentModel.Type) -> Entity? {
        let name = ModelMetadata.of(type).name
        guard let entity = entitiesByName[name] else { return nil }
        return entity.modelType == nil || entity.modelType == type ? entity : nil
    }

    /// The name of the entity of a class: the name of the class without its module and the types around it.
    public static func entityName<T>(for type: T.Type) -> String where T: PersistentModel {
        ModelMetadata.of(type).name
    }

    // MARK: Files

    /// Writes the schema to a file.
    ///
    /// - Parameter toURL: the file, which is replaced.
    /// - Throws: the error of the file system.
    public func save(to toURL: URL) throws { try SchemaFile.data(of: self).write(to: toURL, options: .atomic) }

    /// Reads a schema from a file that ``save(to:)`` has written.
    ///
    /// - Parameter fromURL: the file.
    /// - Throws: the error of the file system or of the decoder.
    public static func load(from fromURL: URL) throws -> Schema {
        try SchemaFile.schema(in: FileContents.data(of: fromURL.path))
    }

    // MARK: Coding

    private enum CodingKeys: String, CodingKey {
        case entities
        case version
        case encodingVersion
    }

    /// Decodes a schema.
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let entities = try container.decode([Entity].self, forKey: .entities)
        let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for entity in entities {
            guard let name = entity.superentityName, let superentity = byName[name] else { continue }
            var ancestor: Entity? = superentity
            while let current = ancestor, current !== entity { ancestor = current.superentity }
            guard ancestor == nil else {
                throw DecodingError.dataCorruptedError(
                    forKey: .entities, in: container, debugDescription: "The entity \(name) inherits from itself.")
            }
            entity.superentity = superentity
            superentity.subentities.insert(entity)
        }
        self.init(
            entities: entities, problems: [], version: try container.decode(Version.self, forKey: .version),
            encodingVersion: try container.decode(Version.self, forKey: .encodingVersion))
    }

    /// Encodes the schema. Default values that aren't `Encodable` are left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entities, forKey: .entities)
        try container.encode(version, forKey: .version)
        try container.encode(encodingVersion, forKey: .encodingVersion)
    }

    // MARK: Equality

    /// Whether two schemas have the same version and equal entities.
    public static func == (lhs: Schema, rhs: Schema) -> Bool {
        lhs === rhs || (lhs.version == rhs.version && lhs.entitiesByName == rhs.entitiesByName)
    }

    /// Hashes the version and the names of the entities.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(Set(entitiesByName.keys))
    }
}

extension Schema: CustomDebugStringConvertible {
    /// The version and the entities.
    public var debugDescription: String {
        "Schema - version: \(version), entities: [\(entities.map(\.debugDescription).joined(separator: ", "))]"
    }
}

/// The file of a schema.
private enum SchemaFile {
    static func data(of schema: Schema) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(schema)
    }

    static func schema(in data: Data) throws -> Schema { try JSONDecoder().decode(Schema.self, from: data) }
}
