import CoreData
import SystemSQLite

/// Opening stores, and stores of many rows.
extension Workloads {
    static var stores: [Workload] { [open, indexedFetch] }

    private static var open: Workload {
        let repetitions = 10
        return Workload(
            name: "open", title: "open a store of a model of # entities", rows: 25, checkedRows: 25, isScalable: false,
            group: .contexts,
            arms: [
                Arm(Arm.raw, units: { _ in repetitions }) { stage, entities in
                    let url = try largeModelStore(stage, entities)
                    return Measured {
                        var tables: Int64 = 0
                        for _ in 0..<repetitions {
                            tables += try RawConnection(url).integer("SELECT COUNT(*) FROM Z_METADATA")
                        }
                        return Outcome(tables)
                    }
                },
                Arm(Arm.own, units: { _ in repetitions }) { stage, entities in
                    let url = try largeModelStore(stage, entities)
                    // Each coordinator has a new model, as in a program that has just started.
                    let coordinators = (0..<repetitions).map { _ in
                        NSPersistentStoreCoordinator(managedObjectModel: largeModel(entities))
                    }
                    return Measured {
                        var stores: Int64 = 0
                        for coordinator in coordinators {
                            let store = try coordinator.addPersistentStore(
                                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
                            stores += 1
                            try coordinator.remove(store)
                        }
                        return Outcome(stores)
                    }
                },
            ],
            targets: [.ratio(atMost: 2)])
    }

    private static func largeModelStore(_ stage: Stage, _ entities: Int) throws -> URL {
        try stage.fixture("model-\(entities)") { _ = try StoreStack($0, model: largeModel(entities)) }
    }

    /// Entities with ten attributes and a relationship to the next entity each.
    private static func largeModel(_ count: Int) -> NSManagedObjectModel {
        let entities = (0..<count).map { number in
            let entity = NSEntityDescription()
            entity.name = "Entity\(number)"
            entity.properties = (0..<10).map { index in
                let attribute = NSAttributeDescription()
                attribute.name = "attribute\(index)"
                attribute.attributeType =
                    [.integer64AttributeType, .stringAttributeType, .dateAttributeType][index % 3]
                attribute.isOptional = true
                return attribute
            }
            return entity
        }
        for (number, entity) in entities.enumerated() {
            let (next, previous) = (NSRelationshipDescription(), NSRelationshipDescription())
            let other = entities[(number + 1) % count]
            (next.name, next.destinationEntity, next.maxCount, next.isOptional) = ("next", other, 1, true)
            (previous.name, previous.destinationEntity, previous.isOptional) = ("previous", entity, true)
            (next.inverseRelationship, previous.inverseRelationship) = (previous, next)
            entity.properties.append(next)
            other.properties.append(previous)
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    // MARK: Many rows

    /// So many indexed fetches in a run.
    private static let fetches = 200

    static func events(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.fixture("events-\(rows)") { url in
            try StoreStack.create(url)
            try RawConnection(url).fill("EVENT", count: rows, columns: "ZTIME, ZVALUE", values: "n, n % 1000")
        }
    }

    private static var indexedFetch: Workload {
        let (few, rawFew) = ("OpenCoreData, a thousandth", "raw SQLite, a thousandth")
        func start(_ turn: Int, _ rows: Int) -> Int64 { Int64(turn * 7_919_333 % max(1, rows - 100)) }
        func raw(_ name: String, part: Int) -> Arm {
            Arm(name, units: { _ in fetches }) { stage, rows in
                let connection = try RawConnection(try events(stage, max(200, rows / part)))
                return Measured {
                    let sql = "SELECT Z_PK, Z_OPT, ZTIME, ZVALUE FROM ZEVENT WHERE ZTIME >= ? AND ZTIME < ?"
                    var count: Int64 = 0
                    try connection.with(sql) { statement in
                        for turn in 0..<fetches {
                            let time = start(turn, max(200, rows / part))
                            sqlite3_bind_int64(statement, 1, time)
                            sqlite3_bind_int64(statement, 2, time + 100)
                            while sqlite3_step(statement) == SQLITE_ROW {
                                count += sqlite3_column_int64(statement, 2) >= time ? 1 : 0
                            }
                            sqlite3_reset(statement)
                        }
                    }
                    return Outcome(count)
                }
            }
        }
        func own(_ name: String, part: Int) -> Arm {
            Arm(name, units: { _ in fetches }) { stage, rows in
                let stack = try StoreStack(try events(stage, max(200, rows / part)))
                return Measured(stack) { context in
                    var count: Int64 = 0
                    for turn in 0..<fetches {
                        let time = start(turn, max(200, rows / part))
                        let request = NSFetchRequest<Event>(entityName: "Event")
                        request.predicate = NSPredicate(
                            format: "time >= %@ AND time < %@", NSNumber(value: time), NSNumber(value: time + 100))
                        request.returnsObjectsAsFaults = false
                        for event in try context.fetch(request) { count += event.time >= time ? 1 : 0 }
                    }
                    return Outcome(count)
                }
            }
        }
        return Workload(
            name: "indexed-fetch", title: "fetch 100 of # rows by an index", rows: 10_000_000, checkedRows: 100_000,
            group: .contexts,
            arms: [
                raw(rawFew, part: 1000), raw(Arm.raw, part: 1), own(few, part: 1000), own(Arm.own, part: 1),
            ],
            targets: [.ratio(to: few, atMost: 1.2)])
    }
}
