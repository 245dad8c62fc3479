import CoreData
import Testing

/// Two versions of a program use one store: an app that updates while its helper runs, or starts again.
@Suite("Two versions of a model on one store")
struct InterleavedVersionTests {
    private static var options: [AnyHashable: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSPersistentHistoryTrackingKey: true,
        ]
    }

    /// In each version further entities precede the others, so that the numbers of these change.
    private static func make(_ version: Int) -> NSManagedObjectModel {
        let note = entity("Note", [attribute("name", .stringAttributeType)])
        let memo = entity("Memo", [attribute("text", .stringAttributeType)])
        let image = attribute("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        let sketch = entity("Sketch", [image])
        note.subentities = [memo, sketch]
        var entities = [note, memo, sketch]
        for number in 2..<max(version + 1, 2) {
            note.properties.append(attribute("added\(number)", .integer64AttributeType))
            let draft = entity("Draft\(number)", [attribute("text\(number)", .stringAttributeType)])
            note.subentities.append(draft)
            entities.append(draft)
        }
        let made = model(entities)
        made.versionIdentifiers = ["\(version)"]
        return made
    }

    /// A program with one version of the model.
    private final class Program {
        let version: Int
        let context: NSManagedObjectContext
        let coordinator: NSPersistentStoreCoordinator

        init(_ version: Int, _ url: URL) throws {
            self.version = version
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: InterleavedVersionTests.make(version))
            _ = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: InterleavedVersionTests.options)
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        }
    }

    /// The values of an object that a step has acknowledged.
    private struct Known: Equatable {
        var entity: String
        var value: String
    }

    private static func value(_ object: NSManagedObject) -> String {
        switch object.entity.name {
        case "Memo": object.text("text") ?? "nil"
        case "Sketch": (object.value(forKey: "image") as? Data).map { "\($0.count) \($0.first ?? 0)" } ?? "nil"
        default: "-"
        }
    }

    private static func contents(_ context: NSManagedObjectContext) throws -> [String: Known] {
        var contents: [String: Known] = [:]
        for object in try context.all("Note") {
            contents[object.text("name") ?? "?"] = Known(entity: object.entity.name ?? "", value: value(object))
        }
        return contents
    }

    @Test(
        "Every step succeeds whole or throws, and the newest version reads everything that was acknowledged",
        arguments: TestRun.seeds(for: "interleaved versions", count: TestRun.quick(8, long: 200)))
    func interleaved(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let url = folder.file("Notes.sqlite")
        var programs = [try Program(1, url)]
        var newest = 1
        var known: [String: Known] = [:]
        var refused = 0
        for step in 0..<30 {
            if random.chance(1, of: 6) {
                // A program starts: one of a newer version migrates, one of an older version is refused.
                let version = Int.random(in: 1...min(newest + 1, 4), using: &random)
                do {
                    programs.append(try Program(version, url))
                    #expect(version >= newest)
                    newest = max(newest, version)
                } catch let error as NSError {
                    #expect(version < newest, "\(error)")
                    expectEqual(error.code, NSPersistentStoreIncompatibleVersionHashError, "\(error)")
                }
            }
            let program = programs.randomElement(using: &random)!
            var after = known
            do {
                try on(program.context) { try change(program, step, &after, &random) }
                expectEqual(program.version, newest)
                known = after
            } catch let error as NSError {
                #expect(program.version < newest, "\(error)")
                expectEqual(error.code, NSPersistentStoreIncompatibleVersionHashError, "\(error)")
                refused += 1
                try on(program.context) { program.context.reset() }
            }
        }
        let last = try Program(newest, url)
        try on(last.context) {
            let found = try Self.contents(last.context)
            expectEqual(found, known)
        }
    }

    private func change(
        _ program: Program, _ step: Int, _ known: inout [String: Known], _ random: inout SeededGenerator
    ) throws {
        let context = program.context
        if random.chance(1, of: 3) { context.reset() }
        func image() -> Data {
            Data(repeating: UInt8(step), count: [10, 200_000].randomElement(using: &random)!)
        }
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
            for (name, key) in [("Memo", "text"), ("Sketch", "image"), ("Note", nil)] {
                let object = context.make(name, "\(name) \(step)")
                if let key { object.setValue(key == "text" ? "text \(step)" : image() as Any, forKey: key) }
                known["\(name) \(step)"] = Known(entity: name, value: Self.value(object))
            }
            try context.save()
        case 2:
            for object in try context.all("Sketch") {
                object.setValue(image(), forKey: "image")
                known[object.text("name") ?? ""]?.value = Self.value(object)
            }
            for object in try context.all("Memo") {
                object.setValue("changed \(step)", forKey: "text")
                known[object.text("name") ?? ""]?.value = "changed \(step)"
            }
            try context.save()
        case 3:
            if let object = try context.all("Note").randomElement(using: &random) {
                known[object.text("name") ?? ""] = nil
                context.delete(object)
            }
            try context.save()
            // A save without changes doesn't ask the file.
            _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
        case 4:
            let rows = [["name": "Batch \(step)", "text": "text"]]
            _ = try context.execute(NSBatchInsertRequest(entityName: "Memo", objects: rows))
            known["Batch \(step)"] = Known(entity: "Memo", value: "text")
        case 5:
            let update = NSBatchUpdateRequest(entityName: "Memo")
            update.propertiesToUpdate = ["text": "updated \(step)"]
            _ = try context.execute(update)
            for (name, value) in known where value.entity == "Memo" { known[name]?.value = "updated \(step)" }
            context.reset()
        case 6:
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Sketch")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            known = known.filter { $0.value.entity != "Sketch" }
            context.reset()
        case 7:
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                for change in transaction.changes ?? [] {
                    let name = change.changedObjectID.entity.name ?? ""
                    #expect(program.coordinator.managedObjectModel.entitiesByName[name] != nil)
                }
            }
        default:
            context.reset()
            let found = try Self.contents(context)
            expectEqual(found, known)
        }
    }
}
