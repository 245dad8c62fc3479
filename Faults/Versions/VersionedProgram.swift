import OpenCoreData

/// A program with one version of a model, which opens the store, performs steps, and closes it.
final class VersionedProgram {
    private let settings: VersionSettings
    private let url: URL
    private var coordinator: NSPersistentStoreCoordinator?
    private var context: NSManagedObjectContext?
    private var token: NSPersistentHistoryToken?

    init(_ settings: VersionSettings, _ url: URL) {
        self.settings = settings
        self.url = url
    }

    private var model: NSManagedObjectModel {
        VersionedModel.make(settings.version, isNamed: settings.isNamed)
    }

    private var options: [AnyHashable: Any] {
        [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: 5,
            NSSQLitePragmasOption: ["journal_mode": settings.journalMode],
        ]
    }

    // MARK: The store

    private func open(_ opening: VersionStep.Opening) throws {
        var options = options
        if opening != .plain {
            options[NSMigratePersistentStoresAutomaticallyOption] = true
            options[NSInferMappingModelAutomaticallyOption] = true
        }
        if opening == .migratesBack { options[NSMigratePersistentStoresToFormerVersionOption] = true }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        (self.coordinator, self.context) = (coordinator, context)
    }

    private func close() throws {
        guard let coordinator, let context else { return }
        context.performAndWait { context.reset() }
        (self.coordinator, self.context) = (nil, nil)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Makes a new store from the store of the other version, by a mapping model.
    private func migrateByMapping() throws {
        try close()
        let former = VersionedModel.make(3 - settings.version, isNamed: settings.isNamed)
        let model = model
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: former, destinationModel: model)
        // A mapping model that differs from the inferred one is executed by a manager.
        for entity: NSEntityMapping in mapping.entityMappings { entity.userInfo = ["made": "by hand"] }
        try ProgressiveMigration(from: former, to: model, through: [], mappingModels: [mapping], bundles: [])
            .migrateStore(at: url, type: .sqlite, options: options)
    }

    // MARK: Steps

    /// Performs a step. A store that others have migrated is closed: the program opens it again with the next step.
    func perform(_ step: VersionStep) throws -> VersionAnswer {
        var answer = VersionAnswer()
        do {
            switch step.kind {
            case .close: try close()
            case .migrate: try migrateByMapping()
            default:
                if context == nil { try open(step.opening) }
                answer.isOpen = true
                try perform(step, &answer)
            }
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            answer.failure = VersionAnswer.Failure(cause(of: error))
            context?.performAndWait { context?.reset() }
            if answer.hasOtherModel { try close() }
        }
        return answer
    }

    /// A relationship that couldn't be read while it was changed makes the save fail. If another process has migrated
    /// the store, the next request throws an error that says so.
    private func cause(of error: NSError) -> NSError {
        guard error.code == NSManagedObjectReferentialIntegrityError, let context else { return error }
        do {
            try context.performAndWait {
                context.reset()
                _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Counter"))
            }
            return error
        } catch {
            return error as NSError
        }
    }

    private func perform(_ step: VersionStep, _ answer: inout VersionAnswer) throws {
        guard let context else { return }
        try context.performAndWait {
            if step.resets { context.reset() }
            context.transactionAuthor = "\(settings.number).\(step.number)"
            // The counter is the one object of which each process needs the newest value.
            context.mergePolicy = step.kind == .count ? NSErrorMergePolicy : NSMergeByPropertyObjectTrumpMergePolicy
            switch step.kind {
            case .open, .close, .migrate: break
            case .fetch: answer.contents = try contents(step, context)
            case .history: answer.history = try history(context)
            case .purge: try purge(context)
            case .batchInsert, .batchUpdate, .batchDelete:
                answer.isChange = try performBatch(step, context) > 0
                // Its objects don't know of the request.
                context.reset()
            default: answer.isChange = try save(step, context)
            }
        }
    }

    private func contents(_ step: VersionStep, _ context: NSManagedObjectContext) throws -> VersionContents {
        context.reset()
        let contents = Result {
            try VersionContents(context, version: settings.version, owner: settings.readsAll ? nil : step.owner)
        }
        // Accessors don't throw if another process has migrated the store, but the next request does.
        _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Counter"))
        return try contents.get()
    }

    // MARK: History

