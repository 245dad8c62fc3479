import CoreData
import SystemSQLite

/// Batch requests against the same SQL by SQLite's C API, on the same table.
extension Workloads {
    static var batches: [Workload] { [batchInsert, batchInsertDictionaries, batchUpdate, batchDelete] }

    private static var batchInsert: Workload {
        Workload(
            name: "batch-insert", title: "batch insert of # rows of 10 integers", rows: 1_000_000, checkedRows: 2000,
            group: .batches,
            arms: [
                rawInsert(),
                inserting(Arm.own) { rows in
                    var row = 0
                    return NSBatchInsertRequest(
                        entityName: "Reading",
                        managedObjectHandler: { object in
                            guard row < rows, let reading = object as? Reading else { return true }
                            reading.setAll(row: row)
                            row += 1
                            return false
                        })
                },
            ],
            targets: [.ratio(atMost: 1.3), .growth(atMostMebibytes: 20)])
    }

    private static var batchInsertDictionaries: Workload {
        Workload(
            name: "batch-dictionaries", title: "batch insert of # rows of 10 integers from dictionaries",
            rows: 200_000, checkedRows: 1000, group: .batches,
            arms: [
                rawInsert(),
                inserting("OpenCoreData, array of dictionaries") { rows in
                    let dictionaries = (0..<rows).map { row in
                        Dictionary(
                            uniqueKeysWithValues: ReadingValues.keys.enumerated().map {
                                ($1, Int(ReadingValues.value(row: row, column: $0)) as Any)
                            })
                    }
                    return NSBatchInsertRequest(entityName: "Reading", objects: dictionaries)
                },
                inserting("OpenCoreData, dictionary handler") { rows in
                    var row = 0
                    return NSBatchInsertRequest(
                        entityName: "Reading",
                        dictionaryHandler: { dictionary in
                            guard row < rows else { return true }
                            for column in 0..<ReadingValues.columnCount {
                                dictionary[ReadingValues.keys[column]] = Int(
                                    ReadingValues.value(row: row, column: column))
                            }
                            row += 1
                            return false
                        })
                },
            ],
            targets: [.ratio("OpenCoreData, dictionary handler", atMost: 4)])
    }

    private static func rawInsert() -> Arm {
        Arm(Arm.raw) { stage, rows in
            let connection = try RawConnection(try ReadingValues.emptyStore(stage))
            return Measured {
                try insertReadings(connection, rows)
                return Outcome(Int64(rows))
            }
        }
    }

    private static func inserting(_ name: String, _ request: @escaping (Int) -> NSBatchInsertRequest) -> Arm {
        Arm(name) { stage, rows in
            let stack = try StoreStack(try ReadingValues.emptyStore(stage))
            let request = request(rows)
            request.resultType = .count
            return Measured(stack) { context in
                let result = (try context.execute(request) as? NSBatchInsertResult)?.result as? NSNumber
                return Outcome(result?.int64Value)
            }
        }
    }

    // MARK: Updating and deleting

    private static var batchUpdate: Workload {
        let sql = "UPDATE ZREADING SET ZVALUE3 = ZVALUE3 + 1, Z_OPT = Z_OPT + 1 WHERE ZVALUE2 > -100"
        return Workload(
            name: "batch-update", title: "batch update of # rows", rows: 1_000_000, checkedRows: 2000, group: .batches,
            arms: [
                changing(sql),
                executing { context in
                    let request = NSBatchUpdateRequest(entityName: "Reading")
                    request.predicate = NSPredicate(format: "value2 > -100")
                    request.propertiesToUpdate = ["value3": NSExpression(format: "value3 + 1")]
                    request.resultType = .updatedObjectsCountResultType
                    return (try context.execute(request) as? NSBatchUpdateResult)?.result
                },
            ],
            targets: [.ratio(atMost: 1.05), .growth(atMostMebibytes: 20)])
    }

    private static var batchDelete: Workload {
        Workload(
            name: "batch-delete", title: "batch delete of # rows", rows: 1_000_000, checkedRows: 2000, group: .batches,
            arms: [
                changing("DELETE FROM ZREADING WHERE ZVALUE2 > -100"),
                executing { context in
                    let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Reading")
                    fetch.predicate = NSPredicate(format: "value2 > -100")
                    let request = NSBatchDeleteRequest(fetchRequest: fetch)
                    request.resultType = .resultTypeCount
                    return (try context.execute(request) as? NSBatchDeleteResult)?.result
                },
            ],
            targets: [.ratio(atMost: 1.05), .growth(atMostMebibytes: 20)])
    }

    private static func changing(_ sql: String) -> Arm {
        Arm(Arm.raw) { stage, rows in
            let connection = try RawConnection(try stage.copy(try ReadingValues.fixture(stage, rows)))
            return Measured {
                try connection.transaction { try connection.execute(sql) }
                return Outcome(Int64(sqlite3_changes(connection.handle)))
            }
        }
    }

    private static func executing(_ execute: @escaping (NSManagedObjectContext) throws -> Any?) -> Arm {
        Arm(Arm.own) { stage, rows in
            let stack = try StoreStack(try stage.copy(try ReadingValues.fixture(stage, rows)))
            return Measured(stack) { Outcome((try execute($0) as? NSNumber)?.int64Value) }
        }
    }
}
