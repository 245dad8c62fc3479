import CoreData

/// The class of the benchmark's entity.
final class TypedRecord: NSManagedObject {
    /// Writes every property; answers their sum.
    func fill(row: Int) -> Int64 {
        setAll(row: row)
        return (0..<Workload.columnCount).reduce(0) { $0 &+ Workload.value(row: row, column: $1) }
    }

    /// Writes every property.
    func setAll(row: Int) {
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

    /// Reads every property.
    var sum: Int64 {
        value0 &+ value1 &+ value2 &+ value3 &+ value4 &+ value5 &+ value6 &+ value7 &+ value8 &+ value9
    }
}
