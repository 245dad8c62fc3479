import CoreData

/// The rows of ten integers.
enum ReadingValues {
    static let columnCount = 10
    static let keys = (0..<columnCount).map { "value\($0)" }
    static let columns = (0..<columnCount).map { "ZVALUE\($0)" }
    /// The select of a row's own key and its integers.
    static let select = "SELECT Z_PK, \(columns.joined(separator: ", ")) FROM ZREADING"

    /// The integer of a row and column: of all sizes, so that SQLite stores them in one to six bytes.
    @inline(__always)
    static func value(row: Int, column: Int) -> Int64 {
        Int64(row) &* Int64(column &* column &+ 1) &- Int64(column)
    }

    /// A store with so many rows, which all arms read or copy.
    static func fixture(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.fixture("readings-\(rows)") { url in
            let stack = try StoreStack(url)
            var row = 0
            let request = NSBatchInsertRequest(
                entityName: "Reading",
                managedObjectHandler: { object in
                    guard row < rows, let reading = object as? Reading else { return true }
                    reading.setAll(row: row)
                    row += 1
                    return false
                })
            _ = try stack.context.execute(request)
        }
    }

    static func emptyStore(_ stage: Stage) throws -> URL {
        let url = stage.newFile()
        try StoreStack.create(url)
        return url
    }
}

extension Reading {
    /// Writes every property by its generated accessor.
    func setAll(row: Int) {
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

    /// Reads every property by its generated accessor.
    var sum: Int64 {
        value0 &+ value1 &+ value2 &+ value3 &+ value4 &+ value5 &+ value6 &+ value7 &+ value8 &+ value9
    }
}
