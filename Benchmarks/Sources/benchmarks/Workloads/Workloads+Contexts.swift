import CoreData
import SystemSQLite

/// Contexts with many registered objects.
extension Workloads {
    static var contexts: [Workload] { [existingObjects, saveOne, merge] }

    private static var existingObjects: Workload {
        let transaction = "raw SQLite, in one transaction"
        func selecting(_ name: String, inTransaction: Bool) -> Arm {
            Arm(name) { stage, rows in
                let connection = try RawConnection(try ReadingValues.fixture(stage, rows))
                return Measured {
                    var sum: Int64 = 0
                    if inTransaction { try connection.execute("BEGIN") }
                    try connection.with(ReadingValues.select + " WHERE Z_PK = ?") { statement in
                        for key in 1...Int64(rows) {
                            sqlite3_bind_int64(statement, 1, key)
                            guard sqlite3_step(statement) == SQLITE_ROW else { throw connection.failure() }
                            sum &+= sqlite3_column_int64(statement, 1)
                            sqlite3_reset(statement)
                        }
                    }
                    if inTransaction { try connection.execute("COMMIT") }
                    return Outcome(sum)
                }
            }
        }
        return Workload(
            name: "existing-object", title: "existingObject(with:) of # objects whose rows are in the row cache",
            rows: 100_000, checkedRows: 1000, group: .contexts,
            arms: [
                selecting(Arm.raw, inTransaction: false),
                selecting(transaction, inTransaction: true),
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.fixture(stage, rows))
                    // The rows stay in the cache as long as a context has objects of them.
                    let objects = try stack.objects(Reading.self)
                    let ids = objects.map(\.objectID)
                    let context = stack.newContext()
                    return Measured {
                        try withExtendedLifetime((stack, objects)) {
                            var sum: Int64 = 0
                            for id in ids {
                                sum &+= (try context.existingObject(with: id) as? Reading)?.value0 ?? 0
                            }
                            return Outcome(sum)
                        }
                    }
                },
            ],
            targets: [.faster(Arm.own, than: Arm.raw, atLeast: 12)])
    }

    private static var saveOne: Workload {
        let repetitions = 50
        func saving(_ name: String, part: Int) -> Arm {
            Arm(name, units: { _ in repetitions }) { stage, rows in
                let stack = try StoreStack(try stage.copy(try ReadingValues.fixture(stage, rows)))
                let request = NSFetchRequest<Reading>(entityName: "Reading")
                request.returnsObjectsAsFaults = false
                request.fetchLimit = max(1, rows / part)
                let objects = try stack.context.fetch(request)
                // The first look-up after a fetch indexes all its objects, once. A save is not the first one.
                _ = objects.first.flatMap { stack.context.registeredObject(for: $0.objectID) }
                return Measured(stack) { context in
                    for turn in 0..<repetitions {
                        // The same rows, however many objects are registered.
                        objects[turn * 7919 % max(1, rows / 100)].value3 += 1
                        try context.save()
                    }
                    return Outcome(nil)
                }
            }
        }
        let (few, many) = ("OpenCoreData, a hundredth registered", "OpenCoreData, all registered")
        return Workload(
            name: "save-one", title: "save one changed object of # registered ones", rows: 100_000, checkedRows: 1000,
            group: .contexts, arms: [saving(few, part: 100), saving(many, part: 1)],
            targets: [.ratio(many, to: few, atMost: 1.3)])
    }

    private static var merge: Workload {
        /// The part of the objects that the context holds, and the part that another one changes.
        func merging(_ name: String, held: Int, changed: Int) -> Arm {
            Arm(name, units: { max(1, $0 / changed) }) { stage, rows in
                let stack = try StoreStack(try stage.copy(try ReadingValues.fixture(stage, rows)))
                let request = NSFetchRequest<Reading>(entityName: "Reading")
                request.returnsObjectsAsFaults = false
                request.fetchLimit = rows / held
                let objects = try stack.context.fetch(request)
                let other = stack.newContext()
                request.fetchLimit = max(1, rows / changed)
                for object in try other.fetch(request) { object.value3 += 1 }
                let notification = try notification(ofSaving: other)
                // The first look-up after a fetch indexes all its objects, once. A merge is not the first one.
                _ = objects.first.flatMap { stack.context.registeredObject(for: $0.objectID) }
                return Measured(stack) { context in
                    withExtendedLifetime((objects, other)) {
                        context.mergeChanges(fromContextDidSave: notification)
                        return Outcome(nil)
                    }
                }
            }
        }
        let small = "OpenCoreData, 1 % of all"
        return Workload(
            name: "merge", title: "merge the changes of a tenth of # objects into a context that holds all",
            rows: 100_000, checkedRows: 2000, group: .contexts,
            arms: [
                merging(Arm.own, held: 1, changed: 10),
                merging(small, held: 1, changed: 100),
                merging("OpenCoreData, a tenth of a tenth", held: 10, changed: 100),
            ],
            targets: [.linear(Arm.own, small), .linear(small, "OpenCoreData, a tenth of a tenth")])
    }

    private static func notification(ofSaving context: NSManagedObjectContext) throws -> Notification {
        // The notification is posted by the save, on this thread.
        nonisolated(unsafe) var notification: Notification?
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { notification = $0 }
        defer { NotificationCenter.default.removeObserver(observer) }
        try context.save()
        guard let notification else { throw BenchmarkError("no notification of the save") }
        return notification
    }
}
