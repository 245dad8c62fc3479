import CoreData

/// Migrating by hand: a walk over all objects of an old context into a new one, whatever their stores are.
struct MigrationByHand {
    static func run(in folder: URL) throws {
        func document(_ name: String, _ type: String) -> Document {
            Document(url: folder.appendingPathComponent(name), type: type)
        }

        let old = document("Team.sqlite", NSSQLiteStoreType)
        try makeOld(old, people: 1200)
        print("Team.sqlite has version \(try old.version()), the program has version \(Document.currentVersion)")

        let xml = document("Team.xml", NSXMLStoreType)
        try migrate([(old, nil)], to: [(xml, nil)], from: 0)
        let binary = document("Team.binary", NSBinaryStoreType)
        try migrate([(xml, nil)], to: [(binary, nil)], from: 1)

        // One store becomes two, by the configurations of the newer model, and two become one.
        let people = document("People.sqlite", NSSQLiteStoreType)
        let settings = document("Settings.xml", NSXMLStoreType)
        try migrate([(binary, nil)], to: [(people, "People"), (settings, "Settings")], from: 1)
        let merged = document("Merged.sqlite", NSSQLiteStoreType)
        try migrate([(people, "People"), (settings, "Settings")], to: [(merged, nil)], from: 1)
        try show(merged)
    }

    /// Makes a document of the first version, which had no number in its metadata yet.
    static func makeOld(_ document: Document, people count: Int) throws {
        let context = try Document.open([(document, nil)], version: 0)
        try context.performAndWait {
            func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValuesForKeys(values)
                return object
            }
            _ = insert("Setting", ["key": "colour", "value": "green"])
            let manager = insert("Person", ["name": "Ada Lovelace"])
            let group = insert("Group", ["name": "Analysts"])
            group.mutableSetValue(forKey: "members").add(manager)
            for number in 1..<count {
                let person = insert("Person", ["name": "Person \(number)"])
                person.setValue(manager, forKey: "manager")
                if number % 100 == 0 { group.mutableSetValue(forKey: "members").add(person) }
            }
            try context.save()
        }
    }

    /// Walks over all objects of old stores into new stores.
    static func migrate(
        _ sources: [(document: Document, configuration: String?)],
        to destinations: [(document: Document, configuration: String?)], from version: Int
    ) throws {
        let old = try Document.open(sources, version: version)
        let new = try Document.open(destinations, version: Document.currentVersion)
        let count = try old.performAndWait {
            try new.performAndWait {
                var walk = ObjectWalk(from: old, to: new)
                return try walk.copy(entities: ["Setting", "Group", "Person"])
            }
        }
        func names(_ documents: [(document: Document, configuration: String?)]) -> String {
            documents.map(\.document.url.lastPathComponent).joined(separator: " and ")
        }
        let versions = try destinations.map { "\(try $0.document.version())" }.joined(separator: " and ")
        print("\(names(sources)) to \(names(destinations)), now of version \(versions): \(count) objects")
    }

    static func show(_ document: Document) throws {
        let context = try Document.open([(document, nil)], version: Document.currentVersion)
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "manager == nil")
            for person in try context.fetch(request) {
                let reports = (person.value(forKey: "reports") as? Set<NSManagedObject>)?.count ?? 0
                let groups = (person.value(forKeyPath: "groups.name") as? Set<String>) ?? []
                print(
                    """
                    \(person.value(forKey: "firstName") ?? "") | \(person.value(forKey: "lastName") ?? "") | \
                    \(reports) reports | \(groups.sorted().joined(separator: ", "))
                    """)
            }
            let settings = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Setting"))
            print("\(settings[0].value(forKey: "key") ?? "") is \(settings[0].value(forKey: "value") ?? "")")
        }
    }
}
