/// One call of a trigger's notification function: a derived attribute of this row got a new value.
///
/// The save that caused it reads the list afterwards to refresh snapshots of rows it did not write itself.
package struct SQLiteAffectedRow: Hashable, Sendable {
    /// The table's name, for instance `ZALBUM`.
    package let table: String
    /// `Z_ENT` of the row.
    package let entityNumber: Int64
    /// `Z_PK` of the row.
    package let primaryKey: Int64
    /// The derived attribute's name.
    package let property: String
    /// True if the row itself was being inserted.
    package let isInsert: Bool

    package init(table: String, entityNumber: Int64, primaryKey: Int64, property: String, isInsert: Bool) {
        self.table = table
        self.entityNumber = entityNumber
        self.primaryKey = primaryKey
        self.property = property
        self.isInsert = isInsert
    }
}
