// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// Finds what is wrong in the objects of an XML or binary store.
enum InMemoryStoreCheck {
    /// - Parameter model: the model that made the store.
    /// - Throws: nothing for a file that can't be read: that is a defect.
    static func defects(at url: URL, model: NSManagedObjectModel) throws -> [StoreDefect] {
        let store: ReadOnlyStore
        do {
            store = try ReadOnlyStore(url: url, model: model)
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code != NSPersistentStoreIncompatibleVersionHashError
        {
            return [StoreDefect(.damagedDatabase, "the file can't be read: \(ErrorReport.text(for: error))")]
        }
        defer { store.close() }
        return try store.context.performSynchronously {
            try store.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap {
                try defects(of: $0, in: store.context)
            }
        }
    }

    private static func defects(
        of entity: NSEntityDescription, in context: NSManagedObjectContext
    ) throws -> [StoreDefect] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        var missing: [String: [Int64]] = [:]
        var oneSided: [String: [Int64]] = [:]
        for object in try context.fetch(request) {
            for (name, property) in entity.propertiesByName where !property.isTransient {
                switch property {
                case let attribute as NSAttributeDescription where !attribute.isOptional:
                    if object.value(forKey: name) == nil { missing[name, default: []].append(object.objectID.key) }
                case let relationship as NSRelationshipDescription:
                    if !relationship.isOptional, !relationship.isToMany, object.value(forKey: name) == nil {
                        missing[name, default: []].append(object.objectID.key)
                    }
                    if !isMutual(relationship, of: object) { oneSided[name, default: []].append(object.objectID.key) }
                default: break
                }
            }
        }
        return defect(missing, .missingValue, entity) { count in
            "\(Wording.count(count, "object")) \(count == 1 ? "has" : "have") no value, which the model requires"
        }
            + defect(oneSided, .oneSidedReference, entity) { count in
                "\(Wording.count(count, "object")) \(count == 1 ? "refers" : "refer") to objects that don't refer back"
            }
    }

    /// Whether the other side of a relationship refers to the object.
    private static func isMutual(_ relationship: NSRelationshipDescription, of object: NSManagedObject) -> Bool {
        guard let inverse = relationship.inverseRelationship else { return true }
        return object.members(of: relationship).allSatisfy { member in
            member.members(of: inverse).contains { $0 === object }
        }
    }

    private static func defect(
        _ keys: [String: [Int64]], _ kind: StoreDefect.Kind, _ entity: NSEntityDescription, _ finding: (Int) -> String
    ) -> [StoreDefect] {
        keys.sorted { $0.key < $1.key }.map { name, keys in
            StoreDefect(
                kind, entity: entity.name, property: name, count: keys.count,
                primaryKeys: Array(keys.sorted().prefix(5)),
                finding(keys.count))
        }
    }
}
