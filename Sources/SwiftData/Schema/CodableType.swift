// SPDX-License-Identifier: Apache-2.0

/// A type in an encoded schema, by its mangled name.
struct CodableType: Codable {
    let type: any Any.Type

    init(_ type: any Any.Type) { self.type = type }

    private enum CodingKeys: String, CodingKey {
        case name
        case mangledName
    }

    /// A type that the program doesn't have becomes `Any`.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decodeIfPresent(String.self, forKey: .mangledName)
        type = name.flatMap { _typeByName($0) } ?? Any.self
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(_typeName(type, qualified: true), forKey: .name)
        try container.encodeIfPresent(_mangledTypeName(type), forKey: .mangledName)
    }
}

/// An attribute of either class in an encoded schema.
struct CodableAttribute: Codable {
    let attribute: Schema.Attribute

    init(_ attribute: Schema.Attribute) { self.attribute = attribute }

    private enum CodingKeys: String, CodingKey {
        case attribute
        case composite
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        attribute =
            try container.decodeIfPresent(Schema.CompositeAttribute.self, forKey: .composite)
            ?? container.decode(Schema.Attribute.self, forKey: .attribute)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(attribute, forKey: attribute is Schema.CompositeAttribute ? .composite : .attribute)
    }
}
