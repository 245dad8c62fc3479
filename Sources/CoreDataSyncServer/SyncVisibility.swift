// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncService {
    /// Selects the objects of an entity, and not of its subentities, that an account may have. It reads what never
    /// changes: any thread may ask.
    func predicate(for account: SyncAccount, of entity: NSEntityDescription) throws -> NSPredicate {
        guard schema.entity(entity) != nil else { return NSPredicate(value: false) }
        guard let scopes else { return NSPredicate(value: true) }
        return try SyncVisibility(self, scopes, account).predicate(entity)
    }
}

/// Selects the objects that an account may have, by the scopes of the server and the constants of its token. For one
/// request.
final class SyncVisibility {
    private let service: SyncService
    private let scopes: SyncScopes
    /// The nodes of the account's constants.
    let nodes: Set<UUID>
    /// Tells accounts apart whose constants differ, and scopes that were declared otherwise.
    let digest: Int64
    private var predicates: [String: NSPredicate] = [:]
    private let variables: [String: Any]
    private var known: [NSManagedObjectID: Bool] = [:]

    /// - Throws: ``SyncFailure`` for constants that the scopes need and the token hasn't.
    init(_ service: SyncService, _ scopes: SyncScopes, _ account: SyncAccount) throws {
        self.service = service
        self.scopes = scopes
        var nodes: Set<UUID> = []
        for route in scopes.routes where route.hops.isEmpty {
            nodes.formUnion(try route.term.nodes(account, limit: service.limits.scopeValues))
            guard nodes.count <= service.limits.scopeValues else {
                throw SyncFailure(.badRequest, "The token has too many values.")
            }
        }
        self.nodes = nodes
        digest = nodes.reduce(scopes.digest) { $0 ^ Self.number($1) }
        var variables: [String: Any] = [:]
        for (name, values) in account.constants {
            variables[name] = values.compactMap(Self.constant)
            variables[SyncScopeTerm.Comparison.uuids(name)] = values.compactMap(Self.uuid)
        }
        self.variables = variables
    }

    /// A part of a UUID that is made of a hash.
    private static func number(_ uuid: UUID) -> Int64 {
        withUnsafeBytes(of: uuid.uuid) { $0.loadUnaligned(as: Int64.self) }
    }

    private static func constant(_ value: SyncValue) -> Any? {
        switch value {
        case .text(let text): text
        case .uuid(let uuid): uuid.uuidString
        case .integer(let number): NSNumber(value: number)
        default: nil
        }
    }

    private static func uuid(_ value: SyncValue) -> UUID? {
        switch value {
        case .text(let text): UUID(uuidString: text)
        case .uuid(let uuid): uuid
        default: nil
        }
    }

    /// The predicate of the objects of an entity, and not of its subentities.
    func predicate(_ entity: NSEntityDescription) -> NSPredicate {
        let name = entity.name ?? ""
        if let predicate = predicates[name] { return predicate }
        let parts = scopes.routes(to: entity).map { $0.predicate.withSubstitutionVariables(variables) }
        let predicate = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        predicates[name] = predicate
        return predicate
    }

    /// The objects that the account may have, as the store has them.
    func visible(_ ids: some Collection<NSManagedObjectID>) throws -> Set<NSManagedObjectID> {
        if service.variant.contains(.ignoresScopes) { return Set(ids) }
        let new = Set(ids.filter { known[$0] == nil })
        for (entity, ids) in Dictionary(grouping: new, by: \.entity) {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.name ?? "")
            request.includesSubentities = false
            request.resultType = .managedObjectIDResultType
            request.predicate = NSCompoundPredicate(
                andPredicateWithSubpredicates: [NSPredicate(format: "SELF IN %@", ids), predicate(entity)])
            let visible = Set(try service.context.fetch(request))
            for id in ids { known[id] = visible.contains(id) }
        }
        return Set(ids.filter { known[$0] ?? false })
    }

    /// The records whose objects the account may have.
    func visible(_ records: some Collection<SyncRecord>) throws -> Set<SyncRecord> {
        let ids = Dictionary(
            records.compactMap { record in record.isAlive ? service.id(of: record).map { (record, $0) } : nil }
        ) { one, _ in one }
        let visible = try visible(ids.values)
        return Set(records.filter { record in ids[record].map(visible.contains) ?? false })
    }

    /// Whether the account may have an object as it is in the context, with changes that aren't saved.
    func mayHave(_ object: NSManagedObject) -> Bool { predicate(object.entity).evaluate(with: object) }

    /// Objects and all that they lead to.
    func closure(of ids: Set<NSManagedObjectID>) throws -> Set<NSManagedObjectID> {
        var (result, new) = (ids, ids)
        if service.variant.contains(.forgetsClosure) { return ids }
        while !new.isEmpty {
            var next: Set<NSManagedObjectID> = []
            for (entity, ids) in Dictionary(grouping: new, by: \.entity) {
                for hop in scopes.hops(from: entity) { next.formUnion(try ends(of: hop, from: ids)) }
            }
            new = next.subtracting(result)
            result.formUnion(new)
        }
        return result
    }

    private func ends(of hop: SyncScopes.Hop, from ids: [NSManagedObjectID]) throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: hop.destination?.name ?? "")
        request.resultType = .managedObjectIDResultType
        let format = hop.inverse.isToMany ? "ANY %K IN %@" : "%K IN %@"
        request.predicate = NSPredicate(format: format, hop.inverse.name, ids)
        return try service.context.fetch(request)
    }
}
