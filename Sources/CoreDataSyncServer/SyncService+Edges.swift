// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The changes of scopes by saves: a row for each edge that is new or gone. Pulls find in them who gets an object
/// that didn't change, and who has to give one up.
extension SyncService {
    /// Notes the edges of objects that a save changes, inserts and deletes.
    ///
    /// - Parameter changed: the names of the changed properties, by the records of the objects; nil for new objects.
    func noteEdges(_ changed: [SyncRecord: Set<String>?], at position: Int64) throws {
        guard let scopes else { return }
        var records: Set<SyncRecord> = []
        var names: [NSManagedObjectID: Set<String>] = [:]
        for (record, properties) in changed {
            guard record.isAlive, let entity = self.entity(record.entityName) else {
                records.insert(record)
                continue
            }
            let isConcerned = properties.map { !$0.isDisjoint(with: scopes.edgeProperties(of: entity)) } ?? true
            if isConcerned { records.insert(record) }
            if let id = id(of: record), let properties { names[id] = properties }
        }
        for (entity, key, ends) in dependents(on: names, scopes) {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: "%K IN %@", key, ends)
            let objects = try context.fetch(request).map(\.objectID)
            records.formUnion(try self.records(of: objects).values)
        }
        try noteEdges(of: records, at: position, isLogged: true)
    }

    /// The objects of templates whose predicates depend on changed properties of others.
    private func dependents(
        on names: [NSManagedObjectID: Set<String>], _ scopes: SyncScopes
    ) -> [(entity: String, key: String, ends: [NSManagedObjectID])] {
        var ends: [String: [String: [NSManagedObjectID]]] = [:]
        for (id, names) in names {
            for (entity, key) in scopes.dependents(on: id.entity, names) {
                ends[entity.name ?? "", default: [:]][key, default: []].append(id)
            }
        }
        return ends.flatMap { entity, keys in keys.map { (entity, $0.key, $0.value) } }
    }

    private func noteEdges(of records: Set<SyncRecord>, at position: Int64, isLogged: Bool) throws {
        guard let scopes else { return }
        let objects = try objects(of: records.filter(\.isAlive))
        let neighbours = objects.mapValues { scopes.neighbours(of: $0) }
        let ends = Set(neighbours.values.flatMap { $0.parents + $0.children }.map(\.id))
        let identities = try self.records(of: ends).mapValues(\.identity)
        for record in records.sorted(by: { $0.identity < $1.identity }) {
            let old = record.edges
            var new = SyncEdges()
            if record.isAlive, let object = objects[record.objectID] {
                let (parents, children) = neighbours[record.objectID] ?? ([], [])
                func end(_ neighbour: SyncScopes.Neighbour) -> SyncEdges.End? {
                    identities[neighbour.id].map { SyncEdges.End(relationship: neighbour.relationship, uuid: $0) }
                }
                new.parents = Set(parents.compactMap(end)).union(scopes.nodes(of: object))
                new.children = Set(children.compactMap(end))
            }
            if variant.contains(.forgetsMembership) { new.parents.formUnion(old.parents) }
            guard new != old else { continue }
            record.edges = new
            guard isLogged else { continue }
            let (before, after) = (old.edges(of: record.identity), new.edges(of: record.identity))
            for edge in before.subtracting(after) { try noteEdge(edge, isAdded: false, position) }
            for edge in after.subtracting(before) {
                // A new object is sent for itself.
                if record.isInserted, edge.child == record.identity { continue }
                try noteEdge(edge, isAdded: true, position)
            }
        }
    }

    private func noteEdge(_ edge: SyncEdges.Edge, isAdded: Bool, _ position: Int64) throws {
        let row = try make(SyncEdgeRecord.self, "SyncEdge")
        row.setValue(edge.parent, forKey: "parent")
        row.setValue(edge.child, forKey: "child")
        row.setValue(NSNumber(value: isAdded), forKey: "isAdded")
        row.setValue(NSNumber(value: position), forKey: "position")
        row.setValue(NSNumber(value: now()), forKey: "time")
    }

    /// Finds the edges of all objects, if the scopes were declared otherwise when the server worked last. Replicas then
    /// compare themselves with all objects of their scopes.
    func noteScopes() throws {
        let state = try state()
        guard state.scopes != scopes?.digest ?? 0 else { return }
        if scopes != nil {
            // Edges that other scopes didn't have changed meanwhile.
            state.horizon = max(state.horizon, state.number)
            let request = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
            request.predicate = NSPredicate(format: "isAlive == YES")
            try noteEdges(of: Set(try context.fetch(request)), at: state.number, isLogged: false)
        }
        state.scopes = scopes?.digest ?? 0
        try context.save()
        forget()
    }

    /// The rows of edges that changed after a position, in their order.
    func edges(after position: Int64) throws -> [SyncEdgeRecord] {
        let request = NSFetchRequest<SyncEdgeRecord>(entityName: "SyncEdge")
        request.predicate = NSPredicate(format: "position > %ld", position)
        request.sortDescriptors = [NSSortDescriptor(key: "position", ascending: true)]
        return try context.fetch(request)
    }

    /// The entity with a name in messages.
    func entity(_ name: String) -> NSEntityDescription? {
        schema.entities[name].flatMap {
            context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[$0.modelName]
        }
    }
}