    private func history(_ context: NSManagedObjectContext) throws -> [String] {
        let all = try HistoryChecks.transactions(context)
        let numbers = all.map(\.transactionNumber)
        try expect(numbers == Set(numbers).sorted(), "the numbers of the transactions are \(numbers)")
        for transaction in all {
            for change in transaction.changes ?? [] {
                try expect(change.changedObjectID.entity.name != nil, "a change has no entity")
            }
        }
        if let token {
            do {
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
                _ = try context.execute(request)
            } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
                // A migration, or another process, has deleted the transactions after it.
            }
        }
        token = all.last?.token
        return all.map { $0.author ?? "?" }
    }

    /// Deletes the older half of the history.
    private func purge(_ context: NSManagedObjectContext) throws {
        let all = try HistoryChecks.transactions(context)
        guard !all.isEmpty else { return }
        _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: all[all.count / 2]))
    }

    // MARK: Batches

    /// - Returns: the number of rows.
    private func performBatch(_ step: VersionStep, _ context: NSManagedObjectContext) throws -> Int {
        switch step.kind {
        case .batchInsert:
            let rows = step.insertedEntries(settings.version).map { name, entry in
                values(name, entry, step).merging(["memo": step.text]) { $1 }
            }
            let insert = NSBatchInsertRequest(entityName: "Note", objects: rows)
            insert.resultType = .count
            return (try context.execute(insert) as? NSBatchInsertResult)?.result as? Int ?? -1
        case .batchUpdate:
            let update = NSBatchUpdateRequest(entityName: "Entry")
            update.predicate = predicate(step)
            update.propertiesToUpdate = [VersionedModel.textKey(settings.version): step.text]
            update.resultType = .updatedObjectsCountResultType
            return (try context.execute(update) as? NSBatchUpdateResult)?.result as? Int ?? -1
        default:
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Entry")
            request.predicate = predicate(step)
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            delete.resultType = .resultTypeCount
            return (try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int ?? -1
        }
    }

    private func predicate(_ step: VersionStep) -> NSPredicate {
        let slots = step.slots.map { NSNumber(value: $0) } as NSArray
        return NSPredicate(format: "owner == %ld AND slot IN %@", step.owner, slots)
    }

    // MARK: Saves

    /// - Returns: whether there were changes.
    private func save(_ step: VersionStep, _ context: NSManagedObjectContext) throws -> Bool {
        switch step.kind {
        case .setUp:
            _ = context.make("Tag", ["name": VersionStep.sharedTag])
            _ = context.make("Counter", ["number": 0])
        case .insert: try insert(step, context)
        case .update:
            for object in try context.all("Entry", where: predicate(step)) { update(object, step) }
        case .link: try link(step, context)
        case .delete:
            for object in try context.all("Entry", where: predicate(step)) { context.delete(object) }
        case .deleteGroup:
            if let group = try named(step.group, "Group", context) { context.delete(group) }
        default:
            if let counter = try context.all("Counter").first {
                counter.setValue(counter.number("number") + 1, forKey: "number")
            }
        }
        let hasChanges = context.hasChanges
        try context.save()
        return hasChanges
    }

    private func values(_ name: String, _ entry: VersionContents.Entry, _ step: VersionStep) -> [String: Any] {
        var values: [String: Any] = [
            "name": name, "owner": entry.owner, "slot": entry.slot, "position": entry.position,
            VersionedModel.textKey(settings.version): entry.text ?? "",
        ]
        if let image = image(step, entry.position) { values["image"] = image }
        if let seen = entry.seen { values["seen"] = seen }
        if let extra = entry.extra, extra != VersionedModel.newText { values["extra"] = extra }
        return values
    }

    private func image(_ step: VersionStep, _ position: Int) -> Data? {
        step.image(position).map { Data(repeating: $0.byte, count: $0.count) }
    }

    private func named(_ name: String, _ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
        try context.all(entity, where: NSPredicate(format: "name == %@", name)).first
    }

    private func insert(_ step: VersionStep, _ context: NSManagedObjectContext) throws {
        let group = try named(step.group, "Group", context) ?? context.make("Group", ["name": step.group])
        var tags: [String: NSManagedObject] = [:]
        for name in step.tags { tags[name] = try named(name, "Tag", context) ?? context.make("Tag", ["name": name]) }
        tags[VersionStep.sharedTag] = try named(VersionStep.sharedTag, "Tag", context)
        for (name, entry) in step.insertedEntries(settings.version) {
            let object = context.make(entry.entity, values(name, entry, step))
            if entry.group != nil { object.setValue(group, forKey: "group") }
            object.setValue(Set(entry.tags.compactMap { tags[$0] }), forKey: "tags")
        }
    }

    private func update(_ object: NSManagedObject, _ step: VersionStep) {
        object.setValue(step.text, forKey: VersionedModel.textKey(settings.version))
        if step.number % 2 == 0 { object.setValue(image(step, object.number("position")), forKey: "image") }
        if settings.version == 1 {
            object.setValue(step.number, forKey: "seen")
        } else {
            object.setValue(step.text, forKey: "extra")
        }
    }

    private func link(_ step: VersionStep, _ context: NSManagedObjectContext) throws {
        let group = step.hasGroup ? try named(step.group, "Group", context) : nil
        let tag = try named(step.tags[1], "Tag", context)
        for object in try context.all("Entry", where: predicate(step)) {
            object.setValue(step.text, forKey: VersionedModel.textKey(settings.version))
            object.setValue(group, forKey: "group")
            object.setValue(Set([tag].compactMap { $0 }), forKey: "tags")
        }
    }
}
