// SPDX-License-Identifier: Apache-2.0

/// The rows of one root entity, and the contents of their to-many relationships.
///
/// While a save that may be undone runs, the table keeps the rows and contents that the save replaces. The cost of
/// undoing the save, or of comparing with the state before it, then depends only on the size of its changes.
package struct MemoryTable {
    /// A relationship of one object.
    package struct LinkKey: Hashable {
        let owner: Int64
        let property: Int

        package init(owner: Int64, property: Int) {
            self.owner = owner
            self.property = property
        }
    }

    private(set) var rows: [Int64: RetainedRow] = [:]
    /// The contents of to-many relationships by owner and property position.
    private(set) var links: [LinkKey: MemoryRelationshipContents] = [:]
    private var former: Former?

    package init() {}

    /// The rows and contents that a save has replaced; nil where there were none.
    private struct Former {
        var rows: [Int64: RetainedRow?] = [:]
        var links: [LinkKey: MemoryRelationshipContents?] = [:]
    }

    // MARK: Changes

    /// Sets the row of a key, nil to remove it.
    ///
    /// - Returns: the row that was there.
    @discardableResult
    package mutating func setRow(_ row: RetainedRow?, for key: Int64) -> RetainedRow? {
        let old: RetainedRow?
        if let row { old = rows.updateValue(row, forKey: key) } else { old = rows.removeValue(forKey: key) }
        if former != nil, former?.rows[key] == nil { former?.rows[key] = .some(old) }
        return old
    }

    /// Removes the contents of a relationship.
    ///
    /// - Returns: the contents that were there.
    @discardableResult
    mutating func removeLink(_ key: LinkKey) -> MemoryRelationshipContents? {
        let old = links.removeValue(forKey: key)
        if former != nil, former?.links[key] == nil { former?.links[key] = .some(old) }
        return old
    }

    /// Changes the contents of a relationship in place.
    package mutating func changeLink(_ key: LinkKey, _ change: (inout MemoryRelationshipContents) -> Void) {
        if former != nil, former?.links[key] == nil { former?.links[key] = .some(links[key]) }
        change(&links[key, default: MemoryRelationshipContents()])
    }

    // MARK: Undoing

    /// Begins to keep replaced rows and contents.
    mutating func beginUndoable() { former = Former() }

    /// Forgets the replaced rows and contents.
    mutating func endUndoable() { former = nil }

    /// Restores the state of ``beginUndoable()``.
    mutating func undo() {
        guard let former else { return }
        for (key, row) in former.rows { rows[key] = row }
        for (key, link) in former.links { links[key] = link }
        self.former = nil
    }

    /// The row before the changes that can be undone.
    func formerRow(_ key: Int64) -> RetainedRow? { former?.rows[key] ?? rows[key] }

    /// The contents of a relationship before the changes that can be undone.
    func formerLink(_ key: LinkKey) -> MemoryRelationshipContents? { former?.links[key] ?? links[key] }

    /// The replaced contents of a property's relationships, by owner.
    func formerLinks(ofProperty property: Int) -> [(owner: Int64, contents: MemoryRelationshipContents)] {
        (former?.links ?? [:]).compactMap { key, contents in
            key.property == property ? contents.map { (key.owner, $0) } : nil
        }
    }

    /// The replaced rows.
    var formerRows: [(key: Int64, row: RetainedRow)] {
        (former?.rows ?? [:]).compactMap { key, row in row.map { (key, $0) } }
    }
}
