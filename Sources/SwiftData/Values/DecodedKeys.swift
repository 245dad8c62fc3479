// SPDX-License-Identifier: Apache-2.0

/// The keys that a type's initializer asks a decoder for. The decoder answers with values that are never used.
struct DecodedKeys {
    /// The names of the keys, as far as the initializer came; nil for a value that isn't a keyed one.
    let names: Set<String>?

    func isContained(in others: Set<String>) -> Bool { names.map { $0.isSubset(of: others) } ?? false }

    static func of(_ type: any Decodable.Type) -> DecodedKeys {
        let recorder = KeyRecorder()
        // The initializer may throw because of the values. The keys until then are enough.
        _ = try? type.init(from: RecordingDecoder(recorder: recorder))
        return DecodedKeys(names: recorder.isKeyed && !recorder.isNested ? recorder.names : nil)
    }
}

private final class KeyRecorder {
    var names: Set<String> = []
    var isKeyed = false
    /// Whether a key has a container instead of a value.
    var isNested = false
}

private struct NoValue: Error {}

private struct RecordingDecoder: Decoder {
    let recorder: KeyRecorder?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        recorder?.isKeyed = true
        return KeyedDecodingContainer(RecordingContainer(recorder: recorder))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoValue() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { SampleValue() }
}

private struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: KeyRecorder?
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    private func record(_ key: Key) { recorder?.names.insert(CodingKeyName.name(of: key)) }

    func contains(_ key: Key) -> Bool {
        record(key)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool {
        record(key)
        return true
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        record(key)
        return try SampleValue().decode(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? {
        record(key)
        return nil
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
        -> KeyedDecodingContainer<NestedKey>
    {
        recorder?.isNested = true
        return KeyedDecodingContainer(RecordingContainer<NestedKey>(recorder: nil))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        recorder?.isNested = true
        throw NoValue()
    }

    func superDecoder() -> any Decoder {
        recorder?.isNested = true
        return RecordingDecoder(recorder: nil)
    }

    func superDecoder(forKey key: Key) -> any Decoder { superDecoder() }
}

/// A value of any type that has an obvious one: zero, the empty string, an empty collection.
struct SampleValue: SingleValueDecodingContainer {
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { true }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let cases = (type as? any CaseIterable.Type)?.first as? T { return cases }
        let samples: [Any] = [false, "", Date(timeIntervalSinceReferenceDate: 0), Data(), UUID(), Decimal(), 0.0]
        if let sample = samples.lazy.compactMap({ $0 as? T }).first { return sample }
        if let number = (type as? any BinaryInteger.Type)?.zeroValue as? T { return number }
        if let number = (type as? any BinaryFloatingPoint.Type)?.zeroValue as? T { return number }
        if let array = (type as? any ExpressibleByArrayLiteral.Type)?.emptyValue as? T { return array }
        if type == URL.self, let url = URL(fileURLWithPath: "/") as? T { return url }
        return try T(from: RecordingDecoder(recorder: nil))
    }
}

extension CaseIterable { fileprivate static var first: Any? { allCases.first } }
extension BinaryInteger { fileprivate static var zeroValue: Any { Self.zero } }
extension BinaryFloatingPoint { fileprivate static var zeroValue: Any { Self.zero } }
extension ExpressibleByArrayLiteral { fileprivate static var emptyValue: Any { Self() } }

/// The names of coding keys as properties: the case of an enumeration of keys, whatever its raw value.
enum CodingKeyName {
    static func name<Key: CodingKey>(of key: Key) -> String {
        guard EnumerationMetadata.isEnumeration(Key.self), MemoryLayout<Key>.size <= 1 else { return key.stringValue }
        let cases = EnumerationMetadata.cases(of: Key.self)
        let tag = withUnsafeBytes(of: key) { $0.first.map { Int($0) } ?? 0 }
        return cases.indices.contains(tag) ? cases[tag].name : key.stringValue
    }
}
