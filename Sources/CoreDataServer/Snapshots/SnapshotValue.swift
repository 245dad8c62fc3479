// SPDX-License-Identifier: Apache-2.0

/// A value in a snapshot of an object: what JSON can express.
///
/// **Extension.** Dates are texts in the form of ISO 8601 with up to six digits for fractions of seconds, decimal
/// numbers and UUIDs are texts, and bytes are texts in Base64.
public enum SnapshotValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([SnapshotValue])
    case object([String: SnapshotValue])
}

extension SnapshotValue: Codable {
    /// Reads a value of any form.
    ///
    /// - Throws: `DecodingError` for a value that JSON doesn't have.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var values: [String: SnapshotValue] = [:]
            for key in container.allKeys {
                values[key.stringValue] = try container.decode(SnapshotValue.self, forKey: key)
            }
            self = .object(values)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [SnapshotValue] = []
            while !container.isAtEnd { values.append(try container.decode(SnapshotValue.self)) }
            self = .array(values)
        } else {
            self = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> SnapshotValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        return .number(try container.decode(Double.self))
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
