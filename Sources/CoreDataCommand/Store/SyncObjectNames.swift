// SPDX-License-Identifier: Apache-2.0

import CoreDataSync
import OpenCoreData

/// Readable names of the objects of a status.
struct SyncObjectNames {
    private let names: [NSManagedObjectID: (title: String, label: String)]

    /// - Parameter context: a context of the store that syncs.
    init(
        _ status: SyncStoreStatus, _ changes: [SyncStoreStatus.Change], in context: NSManagedObjectContext
    ) throws {
        let objects = changes.map(\.object) + status.problems.map(\.object) + status.held.map(\.object)
        try self.init(objects + status.largeValues.map(\.object), in: context)
    }

    init(_ objects: [SyncStoreStatus.Object], in context: NSManagedObjectContext) throws {
        let ids = objects.compactMap(\.id)
        names = try context.performSynchronously {
            try context.objects(of: ids).mapValues { (ObjectLabel.title(of: $0), ObjectLabel.text(of: $0)) }
        }
    }

    /// Whether the store has the object.
    func has(_ object: SyncStoreStatus.Object) -> Bool { title(of: object) != nil }

    /// The entity, the key and the label; nil for an object that the store hasn't got.
    func title(of object: SyncStoreStatus.Object) -> String? { object.id.flatMap { names[$0]?.title } }

    /// The label; nil for an object that the store hasn't got.
    func label(of object: SyncStoreStatus.Object) -> String? { object.id.flatMap { names[$0]?.label } }

    /// The title, or else the entity and the identity.
    func name(of object: SyncStoreStatus.Object) -> String {
        title(of: object)
            ?? [object.entityName, object.identity.uuidString].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The name with the identity.
    func fullName(of object: SyncStoreStatus.Object) -> String {
        title(of: object).map { "\($0) (\(object.identity.uuidString))" } ?? name(of: object)
    }
}
