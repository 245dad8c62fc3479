import GRDB

/// GRDB's leanest way: a structure decoded by column index. It has no identity, and nothing notes its changes.
struct GRDBReadingStruct: FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZREADING"

    let id: Int64
    let entity: Int64
    let value0, value1, value2: Int64
    var value3: Int64
    let value4, value5, value6, value7, value8, value9: Int64

    var sum: Int64 {
        value0 &+ value1 &+ value2 &+ value3 &+ value4 &+ value5 &+ value6 &+ value7 &+ value8 &+ value9
    }

    init(entity: Int64, row: Int) {
        self.entity = entity
        id = Int64(row + 1)
        value0 = ReadingValues.value(row: row, column: 0)
        value1 = ReadingValues.value(row: row, column: 1)
        value2 = ReadingValues.value(row: row, column: 2)
        value3 = ReadingValues.value(row: row, column: 3)
        value4 = ReadingValues.value(row: row, column: 4)
        value5 = ReadingValues.value(row: row, column: 5)
        value6 = ReadingValues.value(row: row, column: 6)
        value7 = ReadingValues.value(row: row, column: 7)
        value8 = ReadingValues.value(row: row, column: 8)
        value9 = ReadingValues.value(row: row, column: 9)
    }

    /// Reads a row of `ReadingValues.select`.
    init(row: Row) {
        id = row[0]
        entity = 0
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

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = id
        container["Z_ENT"] = entity
        container["Z_OPT"] = 1
        container["ZVALUE0"] = value0
        container["ZVALUE1"] = value1
        container["ZVALUE2"] = value2
        container["ZVALUE3"] = value3
        container["ZVALUE4"] = value4
        container["ZVALUE5"] = value5
        container["ZVALUE6"] = value6
        container["ZVALUE7"] = value7
        container["ZVALUE8"] = value8
        container["ZVALUE9"] = value9
    }
}

/// GRDB's record class, decoded by column index: an object that notes its changes, as managed objects do.
final class GRDBReadingRecord: GRDB.Record {
    let id: Int64
    let entity: Int64
    let value0, value1, value2: Int64
    var value3: Int64
    let value4, value5, value6, value7, value8, value9: Int64

    override class var databaseTableName: String { "ZREADING" }

    var sum: Int64 {
        value0 &+ value1 &+ value2 &+ value3 &+ value4 &+ value5 &+ value6 &+ value7 &+ value8 &+ value9
    }

    init(entity: Int64, row: Int) {
        self.entity = entity
        id = Int64(row + 1)
        value0 = ReadingValues.value(row: row, column: 0)
        value1 = ReadingValues.value(row: row, column: 1)
        value2 = ReadingValues.value(row: row, column: 2)
        value3 = ReadingValues.value(row: row, column: 3)
        value4 = ReadingValues.value(row: row, column: 4)
        value5 = ReadingValues.value(row: row, column: 5)
        value6 = ReadingValues.value(row: row, column: 6)
        value7 = ReadingValues.value(row: row, column: 7)
        value8 = ReadingValues.value(row: row, column: 8)
        value9 = ReadingValues.value(row: row, column: 9)
        super.init()
    }

    /// Reads a row of `ReadingValues.select`.
    required init(row: Row) throws {
        id = row[0]
        entity = 0
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
        try super.init(row: row)
    }

    override func encode(to container: inout PersistenceContainer) throws {
        container["Z_PK"] = id
        container["Z_ENT"] = entity
        container["Z_OPT"] = 1
        container["ZVALUE0"] = value0
        container["ZVALUE1"] = value1
        container["ZVALUE2"] = value2
        container["ZVALUE3"] = value3
        container["ZVALUE4"] = value4
        container["ZVALUE5"] = value5
        container["ZVALUE6"] = value6
        container["ZVALUE7"] = value7
        container["ZVALUE8"] = value8
        container["ZVALUE9"] = value9
    }
}
