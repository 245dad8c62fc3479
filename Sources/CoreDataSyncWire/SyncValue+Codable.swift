// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The JSON of a value: `null`, `true`, a whole number or a text stand for themselves. Other values are objects with
/// one key, which names their type.
extension SyncValue: Codable {
    private enum Key: String, CodingKey {
        case double = "f"
        case decimal = "n"
        case date = "t"
        case uuid = "u"
        case uri = "l"
        case data = "d"
        case blob = "b"
        case object = "o"
        case objects = "os"
        case composite = "c"
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .boolean(let value): try Self.encode(value, to: encoder)
        case .integer(let value): try Self.encode(value, to: encoder)
        case .text(let value): try Self.encode(value, to: encoder)
        case .double(let value): try Self.encode(Self.text(value), .double, to: encoder)
        case .date(let value): try Self.encode(Self.text(value), .date, to: encoder)
        case .decimal(let value): try Self.encode(value.isNaN ? "nan" : "\(value)", .decimal, to: encoder)
        case .uuid(let value): try Self.encode(value, .uuid, to: encoder)
        case .uri(let value): try Self.encode(value, .uri, to: encoder)
        case .data(let value): try Self.encode(value.base64EncodedString(), .data, to: encoder)
        case .blob(let value): try Self.encode(value, .blob, to: encoder)
        case .object(let value): try Self.encode(value, .object, to: encoder)
        case .objects(let values): try Self.encode(values, .objects, to: encoder)
        case .composite(let values): try Self.encode(values, .composite, to: encoder)
        }
    }

    private static func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private static func encode(_ value: some Encodable, _ key: Key, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: key)
    }

    /// The shortest text that reads back to the same number. JSON has no infinities and no NaN.
    private static func text(_ value: Double) -> String { value.isNaN ? "nan" : "\(value)" }

    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            self = try Self.tagged(container, decoder)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    private static func tagged(_ container: KeyedDecodingContainer<Key>, _ decoder: any Decoder) throws -> SyncValue {
        guard container.allKeys.count == 1, let key = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "A value has one key that names its type."))
        }
        func wrong(_ what: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: "It isn't \(what).")
        }
        switch key {
        case .double, .date:
            let text = try container.decode(String.self, forKey: key)
            guard let number = Double(text) else { throw wrong("a number") }
            return key == .double ? .double(number) : .date(number)
        case .decimal:
            let text = try container.decode(String.self, forKey: key)
            if text == "nan" { return .decimal(.nan) }
            guard let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), "\(number)" == text
            else { throw wrong("a decimal number") }
            return .decimal(number)
        case .data:
            guard let data = Data(base64Encoded: try container.decode(String.self, forKey: key)) else {
                throw wrong("base64")
            }
            return .data(data)
        case .blob: return .blob(try container.decode(SyncBlob.self, forKey: key))
        case .uuid: return .uuid(try container.decode(UUID.self, forKey: key))
        case .uri: return .uri(try container.decode(String.self, forKey: key))
        case .object: return .object(try container.decode(UUID.self, forKey: key))
        case .objects: return .objects(try container.decode([UUID].self, forKey: key))
        case .composite:
            // A composite may contain composites: a decoder of JSON limits the depth of a message.
            return .composite(try container.decode([String: SyncValue].self, forKey: key))
        }
    }
}
