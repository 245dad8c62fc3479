// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Turns structures and enumerations into the values of composite attributes.
enum CompositeEncoding {
    /// The elements of a value by name, without elements that are nil.
    ///
    /// - Parameters:
    ///   - value: a structure or an enumeration, not nil.
    ///   - name: the name of the attribute.
    static func dictionary(of value: any Encodable, named name: String) throws -> [String: Any] {
        guard let shape = CompositeShape(of: type(of: value), named: name) else {
            throw invalid(value, "\(type(of: value)) has no elements.")
        }
        switch shape.form {
        case .rawValue:
            return [name: try element(rawValue(of: value), shape.elements[0]) as Any]
        case .cases: return try cases(of: value, shape)
        case .structure:
            if let raw = value as? any RawRepresentable, shape.elements.count == 1 {
                return [shape.elements[0].name: try element(raw.anyRawValue, shape.elements[0]) as Any]
            }
            let encoder = StructureEncoder(shape)
            try value.encode(to: encoder)
            return encoder.values
        }
    }

    /// The case of an enumeration: its name, or the JSON of its payload.
    private static func cases(of value: any Encodable, _ shape: CompositeShape) throws -> [String: Any] {
        let payloads = try JSONForm.members(of: value)
        return try Dictionary(
            uniqueKeysWithValues: payloads.map { name, payload in
                guard let element = shape.elements.first(where: { $0.name == name }) else {
                    throw invalid(value, "the key '\(name)' is no case of \(type(of: value))")
                }
                if case .encoded = element.form { return (name, payload) }
                guard payload == JSONForm.emptyPayload else {
                    throw invalid(value, "the case '\(name)' of \(type(of: value)) has no payload, but encodes one")
                }
                return (name, name)
            })
    }

    private static func invalid(_ value: Any, _ reason: String) -> any Error {
        EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: reason))
    }

    private static func rawValue(of value: Any) -> Any? { (value as? any RawRepresentable)?.anyRawValue }

    /// The stored form of the value of an element; nil for nil.
    static func element(_ value: Any?, _ element: CompositeShape.Element) throws -> Any? {
        guard let value = AnyValues.unwrapped(value) else { return nil }
        switch element.form {
        case .plain(let type): return PlainValues.stored(value, type)
        case .composite:
            guard let value = value as? any Encodable else { return nil }
            return try dictionary(of: value, named: element.name)
        case .archived, .transformable, .encoded:
            guard let value = value as? any Encodable else { return nil }
            return try JSONForm.data(of: value)
        }
    }
}

extension RawRepresentable {
    fileprivate var anyRawValue: Any { rawValue }
}

/// Collects the values that a structure encodes, by the names of its elements.
private final class StructureEncoder: Encoder {
    private let elements: [String: CompositeShape.Element]
    var values: [String: Any] = [:]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ shape: CompositeShape) {
        elements = Dictionary(shape.elements.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func set(_ value: Any?, _ key: some CodingKey) throws {
        let name = CodingKeyName.name(of: key)
        guard let element = elements[name] else { throw Self.unsupported("the key '\(name)' is no stored property") }
        values[name] = try CompositeEncoding.element(value, element)
    }

    static func unsupported(_ reason: String) -> any Error {
        EncodingError.invalidValue(reason, .init(codingPath: [], debugDescription: reason))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(StructureContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { RefusingContainer() }
}

private struct StructureContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: StructureEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { try encoder.set(nil, key) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.set(value, key) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type, forKey key: Key)
        -> KeyedEncodingContainer<NestedKey>
    {
        KeyedEncodingContainer(RefusingKeyedContainer())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusingContainer() }

    func superEncoder() -> any Encoder { RefusingEncoder() }

    func superEncoder(forKey key: Key) -> any Encoder { RefusingEncoder() }
}

// MARK: What a composite attribute can't contain

private let refusal = "a composite attribute contains the values of keys alone"

private struct RefusingEncoder: Encoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RefusingKeyedContainer())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { RefusingContainer() }
}

private struct RefusingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { throw StructureEncoder.unsupported(refusal) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw StructureEncoder.unsupported(refusal) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type, forKey key: Key)
        -> KeyedEncodingContainer<NestedKey>
    {
        KeyedEncodingContainer(RefusingKeyedContainer<NestedKey>())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusingContainer() }

    func superEncoder() -> any Encoder { RefusingEncoder() }

    func superEncoder(forKey key: Key) -> any Encoder { RefusingEncoder() }
}

private struct RefusingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    func encodeNil() throws { throw StructureEncoder.unsupported(refusal) }

    func encode<T: Encodable>(_ value: T) throws { throw StructureEncoder.unsupported(refusal) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(RefusingKeyedContainer<NestedKey>())
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

    func superEncoder() -> any Encoder { RefusingEncoder() }
}
