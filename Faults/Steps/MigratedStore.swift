import OpenCoreData

/// A store that is migrated between two versions of its model, there and back.
struct MigratedStore {
    let storeType: String
    /// Whether a mapping model is executed by a manager, though the mapping could be inferred.
    let hasMapping: Bool

    static let rowCount = 300
    private static let groupCount = 5

    /// The first version is the model of the other scenarios. In the second version a text has another name, a number
    /// another type, one attribute is removed, and one is new.
    static func model(_ version: Int) -> NSManagedObjectModel {
        let model = FaultModel.make()
        guard let row = model.entitiesByName["Row"] else { return model }
        if version == 1 {
            row.attributesByName["text"]?.renamingIdentifier = "title"
            return model
        }
        row.attributesByName["text"]?.renamingIdentifier = "text"
        row.attributesByName["text"]?.name = "title"
        row.attributesByName["position"]?.attributeType = .doubleAttributeType
        row.properties.removeAll { $0.name == "seen" }
        let note = NSAttributeDescription()
        note.name = "note"
        note.attributeType = .stringAttributeType
        note.defaultValue = "new"
        note.isOptional = true
        row.properties.append(note)
        return model
    }

    /// The version of a store; nil if it is neither.
    func version(of url: URL) throws -> Int? {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: storeType, at: url, options: nil)
        return [1, 2].first {
            Self.model($0).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }
    }

    func open(_ url: URL, version: Int, migrates: Bool = false) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(version))
        var options: [String: Any] = [NSPersistentStoreTimeoutOption: 5]
        if migrates {
            options[NSMigratePersistentStoresAutomaticallyOption] = true
            options[NSInferMappingModelAutomaticallyOption] = true
        }
        try coordinator.addPersistentStore(ofType: storeType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        return context
    }

    func close(_ context: NSManagedObjectContext) throws {
        context.performAndWait { context.reset() }
        guard let coordinator = context.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Makes a store of the first version.
    ///
    /// - Parameter textLength: the length of each row's text.
    func make(_ url: URL, textLength: Int = 20) throws {
        let context = try open(url, version: 1)
        try context.performAndWait {
            _ = context.make("Counter", ["number": 0])
            let groups = (0..<Self.groupCount).map { context.make("Group", ["number": $0]) }
            for number in 0..<Self.rowCount {
                let row = context.make(
                    "Row", ["number": number, "position": number, "text": Self.text(number, textLength)])
                if number % 20 == 0 { row.setValue(image(number), forKey: "image") }
                row.setValue(groups[number % Self.groupCount], forKey: "group")
            }
            try context.save()
        }
        try close(context)
    }

    private static func text(_ number: Int, _ length: Int) -> String {
        "\(number) " + String(repeating: "x", count: length)
    }

    /// Large enough for an external file in a SQLite store.
    private func image(_ number: Int) -> Data {
        Data(repeating: UInt8(number % 251), count: storeType == NSSQLiteStoreType ? 150_000 : 100)
    }

    /// Counts a step, in a separate save.
    func count(_ context: NSManagedObjectContext) throws -> Int {
        try context.performAndWait {
            let counter = try context.all("Counter")[0]
            let step = counter.number("number") + 1
            counter.setValue(step, forKey: "number")
            try context.save()
            return step
        }
    }

    /// Migrates a store from one version to the other.
    func migrate(_ url: URL, from version: Int) throws {
        let next = 3 - version
        if storeType == NSSQLiteStoreType, !hasMapping {
            return try close(try open(url, version: next, migrates: true))
        }
        let (old, new) = (Self.model(version), Self.model(next))
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        // A mapping model that differs from the inferred one is executed by a manager.
        for entity: NSEntityMapping in mapping.entityMappings { entity.userInfo = ["made": "by hand"] }
        try ProgressiveMigration(
            from: old, to: new, through: [], mappingModels: hasMapping ? [mapping] : [], bundles: []
        ).migrateStore(at: url, type: NSPersistentStore.StoreType(rawValue: storeType))
    }

    /// Checks that a store of either version has all rows and values.
    ///
    /// - Parameter allowsRemainders: whether files of external data may be left that no row needs.
    /// - Returns: the number of steps.
    func check(_ url: URL, allowsRemainders: Bool = false) throws -> Int {
        guard let version = try version(of: url) else { throw FaultError("the store has neither version") }
        let context = try open(url, version: version)
        let steps = try context.performAndWait {
            let rows = try context.all("Row").sorted { $0.number("number") < $1.number("number") }
            try expect(rows.map { $0.number("number") } == Array(0..<Self.rowCount), "rows are missing")
            for (number, row) in rows.enumerated() {
                let text = row.value(forKey: version == 1 ? "text" : "title") as? String
                try expect(text?.hasPrefix("\(number) x") == true, "row \(number) has the text \(text ?? "nil")")
                try expect(row.number("position") == number, "row \(number) has another position")
                let expected = number % 20 == 0 ? image(number) : nil
                try expect(row.value(forKey: "image") as? Data == expected, "row \(number) has another image")
            }
            for group in try context.all("Group") {
                let members = (group.value(forKey: "members") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
                let expected = (0..<Self.rowCount).filter { $0 % Self.groupCount == group.number("number") }
                try expect(
                    Set(members.map { $0.number("number") }) == Set(expected),
                    "group \(group.number("number")) has other members")
            }
            return try context.all("Counter")[0].number("number")
        }
        try close(context)
        if storeType == NSSQLiteStoreType { try SQLiteChecks.check(url, allowsRemainders: allowsRemainders) }
        return steps
    }

    /// Checks that nothing but the store is in its folder.
    static func checkFolder(of url: URL) throws {
        let own = url.deletingPathExtension().lastPathComponent
        let left = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).filter {
            !$0.hasPrefix(url.lastPathComponent) && $0 != ".\(own)_SUPPORT" && $0 != "ballast"
        }
        try expect(left.isEmpty, "files remain: \(left)")
    }
}
