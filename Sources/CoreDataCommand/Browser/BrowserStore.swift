import OpenCoreData
import Synchronization

/// The store that the browser shows. Each page reads in a context of its own, so that it shows the rows of now.
final class BrowserStore: @unchecked Sendable {
    let location: StoreLocation
    let modelPath: String?
    let isEditable: Bool
    private let lock = NSLock()
    private var opened: ReadOnlyStore
    private var changes: StoreEditor?
    private var mark: FileMark

    init(_ location: StoreLocation, modelPath: String?, isEditable: Bool) throws {
        self.location = location
        self.modelPath = modelPath
        self.isEditable = isEditable
        mark = FileMark(location)
        opened = try ReadOnlyStore(location, modelPath: modelPath, isReadOnly: !isEditable)
    }

    var current: ReadOnlyStore { lock.withLock { opened } }

    /// Closes the file, so that SQLite takes its side files away. The process is ending, so an error isn't reported.
    func close() {
        let coordinator = current.coordinator
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// The editor of the store.
    func editor() throws -> StoreEditor {
        guard isEditable else { throw BrowserFault(405, "The store is open for reading. Start with --edit.") }
        return lock.withLock {
            if let changes { return changes }
            let editor = StoreEditor(coordinator: opened.coordinator)
            changes = editor
            return editor
        }
    }

    /// A context for one page.
    ///
    /// - Parameter control: cancels the fetches of the context.
    func read<Result>(_ control: FetchControl? = nil, _ body: (StoreReader) throws -> Result) throws -> Result {
        try lock.withLock { try reopenIfReplaced() }
        let store = current
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.coordinator
        context.stalenessInterval = 0
        context.undoManager = nil
        context.fetchControl = control
        return try context.performAndWait { try body(StoreReader(store: store, context: context)) }
    }

    /// Opens the store again if its file is another one, or has been migrated.
    private func reopenIfReplaced() throws {
        let now = FileMark(location)
        guard now != mark else { return }
        if now.number == mark.number, let store = opened.coordinator.persistentStores.first {
            let (old, new) = (opened.coordinator.metadata(for: store), try StoreFile.metadata(at: location.url))
            let hashes = { (metadata: [String: Any]) in metadata[NSStoreModelVersionHashesKey] as? [String: Data] }
            guard
                old[NSStoreUUIDKey] as? String != new[NSStoreUUIDKey] as? String || hashes(old) != hashes(new)
            else {
                mark = now
                return
            }
        }
        opened = try ReadOnlyStore(location, modelPath: modelPath, isReadOnly: !isEditable)
        changes = nil
        mark = now
    }

    /// The attributes of a file that change when it is written or replaced. A store on a server has the same mark
    /// always: it tells its clients of a migration itself.
    private struct FileMark: Equatable {
        let number: UInt64?
        private let times: [Date?]

        init(_ location: StoreLocation) {
            guard !location.isOnServer else {
                number = nil
                times = []
                return
            }
            let attributes = ["", "-wal"].map { suffix in
                try? FileManager.default.attributesOfItem(atPath: location.url.path + suffix)
            }
            number = (attributes[0]?[.systemFileNumber] as? NSNumber)?.uint64Value
            times = attributes.map { $0?[.modificationDate] as? Date }
        }
    }
}

/// The store and the context from which a page reads, on the queue of the context.
struct StoreReader {
    let store: ReadOnlyStore
    let context: NSManagedObjectContext

    /// The entities of the store by name.
    var entities: [NSEntityDescription] { store.entities.sorted { ($0.name ?? "") < ($1.name ?? "") } }

    func entity(named name: String) throws -> NSEntityDescription {
        guard let entity = store.entities.first(where: { $0.name == name }) else {
            throw BrowserFault(404, "The store has no entity '\(name.prefix(200))'.")
        }
        return entity
    }

    /// The ID of `Entity`, `p12`.
    func id(_ entity: String, _ key: String) throws -> NSManagedObjectID {
        _ = try self.entity(named: entity)
        guard key.hasPrefix("p"), let number = Int64(key.dropFirst()), number > 0,
            let id = try store.objectID("\(entity)/p\(number)")
        else { throw BrowserFault.notFound }
        return id
    }

    /// The object itself, of its own entity.
    func object(_ name: BrowserRoute.ObjectName) throws -> NSManagedObject {
        guard let object = try find(id(name.entity, name.key), of: name.entity) else {
            throw BrowserFault(
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

/// A readable name of an object.
enum ObjectLabel {
    private static let names = [
        "name", "title", "label", "displayName", "fullName", "lastName", "firstName", "text", "subject", "identifier",
        "email", "code",
    ]

    /// The value of the attribute that names objects of the entity best, or else the entity and the key. An object
    /// without texts, which often stands between two others, also has the name of one of these.
    static func text(of object: NSManagedObject) -> String {
        if let own = ownText(of: object) { return own }
        let short = "\(object.entity.name ?? "") p\(object.objectID.key)"
        guard names(of: object.entity).isEmpty else { return short }
        let relationships = object.entity.relationshipsByName.values.filter { !$0.isToMany && !$0.isTransient }
        let targets = relationships.sorted { $0.name < $1.name }.lazy.compactMap {
            (object.value(forKey: $0.name) as? NSManagedObject).flatMap(ownText)
        }
        return targets.first.map { "\(short) · \($0)" } ?? short
    }

    private static func ownText(of object: NSManagedObject) -> String? {
        let texts = names(of: object.entity).lazy.compactMap { object.value(forKey: $0) as? String }
        guard let text = texts.first(where: { !$0.isEmpty }) else { return nil }
        return cut(text.prefix(200).replacingOccurrences(of: "\n", with: " "), to: 60)
    }

    static func names(of entity: NSEntityDescription) -> [String] {
        let attributes = entity.attributesByName.filter {
            !$0.value.isTransient && $0.value.attributeType == .stringAttributeType
        }
        let known = names.filter { attributes[$0] != nil }
        let others = attributes.keys.filter { !known.contains($0) }.sorted()
        let named = others.filter { $0.lowercased().hasSuffix("name") || $0.lowercased().hasSuffix("title") }
        return Array((known + named + others.filter { !named.contains($0) }).prefix(4))
    }

    static func cut(_ text: String, to length: Int) -> String {
        let prefix = text.prefix(length)
        return prefix.endIndex == text.endIndex ? text : prefix + "…"
    }
}
