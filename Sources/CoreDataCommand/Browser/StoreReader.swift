// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The store and the context from which a page reads, on the queue of the context.
struct StoreReader {
    let store: ReadOnlyStore
    let context: NSManagedObjectContext

    /// The entities of the store by name.
    var entities: [NSEntityDescription] { store.entities.sorted { ($0.name ?? "") < ($1.name ?? "") } }

    func entity(named name: String) throws -> NSEntityDescription {
        guard let entity = store.entities.first(where: { $0.name == name }) else {
            throw WebFault(404, "The store has no entity ‘\(name.prefix(200))’.")
        }
        return entity
    }

    /// The ID of `Entity`, `p12`.
    func id(_ entity: String, _ key: String) throws -> NSManagedObjectID {
        _ = try self.entity(named: entity)
        guard key.hasPrefix("p"), let number = Int64(key.dropFirst()),
            let id = store.objectID(of: entity, key: number)
        else { throw WebFault.notFound }
        return id
    }

    /// The object with this name.
    func object(_ name: BrowserRoute.ObjectName) throws -> NSManagedObject {
        guard let object = try find(id(name.entity, name.key), of: name.entity) else {
            throw WebFault(
                404, "There is no object \(name.entity)/\(name.key) in the store. It may have been deleted.")
        }
        return object
    }

    func find(_ id: NSManagedObjectID, of entity: String) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [id])
        return try context.fetch(request).first
    }
}
