import OpenCoreData

/// A save into three stores of one coordinator. A store has its part or not: Core Data has no transaction over several
/// files. After such an error the next save writes the rest.
struct SeveralStoresOperation: FailureOperation {
    let name = "several-stores"

    private static let names = ["First", "Second", "Third"]
    private static let rowCount = 5

    private static func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = names.map { name in
            let image = FaultModel.attribute("image", .binaryDataAttributeType)
            image.allowsExternalBinaryDataStorage = true
            return FaultModel.entity(name, [FaultModel.attribute("number", .integer64AttributeType), image])
        }
        for (name, entity) in zip(names, model.entities) { model.setEntities([entity], forConfigurationName: name) }
        return model
    }

    private func open(_ folder: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        for name in Self.names {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: name, at: folder.appendingPathComponent(name),
                options: [NSPersistentHistoryTrackingKey: true])
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func close(_ context: NSManagedObjectContext) throws {
        context.performAndWait { context.reset() }
        guard let coordinator = context.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private static func image(_ number: Int) -> Data { Data(repeating: UInt8(number), count: 150_000) }

    func make(_ folder: URL) throws {
        let context = try open(folder)
        try context.performAndWait {
            for name in Self.names {
                for _ in 0..<Self.rowCount { _ = context.make(name, ["number": 1, "image": Self.image(1)]) }
            }
            try context.save()
        }
        try close(context)
    }

    func run(_ folder: URL, _ window: FaultWindow) throws {
        let context = try open(folder)
        try context.performAndWait {
            for name in Self.names {
                for object in try context.all(name) {
                    object.setValue(2, forKey: "number")
                    object.setValue(Self.image(2), forKey: "image")
                }
            }
            do {
                try window.during { try context.save() }
            } catch {
                let isIncomplete = (error as NSError).code == NSPersistentStoreIncompleteSaveError
                try expect(isIncomplete || context.updatedObjects.count == Self.names.count * Self.rowCount, "\(error)")
                if isIncomplete || (window.failure?.number ?? 0) % 2 == 0 {
                    try context.save()
                    window.isRepeated = true
                }
                throw error
            }
        }
        try close(context)
    }

    func check(_ folder: URL, allowsRemainders: Bool) throws -> Bool {
        let context = try open(folder)
        let numbers = try context.performAndWait {
            try Self.names.map { name -> Int in
                let objects = try context.all(name)
                let numbers = Set(objects.map { $0.number("number") })
                guard objects.count == Self.rowCount, numbers.count == 1, let number = numbers.first else {
                    throw FaultError("the store \(name) has \(objects.count) objects with the numbers \(numbers)")
                }
                try expect(
                    objects.allSatisfy { $0.value(forKey: "image") as? Data == Self.image(number) },
                    "the store \(name) has other images")
                return number
            }
        }
        try close(context)
        for name in Self.names {
            let connection = try SQLiteConnection(path: folder.appendingPathComponent(name).path, mode: .readWrite)
            let integrity = try connection.pragma("integrity_check")
            try expect(integrity == "ok", "integrity_check says: \(integrity ?? "nothing")")
        }
        try expect(Set(numbers).count == 1, "the stores have the numbers \(numbers)")
        return numbers[0] == 2
    }
}
