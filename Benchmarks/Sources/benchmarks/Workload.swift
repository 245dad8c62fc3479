/// The rows that every arm writes and reads.
enum Workload {
    static let columnCount = 10
    static let columns = (0..<columnCount).map { "value\($0)" }

    /// The integer of a row and column: of all sizes, so that SQLite stores them in one to six bytes.
    @inline(__always)
    static func value(row: Int, column: Int) -> Int64 {
        Int64(row) &* Int64(column &* column &* column &+ 1) &- Int64(column)
    }

    static func sum(rows: Int) -> Int64 {
        var sum: Int64 = 0
        for row in 0..<rows {
            for column in 0..<columnCount { sum &+= value(row: row, column: column) }
        }
        return sum
    }
}
