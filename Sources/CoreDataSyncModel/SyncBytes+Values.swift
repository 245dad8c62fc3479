// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// The bytes in which a side store keeps values. They are read many times faster than JSON.
extension SyncByteWriter {
    package mutating func write(_ uuid: UUID) { withUnsafeBytes(of: uuid.uuid) { write(bytes: $0) } }

    mutating func write(_ value: SyncValue) {
        switch value {
        case .null: write(Int64(0))
        case .boolean(let value): write(Int64(value ? 2 : 1))
        case .integer(let value):
            write(Int64(3))
            write(value)
        case .double(let value):
            write(Int64(4))
            write(value)
        case .date(let value):
            write(Int64(5))
            write(value)
        case .decimal(let value):
            write(Int64(6))
            write(value.isNaN ? "nan" : "\(value)")
        case .text(let value):
            write(Int64(7))
            write(value)
        case .uri(let value):
            write(Int64(8))
            write(value)
        case .uuid(let value):
            write(Int64(9))
            write(value)
        case .object(let value):
            write(Int64(10))
            write(value)
        case .objects(let values):
            write(Int64(11))
            write(Int64(values.count))
            for value in values { write(value) }
        case .data(let value):
            write(Int64(12))
            write(Int64(value.count))
            value.withUnsafeBytes { write(bytes: $0) }
        case .composite(let values):
            write(Int64(13))
            write(values)
        case .blob(let value):
            write(Int64(14))
            write(value)
        }
    }

    package mutating func write(_ blob: SyncBlob) {
        write(Int64(blob.digest.count))
        blob.digest.withUnsafeBytes { write(bytes: $0) }
        write(blob.size)
    }

    package mutating func write(_ values: [String: SyncValue]) {
        write(Int64(values.count))
        for (name, value) in values {
            write(name)
            write(value)
        }
    }

    /// Writes what there is of each of some objects.
    package mutating func write<Value>(
        _ objects: [UUID: Value], _ body: (inout SyncByteWriter, Value) -> Void
    ) {
        write(Int64(objects.count))
        for (identity, value) in objects {
            write(identity)
            body(&self, value)
        }
    }

    package mutating func write(_ state: SyncObjectState) {
        write(state.object)
        write(state.entity)
        write(state.kind.rawValue)
        write(state.life)
        write(state.target.map(SyncValue.uuid) ?? .null)
        write(state.values)
    }
}

extension SyncByteReader {
    package mutating func uuid() -> UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { read($0) }
        return UUID(uuid: bytes)
    }

    package mutating func value(depth: Int = 0) -> SyncValue {
        switch integer() {
        case 1: return .boolean(false)
        case 2: return .boolean(true)
        case 3: return .integer(integer())
        case 4: return .double(number())
        case 5: return .date(number())
        case 6:
            let text = text()
            return .decimal(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? .nan)
        case 7: return .text(text())
        case 8: return .uri(text())
        case 9: return .uuid(uuid())
        case 10: return .object(uuid())
        case 11: return .objects((0..<count()).map { _ in uuid() })
        case 12: return .data(bytes(Int(clamping: integer())))
        case 13: return depth < Self.mostLevels ? .composite(values(depth: depth + 1)) : .null
        case 14: return .blob(blob())
        default: return .null
        }
    }

    package mutating func blob() -> SyncBlob {
        let digest = bytes(Int(clamping: integer()))
        return SyncBlob(digest: digest, size: integer())
    }

    /// Composites within composites: a damaged store may have any number of them.
    private static let mostLevels = 64

    package mutating func values(depth: Int = 0) -> [String: SyncValue] {
        var values: [String: SyncValue] = [:]
        for _ in 0..<count() {
            let name = text()
            values[name] = value(depth: depth)
        }
        return values
    }

    package mutating func objects<Value>(_ body: (inout SyncByteReader) -> Value) -> [UUID: Value] {
        let count = count()
        var objects = [UUID: Value](minimumCapacity: count)
        for _ in 0..<count {
            let identity = uuid()
            objects[identity] = body(&self)
        }
        return objects
    }

    /// - Returns: nil for a kind that doesn't exist.
    mutating func state() -> SyncObjectState? {
        let (object, entity, kind, life) = (uuid(), text(), SyncObjectState.Kind(rawValue: text()), integer())
        var target: UUID?
        if case .uuid(let identity) = value() { target = identity }
        let values = values()
        return kind.map {
            SyncObjectState(object: object, entity: entity, kind: $0, life: life, values: values, target: target)
        }
    }

    package mutating func states() -> [SyncObjectState] { (0..<count()).compactMap { _ in state() } }
}
