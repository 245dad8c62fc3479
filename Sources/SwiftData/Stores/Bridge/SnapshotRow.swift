// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The values of a snapshot in the form of Core Data.
struct SnapshotRow {
    let identifier: PersistentIdentifier
    let objectID: NSManagedObjectID
    /// Attributes, and the IDs of to-one relationships.
    private(set) var values: [String: Any] = [:]
    private(set) var toMany: [String: [NSManagedObjectID]] = [:]

    /// - Throws: an identifier that the store must not return, and a value of another type than the property has.
    init(_ content: SnapshotContent, _ bridge: DataStoreBridge) throws {
        identifier = content.identifier
        objectID = try bridge.objectID(of: content.identifier)
        let type = bridge.schemaModel.type(of: objectID.layout) ?? UnavailableModel.self
        for property in SnapshotProperty.all(of: type) {
            let value = content.values[property.name]
            switch property.kind {
            case .attribute: values[property.name] = try value.flatMap { try property.stored($0) }
            case .toOne:
                values[property.name] =
                    try (value as? PersistentIdentifier).map { try bridge.objectID(of: $0) } ?? NSNull()
            case .toMany:
                toMany[property.name] = try (value as? [PersistentIdentifier] ?? []).map {
                    try bridge.objectID(of: $0)
                }
            }
        }
    }

    /// A number that differs for other values.
    var version: UInt64 {
        var hasher = Hasher()
        func add(_ values: [String: Any]) {
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                hasher.combine(name)
                switch value {
                case let inner as [String: Any]: add(inner)
                case let data as Data: hasher.combine(data)
                case let id as NSManagedObjectID: hasher.combine(id.key)
                // Foundation's objects are hashed by their text: on Linux some of them don't implement a hash.
                default: hasher.combine("\(value)")
                }
            }
        }
        add(values)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
