import GRDB

import struct Foundation.URL

/// GRDB's record classes: objects with identity of their own, as managed objects are.
struct GRDBRecordArm: Arm {
    let name = "GRDB record class"

    func prepareInsert(at url: URL, count: Int) throws -> Measured {
        let queue = try GRDBDatabase.queue(at: url)
        try GRDBDatabase.createTable(in: queue)
        return Measured {
            try queue.write { database in
                var sum: Int64 = 0
                for row in 0..<count {
                    let record = GRDBRecord(row: row)
                    try record.insert(database)
                    sum &+= record.sum
                }
                return sum
            }
        }
    }

    func prepareFetch(at url: URL) throws -> Measured {
        let queue = try GRDBDatabase.queue(at: url)
        return Measured {
            let records = try queue.read { try GRDBRecord.fetchAll($0) }
            return records.reduce(0) { $0 &+ $1.sum }
        }
    }
}

/// GRDB's leanest way: a structure decoded by column index. It has no identity, and stands here for orientation.
struct GRDBStructArm: Arm {
    let name = "GRDB struct"

    func prepareInsert(at url: URL, count: Int) throws -> Measured {
        let queue = try GRDBDatabase.queue(at: url)
        try GRDBDatabase.createTable(in: queue)
        return Measured {
            try queue.write { database in
                var sum: Int64 = 0
                for row in 0..<count {
                    let record = GRDBStruct(row: row)
                    try record.insert(database)
                    sum &+= record.sum
                }
                return sum
            }
        }
    }

    func prepareFetch(at url: URL) throws -> Measured {
        let queue = try GRDBDatabase.queue(at: url)
        return Measured {
            let records = try queue.read { try GRDBStruct.fetchAll($0) }
            return records.reduce(0) { $0 &+ $1.sum }
        }
    }
}

private enum GRDBDatabase {
    static func queue(at url: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        return try DatabaseQueue(path: url.path, configuration: configuration)
    }

    static func createTable(in queue: DatabaseQueue) throws {
        try queue.write { database in
            try database.create(table: "record") { table in
                table.primaryKey("id", .integer)
                for column in Workload.columns { table.column(column, .integer) }
            }
        }
    }
}

private final class GRDBRecord: Record {
    let id: Int64
    let value0, value1, value2, value3, value4, value5, value6, value7, value8, value9: Int64

    override class var databaseTableName: String { "record" }

    var sum: Int64 {
        value0 &+ value1 &+ value2 &+ value3 &+ value4 &+ value5 &+ value6 &+ value7 &+ value8 &+ value9
    }

    init(row: Int) {
        id = Int64(row + 1)
        value0 = Workload.value(row: row, column: 0)
        value1 = Workload.value(row: row, column: 1)
        value2 = Workload.value(row: row, column: 2)
        value3 = Workload.value(row: row, column: 3)
        value4 = Workload.value(row: row, column: 4)
        value5 = Workload.value(row: row, column: 5)
        value6 = Workload.value(row: row, column: 6)
        value7 = Workload.value(row: row, column: 7)
        value8 = Workload.value(row: row, column: 8)
        value9 = Workload.value(row: row, column: 9)
        super.init()
    }

    required init(row: Row) throws {
        id = row["id"]
        value0 = row["value0"]
        value1 = row["value1"]
        value2 = row["value2"]
        value3 = row["value3"]
        value4 = row["value4"]
        value5 = row["value5"]
        value6 = row["value6"]
        value7 = row["value7"]
        value8 = row["value8"]
        value9 = row["value9"]
        try super.init(row: row)
    }

    override func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        container["value0"] = value0
        container["value1"] = value1
        container["value2"] = value2
        container["value3"] = value3
        container["value4"] = value4
        container["value5"] = value5
        container["value6"] = value6
        container["value7"] = value7
        container["value8"] = value8
        container["value9"] = value9
    }
}

private struct GRDBStruct: FetchableRecord, PersistableRecord {
    static let databaseTableName = "record"

    let id: Int64
    let value0, value1, value2, value3, value4, value5, value6, value7, value8, value9: Int64

    var sum: Int64 {
        value0 &+ value1 &+ value2 &+ value3 &+ value4 &+ value5 &+ value6 &+ value7 &+ value8 &+ value9
    }

    init(row: Int) {
        id = Int64(row + 1)
        value0 = Workload.value(row: row, column: 0)
        value1 = Workload.value(row: row, column: 1)
        value2 = Workload.value(row: row, column: 2)
        value3 = Workload.value(row: row, column: 3)
        value4 = Workload.value(row: row, column: 4)
        value5 = Workload.value(row: row, column: 5)
        value6 = Workload.value(row: row, column: 6)
        value7 = Workload.value(row: row, column: 7)
        value8 = Workload.value(row: row, column: 8)
        value9 = Workload.value(row: row, column: 9)
    }

    init(row: Row) throws {
        id = row[0]
        value0 = row[1]
        value1 = row[2]
        value2 = row[3]
        value3 = row[4]
        value4 = row[5]
        value5 = row[6]
        value6 = row[7]
        value7 = row[8]
        value8 = row[9]
        value9 = row[10]
    }

    func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        container["value0"] = value0
        container["value1"] = value1
        container["value2"] = value2
        container["value3"] = value3
        container["value4"] = value4
        container["value5"] = value5
        container["value6"] = value6
        container["value7"] = value7
        container["value8"] = value8
        container["value9"] = value9
    }
}
