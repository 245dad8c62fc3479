// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension NSEntityDescription {
    /// The attributes whose values a store has, sorted by name.
    var storedAttributes: [NSAttributeDescription] {
        attributesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
    }

    /// The relationships whose members a store has, sorted by name.
    var storedRelationships: [NSRelationshipDescription] {
        relationshipsByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
    }

    /// The attributes of each uniqueness constraint of the entity and its superentities. Constraints with relationships
    /// or elements of composites are left out.
    var uniqueAttributes: [[NSAttributeDescription]] {
        sequence(first: self, next: \.superentity).flatMap(\.uniquenessConstraints).compactMap { constraint in
            let attributes = constraint.compactMap { member in
                (member as? String ?? (member as? NSPropertyDescription)?.name).flatMap { attributesByName[$0] }
            }
            return attributes.count == constraint.count && !attributes.isEmpty ? attributes : nil
        }
    }
}

extension NSManagedObject {
    /// The objects at the other end of a relationship. The objects of an unordered relationship have no order.
    func members(of relationship: NSRelationshipDescription) -> [NSManagedObject] {
        switch value(forKey: relationship.name) {
        case let object as NSManagedObject: [object]
        case let objects as NSOrderedSet: objects.array.compactMap { $0 as? NSManagedObject }
        case let objects as NSSet: objects.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }
}
