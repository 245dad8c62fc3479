// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The objects at the other end of a relationship of one object: `Artist/p12/songs`.
struct RelatedObjects {
    let owner: NSManagedObjectID
    let relationship: NSRelationshipDescription
    /// Selects them among the objects of the relationship's destination.
    let predicate: NSPredicate

    init(_ text: String, in store: ReadOnlyStore) throws {
        // The name of an entity may have slashes, the name of a relationship has none.
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let entity = parts.dropLast(2).joined(separator: "/")
        guard parts.count >= 3, let owner = store.objectID("\(entity)/\(parts[parts.count - 2])"),
            let relationship = try store.entity(named: entity).relationshipsByName[parts[parts.count - 1]]
        else { throw CommandError("'\(text)' names no relationship of an object. Use Entity/p1/relationship.") }
        try self.init(owner: owner, relationship: relationship, in: store)
    }

    /// - Throws: the error of an owner that is missing or can't be read, if the relationship has no inverse.
    init(owner: NSManagedObjectID, relationship: NSRelationshipDescription, in store: ReadOnlyStore) throws {
        self.owner = owner
        self.relationship = relationship
        guard let inverse = relationship.inverseRelationship else {
            // Without an inverse, the members are named one by one.
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = store.coordinator
            let members = try context.performSynchronously {
                try context.existingObject(with: owner).members(of: relationship).map(\.objectID)
            }
            predicate = NSPredicate(format: "SELF IN %@", argumentArray: [members])
            return
        }
        predicate = NSPredicate(
            format: inverse.isToMany ? "ANY %K == %@" : "%K == %@", argumentArray: [inverse.name, owner])
    }
}
