import CoreData

/// The time and the memory of a migration with a mapping model: every object is made by a migration manager.
struct MappedMigration {
    /// The name for `--arm`.
    static let name = "mapping model"

    let folder: URL
    let count: Int

    func printLines() throws {
        let old = folder.appendingPathComponent("old.sqlite")
        let new = folder.appendingPathComponent("new.sqlite")
        try fill(old)
        let (source, destination) = (Self.model(adds: false), Self.model(adds: true))
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        // The store would execute an inferred mapping model by SQL.
        manager.usesStoreSpecificMigrationManager = false
        let before = try Self.peakBytes(resetting: true)
        let time = try PairedTimes.Time.measure {
            try manager.migrateStore(from: old, type: .sqlite, mapping: mapping, to: new, type: .sqlite)
        }
        let peak = try Self.peakBytes(resetting: false)
        print(
            """
            migration of \(count) objects of \(Workload.columnCount) integers with a to-one relationship and its \
            inverse, by a mapping model
            """)
        print(
            String(
                format: "  %.1f s, %.1f µs for each object; peak memory %d MiB, %d MiB before", time.wall,
                time.wall / Double(count) * 1e6, peak >> 20, before >> 20))
    }

    /// Records of groups of a hundred.
    private static func model(adds: Bool) -> NSManagedObjectModel {
        let model = CoreDataStack.model(className: "NSManagedObject")
        let record = model.entities[0]
        let group = NSEntityDescription()
        group.name = "Group"
        let members = NSRelationshipDescription()
        members.name = "members"
        members.destinationEntity = record
        let owner = NSRelationshipDescription()
        owner.name = "group"
        owner.maxCount = 1
        owner.destinationEntity = group
        members.inverseRelationship = owner
        owner.inverseRelationship = members
        record.properties.append(owner)
        group.properties = [members]
        if adds {
            let note = NSAttributeDescription()
            note.name = "note"
            note.attributeType = .stringAttributeType
            record.properties.append(note)
        }
        model.entities = [record, group]
        return model
    }

    private func fill(_ url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(adds: false))
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for start in stride(from: 0, to: count, by: 1000) {
                var group: NSManagedObject?
                for row in start..<min(start + 1000, count) {
                    if row % 100 == 0 {
                        group = NSEntityDescription.insertNewObject(forEntityName: "Group", into: context)
                    }
                    let record = NSEntityDescription.insertNewObject(forEntityName: "Record", into: context)
                    for column in Workload.columns { record.setValue(row, forKey: column) }
                    record.setValue(group, forKey: "group")
                }
                try context.save()
                context.reset()
            }
        }
        try coordinator.remove(store)
    }

    /// The greatest resident memory of the process, since its beginning or since it was reset.
    private static func peakBytes(resetting: Bool) throws -> Int {
        if resetting { try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
        else { throw BenchmarkError("/proc/self/status has no VmHWM") }
        return kilobytes << 10
    }
}
