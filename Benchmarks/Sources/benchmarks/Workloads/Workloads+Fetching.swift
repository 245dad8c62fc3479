import CoreData
import GRDB
import OneStatement
import SystemSQLite

/// Reading rows of ten integers.
extension Workloads {
    static var fetching: [Workload] {
        [fetch, fetchAgain, fetchKeys, fetchDictionaries, fetchIDs, count, fetchBatched]
    }

    /// The bytes of a row of ten integers and its key in the memory.
    private static let rowBytes = 88

    private static var fetch: Workload {
        Workload(
            name: "fetch", title: "fetch # objects of 10 integers and read every property by generated accessors",
            rows: 200_000, checkedRows: 2000, group: .fetching,
            arms: [
                rawReading { $0 },
                Arm(Arm.oneStatement) { stage, rows in
                    let connection = try RawConnection(try ReadingValues.fixture(stage, rows))
                    guard integer_sum_install(connection.handle) == SQLITE_OK else { throw connection.failure() }
                    let columns = (["Z_PK"] + ReadingValues.columns).joined(separator: ", ")
                    return Measured {
                        Outcome(try connection.integer("SELECT integer_sum(\(columns)) FROM ZREADING"))
                    }
                },
                own { try $0.objects(Reading.self) },
                Arm(Arm.structs) { stage, rows in
                    let queue = try GRDBDatabase.queue(try ReadingValues.fixture(stage, rows))
                    return Measured {
                        let readings = try queue.read {
                            try GRDBReadingStruct.fetchAll($0, sql: ReadingValues.select)
                        }
                        return Outcome(readings.reduce(0) { $0 &+ $1.sum }, retained: readings)
                    }
                },
                Arm(Arm.records) { stage, rows in
                    let queue = try GRDBDatabase.queue(try ReadingValues.fixture(stage, rows))
                    return Measured {
                        let readings = try queue.read {
                            try GRDBReadingRecord.fetchAll($0, sql: ReadingValues.select)
                        }
                        return Outcome(readings.reduce(0) { $0 &+ $1.sum }, retained: readings)
                    }
                },
                .sqlalchemy("fetch", file: ReadingValues.fixture),
            ],
            targets: [
                .ratio(atMost: 1.35), .ratio(to: Arm.structs, atMost: 0.99), .bytes(beyond: rowBytes, atMost: 160),
            ])
    }

