// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// A reference to other models: `@Relationship` in a schema.
    public final class Relationship: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        /// The name of the relationship.
        public var name: String
        /// The name in an earlier version of the schema; the name itself if the relationship was not renamed.
        public var originalName: String {
            get { earlierName ?? name }
            set { earlierName = newValue == name ? nil : newValue }
        }
        /// The options of the relationship.
        public var options: [Option]
        /// The type of the value: a model, an array of models, or an optional of these.
        public var valueType: any Any.Type
        /// The name of the entity to which the relationship leads.
        public var destination: String
        /// The name of the relationship back; nil if there is none.
        public var inverseName: String?
        /// The key path of the relationship back, as the source gives it.
        public var inverseKeyPath: AnyKeyPath?
        /// The key path of the relationship.
        public var keypath: AnyKeyPath?
        /// The treatment of the destination when a model is deleted.
        public var deleteRule: DeleteRule
        /// The smallest number of models; 0 means no limit.
        public var minimumModelCount: Int?
        /// The largest number of models; 0 means no limit.
        public var maximumModelCount: Int?
        /// A text that changes the version hash of the relationship.
        public var hashModifier: String?

        /// The earlier name, nil if the relationship was not renamed.
        private(set) var earlierName: String?

        /// Makes a relationship whose name and type the property supplies: the form of `@Relationship`.
        ///
        /// - Parameters:
        ///   - options: what is special about the relationship.
        ///   - deleteRule: what happens to the destination when a model is deleted.
        ///   - minimumModelCount: the smallest number of models; 0 means no limit.
        ///   - maximumModelCount: the largest number of models; 0 means no limit.
        ///   - originalName: the name in an earlier version of the schema.
        ///   - inverse: the key path of the relationship back.
        ///   - hashModifier: a text that changes the version hash.
        public init(
            _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
            hashModifier: String? = nil
        ) {
            name = ""
            self.options = options
            valueType = Any.self
            destination = ""
            inverseKeyPath = inverse
            self.deleteRule = deleteRule
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self.hashModifier = hashModifier
            earlierName = originalName
        }

        func copy() -> Relationship {
            let copy = Relationship(
                deleteRule: deleteRule, minimumModelCount: minimumModelCount, maximumModelCount: maximumModelCount,
                originalName: earlierName, inverse: inverseKeyPath, hashModifier: hashModifier)
            copy.options = options
            copy.name = name
            copy.valueType = valueType
            copy.destination = destination
            copy.inverseName = inverseName
            copy.keypath = keypath
            return copy
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case originalName
            case options
            case valueType
            case destination
            case inverseName
            case deleteRule
            case minimumModelCount
            case maximumModelCount
            case hashModifier
        }

        /// Decodes a relationship. Key paths are not part of the encoded form.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            options = try container.decode([Option].self, forKey: .options)
            valueType = try container.decode(CodableType.self, forKey: .valueType).type
            destination = try container.decode(String.self, forKey: .destination)
            inverseName = try container.decodeIfPresent(String.self, forKey: .inverseName)
            deleteRule = try container.decode(DeleteRule.self, forKey: .deleteRule)
            minimumModelCount = try container.decodeIfPresent(Int.self, forKey: .minimumModelCount)
            maximumModelCount = try container.decodeIfPresent(Int.self, forKey: .maximumModelCount)
            hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
            earlierName = try container.decodeIfPresent(String.self, forKey: .originalName)
        }

        /// Encodes the relationship. Key paths are not part of the encoded form.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(options, forKey: .options)
            try container.encode(CodableType(valueType), forKey: .valueType)
            try container.encode(destination, forKey: .destination)
            try container.encodeIfPresent(inverseName, forKey: .inverseName)
            try container.encode(deleteRule, forKey: .deleteRule)
            try container.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
            try container.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
            try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
            try container.encodeIfPresent(earlierName, forKey: .originalName)
        }

        /// False.
        public var isAttribute: Bool { false }
        /// True.
        public var isRelationship: Bool { true }
        /// False: relationships are saved.
        public var isTransient: Bool { false }
        /// Whether the relationship is part of a uniqueness constraint.
        public var isUnique: Bool { options.contains(.unique) }
        /// Whether the relationship leads to one model at most.
        public var isToOneRelationship: Bool {
            !(TypeKind.unwrapped(valueType).type is any RelationshipCollection.Type)
        }

        /// Whether two relationships have the same name, destination, inverse and rules.
        public static func == (lhs: Relationship, rhs: Relationship) -> Bool {
            lhs === rhs
                || (lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
                    && lhs.destination == rhs.destination && lhs.inverseName == rhs.inverseName
                    && lhs.deleteRule == rhs.deleteRule && lhs.minimumModelCount == rhs.minimumModelCount
                    && lhs.maximumModelCount == rhs.maximumModelCount && lhs.hashModifier == rhs.hashModifier
                    && lhs.isOptional == rhs.isOptional && lhs.isToOneRelationship == rhs.isToOneRelationship)
        }

        /// Hashes the name and the destination.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(destination)
        }

        /// The relationship with its destination and inverse.
        public var debugDescription: String {
            """
            Relationship - name: \(name), options: [\(options.map(\.debugDescription).joined(separator: ", "))], \
            valueType: \(valueType), destination: \(destination), inverseName: \(inverseName ?? "nil"), \
            deleteRule: \(deleteRule.rawValue)
            """
        }

        /// The treatment of the destination when a model is deleted.
        public enum DeleteRule: String, Codable, Sendable {
            /// Nothing.
            case noAction
            /// The destination's reference to the model is removed.
            case nullify
            /// The destination is deleted, too.
            case cascade
            /// The deletion fails while there is a destination.
            case deny
        }

        /// A special trait of a relationship: `@Relationship(.unique)`.
        public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
            private let name: String

            private init(_ name: String) { self.name = name }

            /// No two models refer to the same destination.
            public static var unique: Option { Option("unique") }

            /// The option as it is written in a source.
            public var debugDescription: String { ".\(name)" }
        }
    }
}
