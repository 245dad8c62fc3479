// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Makes structures and enumerations from the values of composite attributes.
enum CompositeDecoding {
    /// The value with the given elements.
    ///
    /// - Parameters:
    ///   - type: the type of a structure or an enumeration, not optional.
    ///   - values: the elements by name, without elements that are nil.
    ///   - name: the name of the attribute.
    static func value(of type: any Decodable.Type, from values: [String: Any], named name: String) throws -> Any {
        guard let shape = CompositeShape(of: type, named: name) else { throw missing("\(type) has no elements") }
        switch shape.form {
        case .rawValue:
            guard let raw = values[name], let value = (type as? any RawRepresentable.Type)?.make(from: raw) else {
                throw missing("\(values[name] ?? "nil") is no raw value of \(type)")
            }
            return value
        case .cases:
            // A case without a payload is stored as its name.
            let payloads = values.mapValues { $0 as? Data ?? JSONForm.emptyPayload }
            return try JSONForm.value(of: type, members: payloads)
        case .structure:
            if let raw = type as? any RawRepresentable.Type, shape.elements.count == 1 {
                guard let stored = values[shape.elements[0].name], let value = raw.make(from: stored) else {
                    throw missing("no raw value of \(type)")
                }
                return value
            }
            return try type.init(from: StructureDecoder(shape, values))
        }
    }

    static func missing(_ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: reason))
    }

    /// The value of an element; nil for nil.
    static func element<T: Decodable>(_ type: T.Type, _ stored: Any?, _ element: CompositeShape.Element) throws -> T {
        guard let stored else {
            if let none = AnyValues.cast(nil, to: type) { return none }
            throw missing("\(element.name) has no value")
        }
        let plain = TypeKind.unwrapped(type).type
        let value: Any?
        switch element.form {
        case .plain: value = (plain as? any AttributeValue.Type)?.init(storedValue: stored)
        case .composite:
            guard let values = stored as? [String: Any], let decodable = plain as? any Decodable.Type else {
                throw missing("\(element.name) has another form")
            }
            value = try self.value(of: decodable, from: values, named: element.name)
        case .archived, .transformable, .encoded:
            guard let data = stored as? Data, let decodable = plain as? any Decodable.Type else {
                throw missing("\(element.name) has another form")
            }
            value = try JSONForm.value(of: decodable, in: data)
        }
        guard let value = value as? T else { throw missing("\(element.name) has another type than \(type)") }
        return value
    }
}

extension RawRepresentable {
    fileprivate static func make(from stored: Any) -> Any? {
        ((RawValue.self as? any AttributeValue.Type)?.init(storedValue: stored) as? RawValue).flatMap {
            Self(rawValue: $0)
        }
    }
}

private struct StructureDecoder: Decoder {
    let elements: [String: CompositeShape.Element]
    let values: [String: Any]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ shape: CompositeShape, _ values: [String: Any]) {
        elements = Dictionary(shape.elements.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.values = values
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(StructureContainer(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw CompositeDecoding.missing("a composite attribute is no list")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw CompositeDecoding.missing("a composite attribute is no single value")
    }
}

private struct StructureContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: StructureDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.values.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { decoder.values[CodingKeyName.name(of: key)] != nil }

    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let name = CodingKeyName.name(of: key)
        guard let element = decoder.elements[name] else {
            throw CompositeDecoding.missing("the key '\(name)' is no stored property")
        }
        return try CompositeDecoding.element(type, decoder.values[name], element)
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        throw CompositeDecoding.missing("a composite attribute contains the values of keys alone")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw CompositeDecoding.missing("a composite attribute contains the values of keys alone")
    }

    func superDecoder() throws -> any Decoder {
        throw CompositeDecoding.missing("a composite attribute contains the values of keys alone")
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }
}
