// SPDX-License-Identifier: Apache-2.0

/// The rows of members of to-many relationships, each followed by the owner's key, while they are read.
package struct SQLMemberCollection<Source: SQLRowSource> {
    private let ownerColumn: Int32
    private let mayRepeatMembers: Bool
    private var rows: SQLRowCollection<Source>
    private var members: [(owner: Int64, member: ObjectReference)] = []
    private var readKeys: Set<Int64> = []

    /// - Parameter mayRepeatMembers: whether an object may be a member for several owners. It has one row in the
    ///   result.
    package init(_ reader: SQLRowReader<Source>, mayRepeatMembers: Bool) {
        self.mayRepeatMembers = mayRepeatMembers
        ownerColumn = Int32(reader.plan.selectedColumns.count)
        rows = SQLRowCollection(reader, expected: 0, control: nil)
    }

    @inline(__always)
    package mutating func append<Row: SQLRow>(_ row: borrowing Row) throws where Row.Source == Source {
        let key = try row.integer(at: 0) ?? 0
        // Only a damaged store has such keys, and members of other entities.
        guard key >= 0, let layout = try rows.layoutNumber(of: row) else { return }
        members.append((try row.integer(at: ownerColumn) ?? 0, ObjectReference(key: key, layout: layout)))
        if !mayRepeatMembers || readKeys.insert(key).inserted { try rows.append(row) }
    }

    /// The members, after their last row.
    package consuming func finished() -> StoreContents {
        var contents = StoreContents(rows: rows.list, members: members)
        contents.hasRowOfEachMember = contents.rows.count == contents.members.count
        return contents
    }
}
