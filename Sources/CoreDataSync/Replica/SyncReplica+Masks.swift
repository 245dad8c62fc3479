// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

extension SyncReplica {
    /// The properties that imports leave alone until the server has answered, for the checks of simulations.
    package struct Masks {
        /// The properties with pending changes, by objects.
        package var properties: [UUID: Set<String>] = [:]
        /// The objects that the program has inserted or deleted.
        package var inserted: Set<UUID> = []
        package var deleted: Set<UUID> = []
        /// The inserted objects that no push has.
        package var unsentInsertions: Set<UUID> = []
        /// The objects with a state that the store can't have now.
        package var held: Set<UUID> = []
        /// The objects with changes that the server refused, or that came too late.
        package var problems: Set<UUID> = []
    }

    package func masks() throws -> Masks {
        try onQueue {
            var masks = Masks()
            for row in try pending(NSPredicate(value: true)) {
                masks.properties[row.identity, default: []].formUnion(row.maskedNames)
                if row.kind == .insert { masks.inserted.insert(row.identity) }
                if row.kind == .insert, row.push == 0 { masks.unsentInsertions.insert(row.identity) }
                if row.kind == .delete { masks.deleted.insert(row.identity) }
            }
            for row in try side.fetch(NSFetchRequest<SyncHeldState>(entityName: "HeldState")) {
                masks.held.insert(row.identity)
            }
            for row in try side.fetch(NSFetchRequest<SyncProblemRecord>(entityName: "Problem")) {
                if let identity = row.value(forKey: "identity") as? UUID { masks.problems.insert(identity) }
            }
            return masks
        }
    }

    /// The position that the app's store has; nil before the first import.
    package var position: SyncPosition? {
        get throws { try onQueue { try state().position } }
    }

    /// The account of the store; nil before the first session.
    package var account: String? {
        get throws { try onQueue { try state().account } }
    }

    /// The name in the replica's pushes.
    package var name: UUID {
        get throws { try onQueue { try state().replica } }
    }

    /// The UUID of an object of the app's store; nil if it has none yet.
    package func identity(of id: NSManagedObjectID) throws -> UUID? {
        try onQueue { try SyncRows(self).identity(of: id) }
    }
}
