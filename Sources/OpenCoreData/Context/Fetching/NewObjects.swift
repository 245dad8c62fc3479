// SPDX-License-Identifier: Apache-2.0

/// Makes objects of one entity in a table, without registering them. References to values that all of them retain are
/// counted at once: see `CountedReferences`.
struct NewObjects {
    private let type: NSManagedObject.Type
    private var entities: CountedReferences<NSEntityDescription>
    private var tables: CountedReferences<IdentityTable>
    private var buffers: CountedReferences<RowBuffer>?

    /// - Parameters:
    ///   - count: the number of objects; all of them must be made.
    ///   - buffer: the buffer of their rows; nil for faults without rows.
    init(_ count: Int, of layout: EntityLayout, in table: IdentityTable, buffer: RowBuffer? = nil) {
        type = layout.classBinding.managedObjectClass
        entities = CountedReferences(layout.entity, count: count)
        tables = CountedReferences(table, count: count)
        buffers = buffer.map { CountedReferences($0, count: count) }
    }

    /// Makes a fault without a row.
    @inline(__always)
    mutating func makeFault(key: Int64) -> NSManagedObject {
        let object = type.init(entity: entities.take(), insertInto: nil)
        object.prepareAsFault(in: tables.take(), key: key)
        return object
    }

    /// Makes the object of a complete row of the buffer.
    ///
    /// - Parameter isFiring: whether the object gets its values, instead of being a fault.
    @inline(__always)
    mutating func makeObject(of row: Row, isFiring: Bool) -> NSManagedObject {
        let object = type.init(entity: entities.take(), insertInto: nil)
        object.prepare(in: tables.take(), row: row, buffer: buffers!.take(), isFiring: isFiring)
        return object
    }
}
