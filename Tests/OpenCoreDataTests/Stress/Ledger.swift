import OpenCoreData

/// Accounts, and the entries that move amounts between them. Whatever is written, these hold: the totals add up to
/// nothing, each account counts its entries, and its total is the sum of their amounts.
enum Ledger {
    static let accountCount = 12

    static func makeModel() -> NSManagedObjectModel {
        let account = entity("Account")
        let entry = entity("Entry")
        let tag = entity("Tag")
        let entries = AlbumModel.toMany("entries", entry)
        let owner = AlbumModel.toOne("account", account)
        AlbumModel.pair(entries, owner)
        let tags = AlbumModel.toMany("tags", tag)
        let tagged = AlbumModel.toMany("entries", entry)
        AlbumModel.pair(tags, tagged)
        account.properties = [number("number"), number("total"), number("changes"), entries]
        entry.properties = [number("writer"), number("serial"), number("amount"), owner, tags]
        tag.properties = [number("number"), tagged]
        let model = NSManagedObjectModel()
        model.entities = [account, entry, tag]
        return model
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    private static func number(_ name: String) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = .integer64AttributeType
        attribute.defaultValue = 0
        return attribute
    }

    static func open(_ path: String) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        return coordinator
    }

    /// Makes the file with its accounts and tags.
    static func create(_ path: String) throws {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = try open(path)
        try context.performAndWait {
            for index in 0..<accountCount { new("Account", in: context).setValue(index, forKey: "number") }
            for index in 0..<3 { new("Tag", in: context).setValue(index, forKey: "number") }
            try context.save()
        }
    }

    static func new(_ entity: String, in context: NSManagedObjectContext) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    static func all(_ entity: String, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.returnsObjectsAsFaults = false
        if entity != "Entry" { request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)] }
        return try context.fetch(request)
    }

    /// The defects of a file that no process writes any more.
    ///
    /// - Parameter saves: how many saves each writer has made, one entry in each of two accounts with every save.
    static func problems(_ path: String, saves: [Int: Int]) throws -> [String] {
        var problems: [String] = []
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = try open(path)
        try context.performAndWait {
            let accounts = try all("Account", in: context)
            let entries = try all("Entry", in: context)
            if accounts.reduce(0, { $0 + $1.number("total") }) != 0 { problems.append("the totals don't add up") }
            for account in accounts {
                let own = account.value(forKey: "entries") as? Set<NSManagedObject> ?? []
                let name = "account \(account.number("number"))"
                if own.count != account.number("changes") {
                    problems.append("\(name) has \(own.count) entries, and counts \(account.number("changes"))")
                }
                if own.reduce(0, { $0 + $1.number("amount") }) != account.number("total") {
                    problems.append("\(name) is not the sum of its entries")
                }
            }
            let serials = Dictionary(grouping: entries) { $0.number("writer") }.mapValues {
                $0.map { $0.number("serial") }.sorted()
            }
            for (writer, count) in saves where serials[writer] ?? [] != (0..<count).flatMap({ [$0, $0] }) {
                problems.append("of writer \(writer)'s \(count) saves there are \(serials[writer]?.count ?? 0) entries")
            }
            for tag in try all("Tag", in: context) {
                let tagged = tag.value(forKey: "entries") as? Set<NSManagedObject> ?? []
                let expected = entries.filter { $0.number("serial") % 3 == tag.number("number") }
                if tagged != Set(expected) {
                    problems.append("tag \(tag.number("number")) has \(tagged.count) entries, not \(expected.count)")
                }
            }
        }
        let integrity = try SQLiteConnection(path: path, mode: .readWrite).pragma("integrity_check")
        if integrity != "ok" { problems.append("integrity_check: \(integrity ?? "nothing")") }
        return problems
    }
}

extension NSManagedObject {
    func number(_ key: String) -> Int { (value(forKey: key) as? NSNumber)?.intValue ?? 0 }

    func add(_ amount: Int, to key: String) { setValue(number(key) + amount, forKey: key) }
}