    private static var fetchAgain: Workload {
        let again = "OpenCoreData, realised objects"
        return Workload(
            name: "read-again", title: "read every property of # objects of 10 integers again", rows: 200_000,
            checkedRows: 2000, group: .fetching,
            arms: [
                Arm(again) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.fixture(stage, rows))
                    let objects = try stack.objects(Reading.self)
                    return Measured(stack) { _ in Outcome(objects.reduce(0) { $0 &+ $1.sum }) }
                },
                own("OpenCoreData, fetch and read") { try $0.objects(Reading.self) },
            ],
            targets: [.faster(again, than: "OpenCoreData, fetch and read", atLeast: 5)])
    }

    private static var fetchKeys: Workload {
        let limit = "raw SQLite, a number object for each value"
        return Workload(
            name: "read-by-key", title: "fetch # objects of 10 integers and read every property by value(forKey:)",
            rows: 200_000, checkedRows: 1000, group: .fetching,
            arms: [
                rawReading(limit) { NSNumber(value: $0).int64Value },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.fixture(stage, rows))
                    return Measured(stack) { context in
                        let objects = try stack.objects(Reading.self)
                        var sum: Int64 = 0
                        for object in objects {
                            for key in ReadingValues.keys {
                                sum &+= (object.value(forKey: key) as? NSNumber)?.int64Value ?? 0
                            }
                        }
                        return Outcome(sum, retained: objects)
                    }
                },
            ],
            targets: [.ratio(to: limit, atMost: 1.2)])
    }

    private static var fetchDictionaries: Workload {
        let limit = "raw SQLite, an NSDictionary for each row"
        return Workload(
            name: "fetch-dictionaries", title: "fetch # rows of 10 integers as dictionaries", rows: 200_000,
            checkedRows: 1000, group: .fetching,
            arms: [
                Arm(limit) { stage, rows in
                    let connection = try RawConnection(try ReadingValues.fixture(stage, rows))
                    let keys = ReadingValues.keys.map { $0 as NSString }
                    return Measured {
                        try connection.with(ReadingValues.select) { statement in
                            var dictionaries: [NSDictionary] = []
                            while sqlite3_step(statement) == SQLITE_ROW {
                                let values = (1...Int32(10)).map {
                                    NSNumber(value: sqlite3_column_int64(statement, $0))
                                }
                                dictionaries.append(NSDictionary(objects: values, forKeys: keys))
                            }
                            return Outcome(Int64(dictionaries.count), retained: dictionaries)
                        }
                    }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.fixture(stage, rows))
                    return Measured(stack) { context in
                        let request = NSFetchRequest<NSDictionary>(entityName: "Reading")
                        request.resultType = .dictionaryResultType
                        request.propertiesToFetch = ReadingValues.keys
                        let dictionaries = try context.fetch(request)
                        return Outcome(Int64(dictionaries.count), retained: dictionaries)
                    }
                },
            ],
            targets: [.ratio(to: limit, atMost: 1.5)])
    }

    private static var fetchIDs: Workload {
        Workload(
            name: "fetch-ids", title: "fetch the object IDs of # rows", rows: 200_000, checkedRows: 2000,
            group: .fetching,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try ReadingValues.fixture(stage, rows))
                    return Measured {
                        try connection.with("SELECT Z_PK FROM ZREADING") { statement in
                            var keys: [Int64] = []
                            while sqlite3_step(statement) == SQLITE_ROW {
                                keys.append(sqlite3_column_int64(statement, 0))
                            }
                            return Outcome(Int64(keys.count), retained: keys)
                        }
                    }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.fixture(stage, rows))
                    return Measured(stack) { context in
                        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Reading")
                        request.resultType = .managedObjectIDResultType
                        let ids = try context.fetch(request)
                        return Outcome(Int64(ids.count), retained: ids)
                    }
                },
            ],
            targets: [.ratio(atMost: 2)])
    }

    private static var count: Workload {
        Workload(
            name: "count", title: "count # rows", rows: 200_000, checkedRows: 2000, group: .fetching,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try ReadingValues.fixture(stage, rows))
                    return Measured { Outcome(try connection.integer("SELECT COUNT(*) FROM ZREADING")) }
                },
                // A read-only store looks at the cells of each page that it reads, since its file may be hostile.
                Arm("raw SQLite, PRAGMA cell_size_check") { stage, rows in
                    let connection = try RawConnection(try ReadingValues.fixture(stage, rows))
                    try connection.execute("PRAGMA cell_size_check = 1")
                    return Measured { Outcome(try connection.integer("SELECT COUNT(*) FROM ZREADING")) }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.fixture(stage, rows))
                    return Measured(stack) { context in
                        Outcome(Int64(try context.count(for: NSFetchRequest<Reading>(entityName: "Reading"))))
                    }
                },
            ],
            targets: [.ratio(atMost: 1.05)])
    }

    private static var fetchBatched: Workload {
        Workload(
            name: "fetch-batched", title: "fetch # objects of 10 integers with fetchBatchSize 1,000 and read them all",
            rows: 200_000, checkedRows: 4000, group: .fetching,
            arms: [
                rawReading { $0 },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try ReadingValues.fixture(stage, rows))
                    return Measured(stack) { context in
                        let request = NSFetchRequest<Reading>(entityName: "Reading")
                        request.fetchBatchSize = 1000
                        let objects = try context.fetch(request)
                        var sum: Int64 = 0
                        for object in objects { sum &+= object.sum }
                        return Outcome(sum, retained: objects)
                    }
                },
            ],
            targets: [.ratio(atMost: 1.8), .growth(atMostMebibytes: 20)])
    }

    // MARK: Arms

    /// Steps through the rows and reads every column.
    private static func rawReading(_ name: String = Arm.raw, _ use: @escaping (Int64) -> Int64) -> Arm {
        Arm(name) { stage, rows in
            let connection = try RawConnection(try ReadingValues.fixture(stage, rows))
            return Measured {
                try connection.with(ReadingValues.select) { statement in
                    var sum: Int64 = 0
                    while sqlite3_step(statement) == SQLITE_ROW {
                        // The key is read as well, as every object has one.
                        guard sqlite3_column_int64(statement, 0) > 0 else { throw connection.failure() }
                        for column in 1...Int32(ReadingValues.columnCount) {
                            sum &+= use(sqlite3_column_int64(statement, column))
                        }
                    }
                    return Outcome(sum)
                }
            }
        }
    }

    private static func own(_ name: String = Arm.own, _ fetch: @escaping (StoreStack) throws -> [Reading]) -> Arm {
        Arm(name) { stage, rows in
            let stack = try StoreStack(try ReadingValues.fixture(stage, rows))
            return Measured(stack) { _ in
                let objects = try fetch(stack)
                var sum: Int64 = 0
                for object in objects { sum &+= object.sum }
                return Outcome(sum, retained: objects)
            }
        }
    }
}
