// SPDX-License-Identifier: Apache-2.0

internal import SQLiteLibrary

/// The statement that reads the members of a to-many relationship of one owner, ready to run: relationships are loaded
/// one by one.
final class SQLiteContentStatement {
    private let statement: SQLiteStatement
    private let parameterCount: Int32
    private let mapping: LayoutMapping
    /// The layout of members whose entity number is unknown.
    private let declared: EntityLayout
    /// The number of members of the last owner: the next one mostly has about as many. Unchecked, as the state of the
    /// owner of the connection.
    @exclusivity(unchecked) private var expectedCount = 0

    init(
        _ keyed: SQLKeyedStatement, declared: EntityLayout, mapping: LayoutMapping, on connection: SQLiteConnection
    ) throws {
        statement = try SQLiteStatement(keyed.text, on: connection, persistent: true)
        parameterCount = Int32(keyed.bindings(for: 0).count)
        self.declared = declared
        self.mapping = mapping
    }

    /// The members of an owner, in order if the relationship is ordered.
    ///
    /// - Throws: SQLite's errors.
    func references(of owner: Int64) throws -> [ObjectReference] {
        statement.observeIfNeeded()
        for index in 1...parameterCount { try statement.bind(owner, at: index) }
        var references: [ObjectReference] = []
        references.reserveCapacity(expectedCount)
        try statement.forEachReference(declared: declared, mapping: mapping) { references.append($0) }
        expectedCount = min(references.count, 64)
        return references
    }
}

extension SQLiteStatement {
    /// Calls a block for each row of a select of identifiers, while the statement is being read. Resets it.
    ///
    /// - Parameter declared: the layout of rows whose entity number is unknown, and of all rows without one.
    @inline(__always)
    func forEachReference(
        declared: EntityLayout, mapping: LayoutMapping, _ body: (ObjectReference) throws -> Void
    ) throws {
        defer { reset() }
        // The rows come in runs of one entity.
        var entity = Int64.min
        var number: UInt32? = declared.number
        let hasEntity = sqlite3_column_count(handle) > 1
        while try step() {
            let key = sqlite3_column_int64(handle, 0)
            // Only a damaged file has negative keys, and entity numbers that don't belong here.
            guard key >= 0 else { continue }
            if hasEntity {
                let rowEntity = sqlite3_column_int64(handle, 1)
                if rowEntity != entity {
                    entity = rowEntity
                    number = mapping.layout(ofMember: rowEntity, declared: declared)?.number
                }
            }
            if let number { try body(ObjectReference(key: key, layout: number)) }
        }
    }
}
