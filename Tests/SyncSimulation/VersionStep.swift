import CoreData
import CoreDataSyncModel

/// A step of a history with several versions of the model. Its numbers are taken modulo what there is.
enum VersionStep: Codable, Hashable {
    case save(replica: Int, [VersionChange])
    case serverSave([VersionChange])
    case send(replica: Int, Request)
    case deliver(message: Int, isDoubled: Bool)
    case lose(message: Int)
    /// The replica's process ends at the next time that it reaches a step.
    case crash(replica: Int, step: Int)
    /// The app of a replica is updated: its store gets the next version of the model.
    case migrate(replica: Int, isPrepared: Bool)
    case migrateServer(isPrepared: Bool)
    case pass(seconds: Double)

    static func history(replicas: Int, count: Int, _ random: inout some RandomNumberGenerator) -> [VersionStep] {
        (0..<count).map { _ in make(replicas: replicas, &random) }
    }

    private static func make(replicas: Int, _ random: inout some RandomNumberGenerator) -> VersionStep {
        let replica = Int.random(in: 0..<replicas, using: &random)
        let number = Int.random(in: 0..<1000, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<5: return .serverSave(VersionChange.several(&random))
        case 5..<30: return .save(replica: replica, VersionChange.several(&random))
        case 30..<58: return .send(replica: replica, Bool.random(using: &random) ? .push : .pull)
        case 58..<89: return .deliver(message: number, isDoubled: number % 8 == 0)
        case 89..<91: return .lose(message: number)
        case 91..<93: return .crash(replica: replica, step: number % 14)
        case 93..<96: return .migrate(replica: replica, isPrepared: number % 2 == 0)
        case 96: return .migrateServer(isPrepared: number % 2 == 0)
        default: return .pass(seconds: Double(number))
        }
    }
}

/// A change of a save, in the names of the first version of the model. A version that lacks what it changes does
/// nothing.
enum VersionChange: Codable, Hashable {
    /// A note whose identity is one of a few; another one for each large number.
    case insertNote(id: Int, value: Int)
    case insertPhoto(value: Int)
    case insertFolder(value: Int)
    case insertTag(value: Int)
    /// Entries are never deleted.
    case insertEntry(value: Int)
    case count(entry: Int, amount: Int)
    case set(note: Int, attribute: Int, value: Int?)
    case move(note: Int, folder: Int?)
    case tag(note: Int, tag: Int)
    case cover(note: Int, photo: Int?)
    case delete(kind: Int, object: Int)

    static func several(_ random: inout some RandomNumberGenerator) -> [VersionChange] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in make(&random) }
    }

    private static func make(_ random: inout some RandomNumberGenerator) -> VersionChange {
        func number() -> Int { Int.random(in: 0..<1000, using: &random) }
        switch Int.random(in: 0..<22, using: &random) {
        case 0..<3: return .insertNote(id: number(), value: number())
        case 3: return .insertPhoto(value: number())
        case 4: return .insertFolder(value: number())
        case 5: return .insertTag(value: number())
        case 6..<8: return .insertEntry(value: number())
        case 8..<10: return .count(entry: number(), amount: number())
        case 10..<16: return .set(note: number(), attribute: number(), value: number() % 3 == 0 ? nil : number())
        case 16..<18: return .move(note: number(), folder: number() % 4 == 0 ? nil : number())
        case 18: return .tag(note: number(), tag: number())
        case 19: return .cover(note: number(), photo: number() % 4 == 0 ? nil : number())
        default: return .delete(kind: number(), object: number())
        }
    }

    /// The attributes of notes that steps set, by their first names.
    static let attributes = ["title", "color", "mood", "stars", "kind"]

    /// Makes the change in a context, if the version has what it needs.
    ///
    /// - Parameter serial: a number that no other change has.
    /// - Returns: what an entry got, by its text.
    func make(in context: NSManagedObjectContext, _ schema: SyncSchema, serial: Int) throws -> (String, Int64)? {
        func object(_ name: String, _ number: Int) throws -> NSManagedObject? {
            guard let entity = schema.entities[name] else { return nil }
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.modelName)
            request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
            let objects = try context.fetch(request)
            return objects.isEmpty ? nil : objects[number % objects.count]
        }
        func set(_ value: Any?, _ name: String, _ object: NSManagedObject) {
            guard let property = schema.entity(of: object)?.properties[name] else { return }
            if value == nil, property.isRequired { return }
            object.setValue(value, forKey: property.key)
        }
        func insert(_ name: String, _ values: [String: Any]) {
            guard let entity = schema.entities[name] else { return }
            let object = NSEntityDescription.insertNewObject(forEntityName: entity.modelName, into: context)
            for (name, value) in values { set(value, name, object) }
        }
        switch self {
        case .insertNote(let id, let value):
            let uuid = Self.uuid(id % 10 < 6 ? id % 4 : serial + 100)
            let request = NSFetchRequest<NSManagedObject>(entityName: schema.entities["Note"]?.modelName ?? "")
            request.predicate = NSPredicate(format: "id == %@", uuid as NSUUID)
            // A program looks for the note first.
            if try context.count(for: request) == 0 { insert("Note", ["id": uuid, "title": "Note \(value)"]) }
        case .insertPhoto(let value):
            insert("Photo", ["id": Self.uuid(serial + 100), "title": "Photo", "caption": "Caption \(value)"])
        case .insertFolder(let value): insert("Folder", ["name": "Folder \(value)"])
        case .insertTag(let value): insert("Tag", ["name": "Tag \(value)"])
        case .insertEntry:
            let text = "Entry \(serial)"
            insert("Entry", ["text": text, "ticks": NSNumber(value: 1)])
            return (text, 1)
        case .count(let number, let amount):
            guard let entry = try object("Entry", number), let property = schema.entities["Entry"]?.properties["ticks"],
                let text = entry.value(forKey: "text") as? String
            else { return nil }
            let old = (entry.value(forKey: property.key) as? NSNumber)?.int64Value ?? 0
            set(NSNumber(value: old + Int64(amount)), "ticks", entry)
            return (text, Int64(amount))
        case .set(let number, let attribute, let value):
            let name = Self.attributes[attribute % Self.attributes.count]
            guard let note = try object("Note", number) else { return nil }
            set(name == "stars" ? value.map { NSNumber(value: $0) } : value.map { "\(name) \($0)" }, name, note)
        case .move(let note, let folder):
            guard let note = try object("Note", note) else { return nil }
            set(try folder.flatMap { try object("Folder", $0) }, "folder", note)
        case .tag(let note, let tag):
            guard let note = try object("Note", note), let tag = try object("Tag", tag) else { return nil }
            let members = note.mutableSetValue(forKey: "tags")
            if members.contains(tag) { members.remove(tag) } else { members.add(tag) }
        case .cover(let note, let photo):
            guard let note = try object("Note", note) else { return nil }
            set(try photo.flatMap { try object("Photo", $0) }, "cover", note)
        case .delete(let kind, let number):
            let names = ["Note", "Folder", "Tag", "Photo"]
            if let object = try object(names[kind % names.count], number) { context.delete(object) }
        }
        return nil
    }

    private static func uuid(_ number: Int) -> UUID {
        withUnsafeBytes(of: (UInt64(number).bigEndian, UInt64(7))) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
