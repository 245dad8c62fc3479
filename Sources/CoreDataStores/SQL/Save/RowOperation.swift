// SPDX-License-Identifier: Apache-2.0

/// One step of a save: a statement, and the rows or keys that it runs for.
///
/// Operations are values that name no engine. An engine may run one row by row, or all rows of it at once.
enum RowOperation {
    case checkVersions(VersionCheck)
    case checkAbsence(StoreChanges.InsertedRow)
    case delete(RowDeletion)
    case update(RowUpdate)
    case insert(RowInsertion)
    case writeKeys(KeyWrite)
    case writeOrder(OrderWrites)
}

/// Rows that the save leaves as they are, and that must have the versions that the context saw.
package struct VersionCheck {
    package let plan: RowWritePlan
    package let rows: ArraySlice<StoreChanges.CheckedRow>
}

/// Deletes rows of one entity that have the versions that the context saw.
package struct RowDeletion {
    package let plan: RowWritePlan
    /// Whether the context saw the rows: an object that was never read has no version, and its row is deleted whatever
    /// its version is.
    package let isVersioned: Bool
    package let rows: ArraySlice<StoreChanges.DeletedRow>
}

/// Writes the same columns of rows of one entity that have the versions that the context saw, and counts the versions
/// up.
package struct RowUpdate {
    package let plan: RowWritePlan
    let update: RowUpdatePlan
    package let rows: ArraySlice<StoreChanges.UpdatedRow>

    package var columns: [RowWritePlan.Column] { update.columns }
    package var text: String { update.text }
}

/// Inserts rows of one entity.
package struct RowInsertion {
    package let plan: RowWritePlan
    package let rows: ArraySlice<StoreChanges.InsertedRow>
    /// The permanent keys of the rows, at the same indices.
    package let keys: ArraySlice<Int64>
}

/// A statement that runs for lists of integers: keys, entity numbers and positions.
package struct KeyWrite {
    package let text: String
    /// The number of parameters.
    package let width: Int
    /// The parameters of all runs, one run after the other.
    package var values: [Int64]
}

/// Writes the positions of the members of one ordered relationship, where they change.
struct OrderWrites {
    let plan: RelationshipWritePlan.Order
    var owners: [OrderWrite]

    /// The positions to write.
    ///
    /// - Parameters:
    ///   - neighbours: reads the positions of some members of one owner, by member.
    ///   - stored: reads the positions of all members of some owners, by owner and member.
    func write(
        _ neighbours: (_ owner: Int64, _ members: [Int64]) throws -> [Int64: Int64],
        _ stored: (_ owners: [Int64]) throws -> [Int64: [Int64: Int64]]
    ) throws -> KeyWrite {
        var write = KeyWrite(text: plan.writeText, width: 3, values: [])
        let others = try owners.filter { !(try $0.addPlacements(to: &write, neighbours)) }
        if others.isEmpty { return write }
        let positions = try stored(others.map(\.owner))
        for owner in others { try owner.add(to: &write, positions[owner.owner] ?? [:]) }
        return write
    }
}

/// The new order of the members of one owner.
struct OrderWrite {
    /// Members that get positions between two other members.
    struct Placement {
        let members: [Int64]
        /// The member before them; nil at the beginning.
        let previous: Int64?
        /// The member after them; nil at the end.
        let next: Int64?
    }

    enum Members {
        /// Members that get new positions, and a closure for all members in order. Members without a new position keep
        /// their positions, if there is room between them.
        case placed([Placement], all: () throws -> [Int64])
        /// All members in order.
        case all([Int64])
        /// The last members. The store has the other members, which keep their order.
        case last([Int64])
    }

    let owner: Int64
    let members: Members
    /// Members whose positions in the store mean nothing.
    let added: [Int64]

    /// Adds the positions of placed members.
    ///
    /// - Parameter positions: reads the positions of some members.
    /// - Returns: false if other members need other positions, too; then nothing is added.
    fileprivate func addPlacements(
        to write: inout KeyWrite, _ positions: (_ owner: Int64, _ members: [Int64]) throws -> [Int64: Int64]
    ) throws -> Bool {
        guard case .placed(let placements, _) = members else { return false }
        if placements.isEmpty { return true }
        let neighbours = placements.flatMap { [$0.previous, $0.next].compactMap { $0 } }
        // Without neighbours the members are all there are.
        if neighbours.isEmpty { return false }
        let stored = try positions(owner, neighbours)
        // A neighbour without a position needs one, too.
        guard neighbours.allSatisfy({ stored[$0] != nil }) else { return false }
        var values: [Int64] = []
        for placement in placements {
            let count = Int64(placement.members.count)
            guard
                let keys = OrderKeys.between(
                    placement.previous.flatMap { stored[$0] }, placement.next.flatMap { stored[$0] }, count)
            else { return false }
            for (member, key) in zip(placement.members, keys) { values += [key, member, owner] }
        }
        write.values += values
        return true
    }

    /// Adds the positions to write.
    ///
    /// - Parameter stored: the positions of the members by key, as the store has them.
    fileprivate func add(to write: inout KeyWrite, _ stored: [Int64: Int64]) throws {
        var stored = stored
        for key in added { stored[key] = nil }
        let keys: [Int64]
        switch members {
        case .all(let all): keys = all
        case .placed(_, let all): keys = try all()
        case .last(let last):
            for key in last { stored[key] = nil }
            keys = stored.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key) + last
        }
        let positions = OrderKeys.assign(keys.map { stored[$0] })
        for (key, position) in zip(keys, positions) where stored[key] != position {
            write.values += [position, key, owner]
        }
    }
}
