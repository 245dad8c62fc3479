import OpenCoreData

@testable import CoreDataStores

/// A stack on a copy of a real store, without the classes of the app that it comes from.
struct RealStack {
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    /// - Parameters:
    ///   - source: the source model of a store that keeps none.
    ///   - options: the options of the store.
    init(_ path: String, source: String? = nil, options: [AnyHashable: Any]? = nil) throws {
        let url = URL(fileURLWithPath: path)
        model =
            try source.map { try Corpus.model($0) }
            ?? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        for entity in model.entities {
            entity.managedObjectClassName = "NSManagedObject"
            for attribute in entity.attributesByName.values where attribute.attributeType == .transformableAttributeType
            {
                // Without a transformer the stored bytes are the value.
                attribute.valueTransformerName = "NoTransformerOfThisName"
            }
        }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// All objects of exactly this entity, by key.
    func objects(of entity: NSEntityDescription) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
        request.includesSubentities = false
        request.sortDescriptors = []
        return try context.fetch(request).sorted {
            $0.objectID.uriRepresentation().lastPathComponent < $1.objectID.uriRepresentation().lastPathComponent
        }
    }

    func object(_ uri: URL) throws -> NSManagedObject? {
        guard let id = coordinator.managedObjectID(forURIRepresentation: uri) else { return nil }
        return try context.existingObject(with: id)
    }

    /// The entities that have objects, by name.
    func populatedEntities() throws -> [NSEntityDescription] {
        try model.entities.filter { !$0.isAbstract }.sorted { $0.name! < $1.name! }.filter { entity in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
            request.includesSubentities = false
            return try context.count(for: request) > 0
        }
    }
}

/// Every cell of every table of a SQLite file, to see what a save touched.
struct FileContents {
    /// Cells by `TABLE/ROWID/COLUMN`.
    let cells: [String: String]
    let integrity: String?

    init(_ path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        integrity = try connection.pragma("integrity_check")
        var cells: [String: String] = [:]
        for (table, columns) in try connection.tables() where table.hasPrefix("Z") {
            let names = columns.map { "\"\($0)\"" }
            let statement = try connection.statement(
                "SELECT rowid, \(names.map { "quote(\($0))" }.joined(separator: ", ")) FROM \"\(table)\"")
            while try statement.step() {
                for (index, column) in columns.enumerated() {
                    cells["\(table)/\(statement.int64(at: 0))/\(column)"] = statement.text(at: Int32(index + 1))
                }
            }
            statement.reset()
        }
        self.cells = cells
    }

    /// The cells that differ, sorted.
    func changes(since earlier: FileContents) -> [String] {
        Set(cells.keys).union(earlier.cells.keys).filter { cells[$0] != earlier.cells[$0] }.sorted()
    }
}
