// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// A stored property with its columns.
package enum SQLProperty: @unchecked Sendable {
    case attribute(SQLAttribute)
    case composite(SQLComposite)
    case toOne(SQLToOne)
    case toMany(SQLToMany)

    /// The columns of the property in the table of its entity.
    var columnNames: [String] {
        switch self {
        case .attribute(let attribute): [attribute.column.name]
        case .composite(let composite): composite.attributes.map(\.column.name)
        case .toOne(let relationship):
            [relationship.column, relationship.entityColumn, relationship.orderColumn].compactMap { $0?.name }
        case .toMany: []
        }
    }

    /// The relationship of the model; nil for an attribute.
    var relationship: NSRelationshipDescription? {
        switch self {
        case .attribute, .composite: nil
        case .toOne(let relationship): relationship.description
        case .toMany(let relationship): relationship.description
        }
    }
}

package struct SQLAttribute: @unchecked Sendable {
    package let description: NSAttributeDescription
    package let column: SQLColumn
    /// How the value is computed if the attribute is derived.
    package internal(set) var derivation: SQLDerivation?

    /// The expression of a derived attribute as text, by which versions of a model are compared.
    package var derivationText: String? {
        (description as? NSDerivedAttributeDescription)?.derivationExpression.map { "\($0)" }
    }
}

/// A composite attribute: a column for each of its elements, and for the elements of nested composites.
package struct SQLComposite: @unchecked Sendable {
    package let description: NSCompositeAttributeDescription
    /// In the order in which the model has them; attributes and composites.
    let elements: [(name: String, property: SQLProperty)]

    func element(_ name: String) -> SQLProperty? { elements.first { $0.name == name }?.property }

    /// The element of another version of the attribute that becomes one of this version.
    func source(of element: String, in former: SQLComposite) -> SQLProperty? {
        description.sourcesOfElements(in: former.description)[element].flatMap(former.element)
    }

    /// The attributes that have the columns.
    package var attributes: [SQLAttribute] {
        elements.flatMap { _, element -> [SQLAttribute] in
            switch element {
            case .attribute(let attribute): [attribute]
            case .composite(let composite): composite.attributes
            case .toOne, .toMany: []
            }
        }
    }
}

/// A to-one relationship: a key in the owner's row.
package struct SQLToOne: @unchecked Sendable {
    package let description: NSRelationshipDescription
    package unowned let destination: SQLEntity
    /// `Z<NAME>`: the destination's `Z_PK`.
    package let column: SQLColumn
    /// `Z<n>_<NAME>`: the destination's actual `Z_ENT`; only if the destination has subentities.
    package let entityColumn: SQLColumn?
    /// `Z_FOK_<NAME>`: the owner's position in the inverse; only if the inverse is ordered.
    package let orderColumn: SQLColumn?
}

/// A to-many relationship.
package struct SQLToMany: @unchecked Sendable {
    package enum Storage: Sendable {
        /// Keys of the owner in the rows of the destination's table.
        case foreignKey(SQLForeignKey)
        /// Rows of a join table.
        case join(SQLJoin)
    }

    package let description: NSRelationshipDescription
    package unowned let destination: SQLEntity
    package let storage: Storage

    var isOrdered: Bool { description.isOrdered }

    /// Whether an object may be a member for several owners.
    package var mayShareMembers: Bool {
        if case .join = storage { return true }
        return false
    }
}

/// The columns in the destination's table that name the owner of a to-many relationship.
package struct SQLForeignKey: Sendable {
    /// The owner's `Z_PK`.
    package let column: SQLColumn
    /// The owner's `Z_ENT`, if the column exists.
    let entityColumn: SQLColumn?
    /// The row's position among its owner's members, if the relationship is ordered.
    let orderColumn: SQLColumn?
    /// Whether the relationship has no inverse, so that its owner alone writes these columns.
    package let isWithoutInverse: Bool

    package var columns: [SQLColumn] { [column] + [entityColumn, orderColumn].compactMap { $0 } }
}

/// A join table seen from one of its two relationships.
package struct SQLJoin: Sendable {
    package let table: SQLJoinTable
    /// The column with the key of the object that has the relationship.
    package let ownerColumn: String
    /// The column with the key of the object that is in the relationship.
    package let contentColumn: String
    /// Orders the content of one owner, if the relationship is ordered.
    let orderColumn: String?
    /// Orders the owners for one content object, if the inverse is ordered.
    let inverseOrderColumn: String?
}
