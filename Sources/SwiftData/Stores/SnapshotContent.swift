// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The content of a snapshot of any type: the identifier, and the values by the names of properties.
struct SnapshotContent {
    let identifier: PersistentIdentifier
    let values: [String: Any]

    /// - Throws: the error that the snapshot throws when it is encoded.
    init(_ snapshot: some DataStoreSnapshot) throws {
        identifier = snapshot.persistentIdentifier
        if let known = snapshot as? DefaultSnapshot {
            values = known.values
            return
        }
        let capture = SnapshotValueCapture()
        try snapshot.encode(to: capture)
        values = capture.values
    }
}

/// Collects the values that a snapshot encodes, without encoding them.
private final class SnapshotValueCapture: Encoder {
    var values: [String: Any] = [:]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(SnapshotValueContainer(capture: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { refusing }

    func singleValueContainer() -> any SingleValueEncodingContainer { refusing }

    private var refusing: RefusingSnapshotContainer { RefusingSnapshotContainer() }
}

private struct SnapshotValueContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let capture: SnapshotValueCapture
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { capture.values[key.stringValue] = nil }

    func encode<T: Encodable>(_ value: T, forKey key: Key) {
        capture.values[key.stringValue] = AnyValues.unwrapped(value)
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type, forKey key: Key)
        -> KeyedEncodingContainer<NestedKey>
    { KeyedEncodingContainer(RefusingSnapshotKeyedContainer()) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusingSnapshotContainer() }

    func superEncoder() -> any Encoder { SnapshotValueCapture() }

    func superEncoder(forKey key: Key) -> any Encoder { SnapshotValueCapture() }
}

// MARK: What a snapshot can't be

private var refusal: any Error {
    EncodingError.invalidValue(
        "snapshot", .init(codingPath: [], debugDescription: "A snapshot encodes each of its values under a key."))
}

private struct RefusingSnapshotContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    func encodeNil() throws { throw refusal }

    func encode<T: Encodable>(_ value: T) throws { throw refusal }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(RefusingSnapshotKeyedContainer())
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

    func superEncoder() -> any Encoder { SnapshotValueCapture() }
}

private struct RefusingSnapshotKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { throw refusal }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw refusal }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type, forKey key: Key)
        -> KeyedEncodingContainer<NestedKey>
    { KeyedEncodingContainer(RefusingSnapshotKeyedContainer<NestedKey>()) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusingSnapshotContainer() }

    func superEncoder() -> any Encoder { SnapshotValueCapture() }

    func superEncoder(forKey key: Key) -> any Encoder { SnapshotValueCapture() }
}
