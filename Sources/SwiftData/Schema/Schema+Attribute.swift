// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// A value that models of an entity have: `@Attribute` in a schema.
    public class Attribute: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
        /// The name of the attribute.
        public var name: String
        /// The name in an earlier version of the schema; the name itself if the attribute was not renamed.
        public var originalName: String {
            get { earlierName ?? name }
            set { earlierName = newValue == name ? nil : newValue }
        }
        /// The options of the attribute.
        public var options: [Option]
        /// The type of the value.
        public var valueType: any Any.Type
        /// The value of a new model whose initializer sets none.
        public var defaultValue: Any?
        /// A text that changes the version hash of the attribute, for a change of meaning without a change of type.
        public var hashModifier: String?
        /// Whether the attribute may have no value.
        public var isOptional: Bool

        /// The earlier name, nil if the attribute was not renamed.
        private(set) var earlierName: String?

        /// Makes an attribute whose name and type the property supplies: the form of `@Attribute`.
        ///
        /// - Parameters:
        ///   - options: what is special about the attribute.
        ///   - originalName: the name in an earlier version of the schema.
        ///   - hashModifier: a text that changes the version hash.
        public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
            name = ""
            self.options = options
            valueType = Any.self
            self.hashModifier = hashModifier
            isOptional = false
            earlierName = originalName
        }

        /// Makes an attribute.
        ///
        /// - Parameters:
        ///   - name: the name of the attribute.
        ///   - originalName: the name in an earlier version of the schema.
        ///   - options: what is special about the attribute.
        ///   - valueType: the type of the value; an optional type makes the attribute optional.
        ///   - defaultValue: the value of a new model whose initializer sets none.
        ///   - hashModifier: a text that changes the version hash.
        public init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            self.name = name
            self.options = options
            self.valueType = valueType
            self.defaultValue = defaultValue
            self.hashModifier = hashModifier
            isOptional = valueType is any OptionalType.Type
            earlierName = originalName == name ? nil : originalName
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case originalName
            case options
            case valueType
            case defaultValue
            case hashModifier
            case isOptional
        }

        /// Decodes an attribute. A type that the program doesn't have becomes `Any`.
        public required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            options = try container.decode([Option].self, forKey: .options)
            valueType = try container.decode(CodableType.self, forKey: .valueType).type
            hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
            isOptional = try container.decode(Bool.self, forKey: .isOptional)
            earlierName = try container.decodeIfPresent(String.self, forKey: .originalName)
            if container.contains(.defaultValue), let type = valueType as? any Decodable.Type {
                defaultValue = try container.decode(type, forKey: .defaultValue)
            }
        }

        /// Encodes the attribute. A default value that isn't `Encodable` is left out.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(options, forKey: .options)
            try container.encode(CodableType(valueType), forKey: .valueType)
            try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
            try container.encode(isOptional, forKey: .isOptional)
            try container.encodeIfPresent(earlierName, forKey: .originalName)
            if let value = defaultValue as? any Encodable { try container.encode(value, forKey: .defaultValue) }
        }

        /// True.
        public var isAttribute: Bool { true }
        /// False.
        public var isRelationship: Bool { false }
        /// Whether the value is tracked and not saved.
        public var isTransient: Bool { has(.ephemeral) }
        /// Whether no two models have the same value.
        public var isUnique: Bool { has(.unique) }
        /// Whether a transformer turns the value into data.
        public var isTransformable: Bool { has(.transformable) }
        /// Whether the value is stored as its encoded form.
        public var isCodable: Bool { has(.codable) }

        /// The name of the transformer of a transformable attribute.
        var transformerName: String? { options.first { $0.kind == .transformable }?.transformerName }

        func has(_ kind: Option.Kind) -> Bool { options.contains { $0.kind == kind } }

        /// Whether two attributes have the same name, type and options.
        public static func == (lhs: Attribute, rhs: Attribute) -> Bool {
            lhs === rhs || (Swift.type(of: lhs) == Swift.type(of: rhs) && lhs.isEqual(to: rhs))
        }

        func isEqual(to other: Attribute) -> Bool {
            name == other.name && originalName == other.originalName && options == other.options
                && valueType == other.valueType && hashModifier == other.hashModifier && isOptional == other.isOptional
        }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }

        /// The attribute with its type and options.
        public var debugDescription: String {
            let options = options.map(\.debugDescription).joined(separator: ", ")
            return "Attribute - name: \(name), type: \(valueType), options: [\(options)]"
        }
    }

    /// An attribute with elements: a structure, or an enumeration.
    public final class CompositeAttribute: Attribute, @unchecked Sendable {
        /// The elements of the value.
        public var properties: [Attribute]

        /// Makes an attribute with the elements of its type.
        ///
        /// - Parameters:
        ///   - name: the name of the attribute.
        ///   - originalName: the name in an earlier version of the schema.
        ///   - options: what is special about the attribute.
        ///   - valueType: a structure or an enumeration that is `Codable`.
        ///   - defaultValue: the value of a new model whose initializer sets none.
        ///   - hashModifier: a text that changes the version hash.
        public override init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            properties = Self.properties(name, valueType, isOptional: valueType is any OptionalType.Type)
            super.init(
                name: name, originalName: originalName, options: options, valueType: valueType,
                defaultValue: defaultValue, hashModifier: hashModifier)
        }

        /// Makes an element of another composite attribute.
        init(name: String, valueType: any Any.Type, isOptional: Bool) {
            properties = Self.properties(name, valueType, isOptional: isOptional)
            super.init(name: name, valueType: valueType)
        }

        private static func properties(_ name: String, _ type: any Any.Type, isOptional: Bool) -> [Attribute] {
            CompositeShape(of: type, named: name)?.elements.map { $0.attribute(ofOptional: isOptional) } ?? []
        }

        private enum CodingKeys: String, CodingKey { case properties }

        /// Decodes an attribute with its elements.
        public required init(from decoder: any Decoder) throws {
            properties = try decoder.container(keyedBy: CodingKeys.self)
                .decode([CodableAttribute].self, forKey: .properties).map(\.attribute)
            try super.init(from: decoder)
        }

        /// Encodes the attribute with its elements.
        public override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(properties.map(CodableAttribute.init), forKey: .properties)
        }

        override func isEqual(to other: Attribute) -> Bool {
            super.isEqual(to: other) && properties == (other as? CompositeAttribute)?.properties
        }

        /// Whether two attributes have the same name, type, options and elements.
        public static func == (lhs: CompositeAttribute, rhs: CompositeAttribute) -> Bool {
            lhs === rhs || lhs.isEqual(to: rhs)
        }

        /// The attribute with its elements.
        public override var debugDescription: String {
            "Composite\(super.debugDescription), properties: [\(properties.map(\.name).joined(separator: ", "))]"
        }
    }
}
