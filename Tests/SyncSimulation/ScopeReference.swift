import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The scopes of ``ScopedModel`` in their plainest form: the objects that an account may have, by the relationships of
/// the server's store. It shares nothing with the server's way to find them.
struct ScopeReference {
    /// The UUIDs of the living objects, by their URIs.
    private var identities: [String: UUID] = [:]
    private let context: NSManagedObjectContext

    init(_ coordinator: NSPersistentStoreCoordinator) throws {
        context = SimulatedStore.context(coordinator)
        let request = NSFetchRequest<NSManagedObject>(entityName: "SyncObject")
        request.predicate = NSPredicate(format: "isAlive == YES")
        for row in try context.fetch(request) {
            guard let name = row.value(forKey: "entityName") as? String,
                let identity = row.value(forKey: "identity") as? UUID
            else { continue }
            identities["\(name) \(row.value(forKey: "key") ?? 0)"] = identity
        }
    }

    /// The objects that an account may have.
    func visible(_ account: SyncAccountNames, isNarrow: Bool) throws -> Set<UUID> {
        var result: Set<NSManagedObject> = []
        func members(_ object: NSManagedObject, _ key: String) -> [NSManagedObject] {
            (object.value(forKey: key) as? Set<NSManagedObject>).map(Array.init) ?? []
        }
        for member in try all("Member") where member.value(forKey: "user") as? String == account.user {
            result.insert(member)
            guard let team = member.value(forKey: "team") as? NSManagedObject else { continue }
            result.insert(team)
            result.formUnion(members(team, "members"))
            if isNarrow { continue }
            for project in members(team, "projects") {
                result.insert(project)
                result.formUnion(members(project, "tasks"))
            }
        }
        for note in try all("Note") {
            guard let owner = note.value(forKey: "owner") as? String else { continue }
            if owner == account.user || account.shared.contains(owner) { result.insert(note) }
        }
        result.formUnion(try all("Label"))
        return Set(result.compactMap(identity))
    }

    /// The UUIDs of all living objects.
    var all: Set<UUID> { Set(identities.values) }

    private func identity(_ object: NSManagedObject) -> UUID? {
        identities["\(object.entity.name ?? "") \(SyncObjectKey.key(of: object.objectID))"]
    }

    private func all(_ entity: String) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    }
}

/// A user, and the users whose notes the token lets see.
struct SyncAccountNames: Hashable {
    let user: String
    var shared: [String] = []
}
