// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The table of a many-to-many relationship.
///
/// Its ``SQLSchema`` owns it. Immutable once the schema is built.
package final class SQLJoinTable: @unchecked Sendable {
    /// The second column of a relationship that is its own inverse.
    static let reflexive = "REFLEXIVE"

    /// For instance `Z_1TAGS`.
    package let name: String
    /// The entity that declares the relationship after which the table is named.
    package unowned let owner: SQLEntity
    package unowned let destination: SQLEntity
    /// The relationship after which the table is named.
    let relationship: NSRelationshipDescription
    let inverse: NSRelationshipDescription
    /// The column with keys of `owner`'s objects.
    package let ownerColumn: String
    /// The column with keys of the objects in `relationship`.
    package let destinationColumn: String
    /// Orders the inverse's content for one destination object.
    let ownerOrderColumn: String?
    /// Orders the relationship's content for one owner.
    let destinationOrderColumn: String?

    init(
        name: String, owner: SQLEntity, destination: SQLEntity, relationship: NSRelationshipDescription,
        inverse: NSRelationshipDescription, ownerColumn: String, destinationColumn: String,
        ownerOrderColumn: String?, destinationOrderColumn: String?
    ) {
        self.name = name
        self.owner = owner
        self.destination = destination
        self.relationship = relationship
        self.inverse = inverse
        self.ownerColumn = ownerColumn
        self.destinationColumn = destinationColumn
        self.ownerOrderColumn = ownerOrderColumn
        self.destinationOrderColumn = destinationOrderColumn
    }

    /// Whether the relationship is its own inverse: every link has two rows, one for each direction.
    var isReflexive: Bool { destinationColumn == Self.reflexive }

    /// All columns in order of creation.
    package var columns: [String] {
        [ownerColumn, destinationColumn] + [ownerOrderColumn, destinationOrderColumn].compactMap { $0 }
    }

    /// The table seen from the relationship that names it.
    var forward: SQLJoin {
        SQLJoin(
            table: self, ownerColumn: ownerColumn, contentColumn: destinationColumn,
            orderColumn: destinationOrderColumn,
            inverseOrderColumn: isReflexive ? destinationOrderColumn : ownerOrderColumn)
    }

    /// The table seen from the inverse.
    var backward: SQLJoin {
        SQLJoin(
            table: self, ownerColumn: destinationColumn, contentColumn: ownerColumn,
            orderColumn: ownerOrderColumn, inverseOrderColumn: destinationOrderColumn)
    }
}
