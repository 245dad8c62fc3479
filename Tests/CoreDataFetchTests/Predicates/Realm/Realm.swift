import CoreData

/// The realm in one store, filled once and only read.
///
/// Everything in it is touched on the context's queue alone.
final class Realm: @unchecked Sendable {
    /// Where the objects are.
    enum Place: String, CaseIterable {
        case sqlite, memory
        /// In place of a file and memory where the tests run on a server: see Scripts/test-postgresql.sh.
        case postgresql
        /// Inserted in the context, the store is empty.
        case unsaved
        /// In the store without values and relationships, which are unsaved changes.
        case changed
    }

    let place: Place
    let context: NSManagedObjectContext
    private let stack: TestStack
    private var known: [String: NSManagedObject] = [:]

    static let sqlite = Result { try Realm(.sqlite) }
    static let memory = Result { try Realm(.memory) }
    static let postgresql = Result { try Realm(.postgresql) }
    static let unsaved = Result { try Realm(.unsaved) }
    static let changed = Result { try Realm(.changed) }

    static func all() throws -> [Realm] {
        if StoreKind.tables == .postgresql { return [try postgresql.get()] }
        return [try sqlite.get(), try memory.get(), try unsaved.get(), try changed.get()]
    }

    /// Those whose objects are in a store.
    static func stored() throws -> [Realm] {
        if StoreKind.tables == .postgresql { return [try postgresql.get()] }
        return [try sqlite.get(), try memory.get()]
    }

    static func of(_ kind: StoreKind) throws -> Realm {
        switch kind {
        case .sqlite: try sqlite.get()
        case .postgresql: try postgresql.get()
        default: try memory.get()
        }
    }

    private init(_ place: Place) throws {
        self.place = place
        let kind: StoreKind =
            switch place {
            case .memory: .memory
            case .postgresql: .postgresql
            case .sqlite, .unsaved, .changed: .sqlite
            }
        let isStored = place == .sqlite || place == .memory || place == .postgresql
        let stack = try TestStack(kind, model: RealmModel.make())
        self.stack = stack
        try stack.context.performAndWait {
            try RealmData.fill(stack.context, savesFirst: place == .changed)
            if isStored { try stack.context.save() }
        }
        context = isStored ? try stack.afresh() : stack.context
        // Static things are never released: the folder goes when the process does.
        switch place {
        case .sqlite: atexit { Realm.remove(Realm.sqlite) }
        case .unsaved: atexit { Realm.remove(Realm.unsaved) }
        case .changed: atexit { Realm.remove(Realm.changed) }
        // The server's folder goes as a whole.
        case .memory, .postgresql: break
        }
    }

    private static func remove(_ realm: Result<Realm, any Error>) {
        try? FileManager.default.removeItem(at: realm.get().stack.folder.url)
    }

    /// The object of that name, whatever its entity.
    subscript(_ name: String) -> NSManagedObject {
        if known.isEmpty {
            for entity in ["Sample", "Word", "Odd", "Being", "Town", "Land", "Work", "Chapter", "Tag"] {
                for object in (try? context.all(entity)) ?? [] { known[object.text("name")!] = object }
            }
        }
        return known[name]!
    }

    /// The objects of those names, which have spaces between.
    func callAsFunction(_ names: String) -> [NSManagedObject] { names.split(separator: " ").map { self[String($0)] } }
}
