import CoreData
import Testing

/// A save into two stores of which one commits and the other can't: a reader keeps a SQLite file without write-ahead
/// log from committing, but lets a transaction write.
@Suite("A save that only some stores commit")
struct IncompleteSaveTests {
    private final class Stores {
        let folder: TemporaryFolder
        let coordinator: NSPersistentStoreCoordinator
        let context: NSManagedObjectContext
        /// The stores by the name of their entity.
        let stores: [String: NSPersistentStore]

        init() throws {
            let folder = try TemporaryFolder()
            let entities = ["One", "Two"].map { name in
                let item = entity(
                    name, [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)])
                let parts = toMany("parts", item)
                let owner = toOne("owner", item)
                pair(parts, owner)
                item.properties += [parts, owner]
                return item
            }
            let model = model(entities)
            for entity in entities { model.setEntities([entity], forConfigurationName: entity.name ?? "") }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            var stores: [String: NSPersistentStore] = [:]
            for name in ["One", "Two"] {
                stores[name] = try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: name, at: folder.file("\(name).sqlite"),
                    options: [
                        NSSQLitePragmasOption: ["journal_mode": "DELETE"], NSPersistentStoreTimeoutOption: 0.05,
                    ])
            }
            (self.folder, self.coordinator, self.stores) = (folder, coordinator, stores)
            context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
        }

        func newContext() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            return context
        }

        /// A connection that reads a store's file, so that nothing can be committed to it.
        func blockCommits(of name: String) throws -> SQLiteFile {
            let file = try SQLiteFile(creating: folder.file("\(name).sqlite"))
            try file.run("BEGIN")
            try file.run("SELECT * FROM Z_METADATA")
            return file
        }

        func names(_ entity: String) throws -> [String] {
            try SQLiteFile(folder.file("\(entity).sqlite")).rows("SELECT ZNAME FROM Z\(entity.uppercased())")
                .compactMap { $0["ZNAME"]?.text }.sorted()
        }
    }

    /// The result of a save while one store can't commit.
    private struct Outcome {
        let error: NSError
        let blocked: String
        var isIncomplete: Bool { error.code == CocoaError.Code.persistentStoreIncompleteSave.rawValue }
    }

    /// Runs a test for each of the two stores: one is the first to commit, the other the last. Which of them is which
    /// is the framework's affair; a failure of the first one leaves everything unsaved, a failure of the last one
    /// doesn't.
    private func withEachStoreBlocked(
        _ prepare: (NSManagedObjectContext) throws -> Void,
        _ check: (Stores, Outcome, SQLiteFile) throws -> Void
    ) throws {
        // The order of stores is the same for one pair of stores, so both are tried on the same pair.
        let stores = try Stores()
        var incomplete = 0
        for blocked in ["One", "Two"] {
            try on(stores.context) {
                try prepare(stores.context)
                let reader = try stores.blockCommits(of: blocked)
                let error = try requireValue(thrownError { try stores.context.save() })
                let outcome = Outcome(error: error, blocked: blocked)
                expectEqual(error.domain, NSCocoaErrorDomain)
                if outcome.isIncomplete { incomplete += 1 } else { expectEqual(error.code, 134090) }
                try check(stores, outcome, reader)
                try? reader.run("ROLLBACK")
                try stores.context.save()
                for entity in ["One", "Two"] {
                    for object in try stores.context.all(entity) { stores.context.delete(object) }
                }
                try stores.context.save()
                stores.context.reset()
            }
        }
        expectEqual(incomplete, 1)
    }

    @Test(
        "the objects of the store that has committed are saved, the others are not, and a retry saves the rest once",
        arguments: [true, false])
    func insertions(_ oneIsFirst: Bool) throws {
        try withEachStoreBlocked { context in
            if !oneIsFirst { context.make("Two", "a") }
            let one = context.make("One", "a")
            context.make("One", "b", ["owner": one])
            if oneIsFirst { context.make("Two", "a") }
        } _: { stores, outcome, reader in
            let context = stores.context
            if outcome.isIncomplete {
                let saved = outcome.blocked == "One" ? "Two" : "One"
                let objects = try context.all(saved)
                #expect(objects.allSatisfy { !$0.objectID.isTemporaryID && !$0.hasChanges && !$0.isInserted })
                expectEqual(Set(context.insertedObjects.map { $0.entity.name }), [outcome.blocked])
                #expect(context.insertedObjects.allSatisfy { $0.objectID.isTemporaryID })
                try expectEqual(stores.names(saved), (saved == "One" ? ["a", "b"] : ["a"]))
            } else {
                expectEqual(context.insertedObjects.count, 3)
            }
            expectTrue(context.hasChanges)
            try reader.run("ROLLBACK")
            expectEmpty(try stores.names(outcome.blocked))
            try context.save()
            expectFalse(context.hasChanges)
            try expectEqual(stores.names("One"), ["a", "b"])
            try expectEqual(stores.names("Two"), ["a"])
            let other = stores.newContext()
            try on(other) {
                try expectEqual(other.one("One", "b").object("owner")?.text("name"), "a")
                try expectEqual(other.all("Two").count, 1)
            }
        }
    }

    @Test("the error names the stores and objects that were not saved, and the cause")
    func error() throws {
        try withEachStoreBlocked { context in
            context.make("One", "a")
            context.make("Two", "a")
        } _: { stores, outcome, reader in
            guard outcome.isIncomplete else { return }
            let info = outcome.error.userInfo
            let store = try requireValue(stores.stores[outcome.blocked])
            #expect(info[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [store])
            let objects = info[NSAffectedObjectsErrorKey] as? [NSManagedObject] ?? []
            expectEqual(objects.map { $0.entity.name }, [outcome.blocked])
            expectEqual((info[NSUnderlyingErrorKey] as? NSError)?.code, 134090)
            expectEqual(outcome.error.localizedFailureReason?.isEmpty, false)
            expectContains(outcome.error.localizedDescription, "\(outcome.blocked).sqlite")
            try reader.run("ROLLBACK")
        }
    }

    @Test("changes and deletions of the store that has committed are saved, and merged into other contexts")
    func changes() throws {
        try withEachStoreBlocked { context in
            for entity in ["One", "Two"] {
                context.make(entity, "changed")
                context.make(entity, "deleted")
            }
            try context.save()
            for entity in ["One", "Two"] {
                try context.one(entity, "changed").setValue(7, forKey: "number")
                try context.delete(context.one(entity, "deleted"))
            }
        } _: { stores, outcome, reader in
            let context = stores.context
            if outcome.isIncomplete {
                expectEqual(Set(context.updatedObjects.map { $0.entity.name }), [outcome.blocked])
                expectEqual(Set(context.deletedObjects.map { $0.entity.name }), [outcome.blocked])
            } else {
                expectEqual(context.updatedObjects.count, 2)
                expectEqual(context.deletedObjects.count, 2)
            }
            try reader.run("ROLLBACK")
            // The versions of the saved rows are known: the retry meets no conflict.
            try context.save()
            for entity in ["One", "Two"] {
                try expectEqual(stores.names(entity), ["changed"])
                let object = try context.one(entity, "changed")
                expectEqual(object.number("number"), 7)
                object.setValue(8, forKey: "number")
            }
            try context.save()
        }
    }

    @Test("DidSave posts the objects of the stores that have committed; the retry posts the rest")
    func notifications() throws {
        var posted: [[String]] = []
        var token: (any NSObjectProtocol)?
        defer { if let token { NotificationCenter.default.removeObserver(token) } }
        let log = UnsafeSender { (names: [String]) in posted.append(names.sorted()) }
        try withEachStoreBlocked { context in
            context.make("One", "a")
            context.make("Two", "a")
            if let token { NotificationCenter.default.removeObserver(token) }
            posted = []
            token = NotificationCenter.default.addObserver(
                forName: NSManagedObjectContext.didSaveObjectsNotification, object: context, queue: nil
            ) { notification in
                let objects = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
                log.value(objects.compactMap { $0.entity.name })
            }
        } _: { stores, outcome, reader in
            let saved = outcome.blocked == "One" ? "Two" : "One"
            expectEqual(posted, (outcome.isIncomplete ? [[saved]] : []))
            try reader.run("ROLLBACK")
            try stores.context.save()
            expectEqual(posted, (outcome.isIncomplete ? [[saved], [outcome.blocked]] : [["One", "Two"]]))
        }
    }
}
