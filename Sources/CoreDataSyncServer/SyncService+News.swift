// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// News for the accounts alone that saves concern. The server goes from the changed objects against the edges of the
/// scopes, up to the values of constants; an account listens with its own values. That costs a few requests for each
/// save, however many accounts listen.
extension SyncService {
    /// The most objects on the ways of one look. With more of them the news are for all.
    private static let mostObjects = 2000

    /// The values of an account's constants that news are compared with; nil for an account that gets all news.
    package func newsNodes(of account: SyncAccount) -> Set<UUID>? {
        scopes.flatMap { try? SyncVisibility(self, $0, account).nodes }
    }

    /// The values of constants whose accounts the changes after a position concern; nil for all accounts.
    ///
    /// - Throws: errors of the store.
    package func newsNodes(after position: Int64) throws -> Set<UUID>? {
        try context.performAndWait {
            forget()
            guard let scopes, try state().horizon <= position else { return nil }
            return try newsNodes(after: position, scopes)
        }
    }

    private func newsNodes(after position: Int64, _ scopes: SyncScopes) throws -> Set<UUID>? {
        let request = NSFetchRequest<SyncRecord>(entityName: "SyncObject")
        request.predicate = NSPredicate(format: "position > %ld", position)
        request.fetchLimit = Self.mostObjects
        let changed = try context.fetch(request)
        let rows = try edges(after: position)
        // The parents that objects have lost. A value of constants is among them, or an object.
        var former: [UUID: Set<UUID>] = [:]
        for row in rows where !row.isAdded { former[row.child, default: []].insert(row.parent) }
        var next = Set(changed.map(\.identity)).union(rows.flatMap { [$0.parent, $0.child] })
        var (seen, nodes): (Set<UUID>, Set<UUID>) = ([], Set(rows.map(\.parent)))
        while !next.isEmpty {
            seen.formUnion(next)
            guard seen.count < Self.mostObjects else { return nil }
            var parents = Set(next.flatMap { former[$0] ?? [] })
            nodes.formUnion(parents)
            let records = try records(Array(next)).values
            for end in records.flatMap(\.edges.parents) {
                if end.relationship == 0 { nodes.insert(end.uuid) } else { parents.insert(end.uuid) }
            }
            parents.formUnion(try sources(of: records, scopes))
            next = parents.subtracting(seen)
        }
        return nodes
    }

    /// The objects whose own records have the edges to objects.
    private func sources(of records: some Collection<SyncRecord>, _ scopes: SyncScopes) throws -> [UUID] {
        let ids = records.compactMap { $0.isAlive ? id(of: $0) : nil }
        var sources: Set<NSManagedObjectID> = []
        for hop in scopes.hops where SyncScopes.isOfSource(hop) {
            let ends = ids.filter { id in hop.destination.map { id.entity.isKindOf(entity: $0) } ?? false }
            guard !ends.isEmpty else { continue }
            let request = NSFetchRequest<NSManagedObjectID>(entityName: hop.source.name ?? "")
            request.resultType = .managedObjectIDResultType
            let format = hop.relationship.isToMany ? "ANY %K IN %@" : "%K IN %@"
            request.predicate = NSPredicate(format: format, hop.relationship.name, ends)
            sources.formUnion(try context.fetch(request))
        }
        return try self.records(of: sources).values.map(\.identity)
    }
}
