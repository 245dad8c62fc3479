// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// A class of models in a schema: its properties, constraints and indexes.
    public final class Entity: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
        /// The name of the class, without its module and the types around it.
        public var name: String
        /// The properties that the class declares itself.
        public var storedProperties: [any SchemaProperty]
        /// The entity of the superclass.
        public weak var superentity: Entity? {
            didSet { superentityName = superentity?.name }
        }
        /// The name of the entity of the superclass.
        public var superentityName: String?
        /// The entities of the subclasses.
        public var subentities: Set<Entity>
        /// The names of the properties of each uniqueness constraint.
        public var uniquenessConstraints: [[String]] = []
        /// The names of the properties of each index.
        public var indices: [[String]] = []

        /// The class; nil for an entity without one, as in a decoded schema.
        var modelType: (any PersistentModel.Type)? {
            get { _objectType }
            set {
                _objectType = newValue
                _mangledName = newValue.flatMap { _mangledTypeName($0) }
            }
        }

        // Libraries read both by `Mirror`, under Apple's names.
        private var _objectType: (any PersistentModel.Type)?
        private var _mangledName: String?

        /// The positions of the indexes that are R-trees.
        var treeIndices: Set<Int> = []

        /// Makes an entity without properties.
        public init(_ name: String) {
            self.name = name
            storedProperties = []
            subentities = []
        }

        /// Makes an entity.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - properties: the properties, which have names.
        public convenience init(_ name: String, properties: any SchemaProperty...) {
            self.init(name)
            storedProperties = properties
        }

        /// Makes an entity with subentities.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - subentities: the entities that inherit from it.
        ///   - properties: the properties, which have names.
        public convenience init(_ name: String, subentities: Entity..., properties: any SchemaProperty...) {
            self.init(name)
            storedProperties = properties
            self.subentities = Set(subentities)
            for entity in subentities { entity.superentity = self }
        }

        // MARK: Properties

        /// All properties, the inherited ones first.
        public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }

        /// The properties that the class declares itself, by name.
        public var storedPropertiesByName: [String: any SchemaProperty] {
            get { Self.byName(storedProperties) }
            set { storedProperties = newValue.values.sorted { $0.name < $1.name } }
        }

        /// The properties of the superentity, with the properties that the superentity inherits.
        public var inheritedProperties: [any SchemaProperty] { superentity?.properties ?? [] }

        /// The inherited properties by name.
        public var inheritedPropertiesByName: [String: any SchemaProperty] { Self.byName(inheritedProperties) }

        /// The attributes, inherited ones included.
        public var attributes: Set<Attribute> {
            get { Set(properties.compactMap { $0 as? Attribute }) }
            set { replaceStoredProperties(where: { $0.isAttribute }, by: newValue) }
        }

        /// The attributes by name, inherited ones included.
        public var attributesByName: [String: Attribute] {
            get { Self.byName(properties).compactMapValues { $0 as? Attribute } }
            set { attributes = Set(newValue.values) }
        }

        /// The relationships, inherited ones included.
        public var relationships: Set<Relationship> {
            get { Set(properties.compactMap { $0 as? Relationship }) }
            set { replaceStoredProperties(where: { $0.isRelationship }, by: newValue) }
        }

        /// The relationships by name, inherited ones included.
        public var relationshipsByName: [String: Relationship] {
            get { Self.byName(properties).compactMapValues { $0 as? Relationship } }
            set { relationships = Set(newValue.values) }
        }

        /// Replaces the attributes or the relationships of the class. The new ones come last, by name.
        private func replaceStoredProperties(
            where isReplaced: (any SchemaProperty) -> Bool, by properties: Set<some SchemaProperty>
        ) {
            storedProperties =
                storedProperties.filter { !isReplaced($0) } + properties.sorted { $0.name < $1.name }
        }

        private static func byName(_ properties: [any SchemaProperty]) -> [String: any SchemaProperty] {
            Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        }

        // MARK: Equality

        /// Whether two entities have the same name, properties, constraints and indexes.
        public static func == (lhs: Entity, rhs: Entity) -> Bool {
            lhs === rhs
                || (lhs.name == rhs.name && lhs.superentityName == rhs.superentityName
                    && lhs.uniquenessConstraints == rhs.uniquenessConstraints && lhs.indices == rhs.indices
                    && lhs.attributesByName == rhs.attributesByName
                    && lhs.relationshipsByName == rhs.relationshipsByName)
        }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }

        /// The entity with its properties.
        public var debugDescription: String {
            """
            Entity - name: \(name), superentity: \(superentityName ?? "nil"), subentities: \
            \(subentities.map(\.name).sorted()), properties: \(storedProperties.map(\.name)), \
            uniquenessConstraints: \(uniquenessConstraints), indices: \(indices)
            """
        }

        // MARK: Coding

        private enum CodingKeys: String, CodingKey {
            case name
            case superentityName
            case attributes
            case relationships
            case uniquenessConstraints
            case indices
            case treeIndices
            case modelType
        }

        /// Decodes an entity. The schema connects it with its superentity.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            superentityName = try container.decodeIfPresent(String.self, forKey: .superentityName)
            let attributes = try container.decode([CodableAttribute].self, forKey: .attributes).map(\.attribute)
            let relationships = try container.decode([Relationship].self, forKey: .relationships)
            storedProperties = attributes as [any SchemaProperty] + relationships
            subentities = []
            uniquenessConstraints = try container.decode([[String]].self, forKey: .uniquenessConstraints)
            indices = try container.decode([[String]].self, forKey: .indices)
            treeIndices = try container.decode(Set<Int>.self, forKey: .treeIndices)
            modelType =
                try container.decodeIfPresent(CodableType.self, forKey: .modelType)?.type as? any PersistentModel.Type
        }

        /// Encodes the entity with the properties that the class declares.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encodeIfPresent(superentityName, forKey: .superentityName)
            let attributes = storedProperties.compactMap { $0 as? Attribute }
            try container.encode(attributes.map(CodableAttribute.init), forKey: .attributes)
            try container.encode(storedProperties.compactMap { $0 as? Relationship }, forKey: .relationships)
            try container.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
            try container.encode(indices, forKey: .indices)
            try container.encode(treeIndices, forKey: .treeIndices)
            try container.encodeIfPresent(modelType.map { CodableType($0) }, forKey: .modelType)
        }
    }
}
