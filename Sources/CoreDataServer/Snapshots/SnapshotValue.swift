// SPDX-License-Identifier: Apache-2.0

/// A value in a snapshot of an object: a value that JSON can express.
///
/// **Extension.** Dates are texts in the form of ISO 8601 with up to six digits for fractions of seconds, decimal
/// numbers and UUIDs are texts, and bytes are texts in Base64.
public enum SnapshotValue: Hashable, Sendable {
    /// No value.
    case null
    /// A Boolean.
    case bool(Bool)
    /// A whole number that fits into 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in order: IDs or objects of a to-many relationship.
    case array([SnapshotValue])
    /// Values by key: a related object, or a composite.
    case object([String: SnapshotValue])
}

extension SnapshotValue: Codable {
    /// How deep arrays and objects are nested at most.
    static let maximumDepth = 16

    /// Reads a value of any form.
    ///
    /// - Throws: `DecodingError` for a value that JSON doesn't have; ``SnapshotError`` with a problem of the kind
    ///   `notJSON` for arrays and objects that are nested more than 16 deep.
    public init(from decoder: any Decoder) throws {
        // Each failed attempt makes an error with the path to the value, which takes the longer the deeper it is.
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let container = try? decoder.container(keyedBy: Key.self) {
            try Self.checkDepth(decoder)
            var values: [String: SnapshotValue] = [:]
            for key in container.allKeys {
                values[key.stringValue] = try container.decode(SnapshotValue.self, forKey: key)
            }
            self = .object(values)
        } else if var container = try? decoder.unkeyedContainer() {
            try Self.checkDepth(decoder)
            var values: [SnapshotValue] = []
            while !container.isAtEnd { values.append(try container.decode(SnapshotValue.self)) }
            self = .array(values)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    private static func checkDepth(_ decoder: any Decoder) throws {
        guard decoder.codingPath.count >= maximumDepth else { return }
        throw SnapshotError("", .notJSON, "Arrays and objects are nested more than \(maximumDepth) deep.")
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let values):
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in values { try container.encode(value, forKey: Key(key)) }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try Self.encode(value, encoder)
        case .integer(let value): try Self.encode(value, encoder)
        case .number(let value): try Self.encode(value, encoder)
        case .string(let value): try Self.encode(value, encoder)
        }
    }

    private static func encode(_ value: some Encodable, _ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}

extension SnapshotValue {
    /// The name of the value's form, in errors.
    var formName: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer, .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
