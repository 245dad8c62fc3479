// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The type of a column's values.
package enum SQLStorageKind: UInt8, Sendable, CaseIterable {
    /// `Z_PK`, `Z_ENT` and `Z_OPT` of every entity table.
    case primaryKey, entityNumber, version
    case boolean, integer16, integer32, integer64
    /// An attribute without a type. Each value is stored in the form of its dynamic type.
    case undefined
    /// An attribute whose values are object IDs.
    case objectID
    /// The `Z_PK` of another row: a to-one relationship, or a to-many one without inverse.
    case relationshipKey
    /// The `Z_ENT` of the row that the relationship key before it names.
    case relationshipEntity
    /// The position among the members of an ordered relationship.
    case orderKey
    case double, float, date, decimal, string, uri, uuid, transformable, binary
    /// A binary attribute with external storage: a large value may be in a separate file.
    case externalBinary

    /// The group of the column in its table. Groups follow one another in ascending order.
    var group: Int {
        switch self {
        case .primaryKey, .entityNumber, .version: return 0
        case .boolean, .integer16, .integer32, .integer64, .undefined, .objectID, .relationshipKey, .relationshipEntity:
            return 1
        case .orderKey: return 2
        case .double, .float, .date: return 3
        case .decimal: return 4
        case .string: return 5
        case .uri: return 6
        case .uuid: return 7
        case .transformable: return 8
        case .binary, .externalBinary: return 9
        }
    }

    /// The kind for an attribute; `nil` for a composite, whose elements have columns.
    init?(_ attribute: NSAttributeDescription) {
        switch attribute.attributeType {
        case .undefinedAttributeType: self = .undefined
        case .integer16AttributeType: self = .integer16
        case .integer32AttributeType: self = .integer32
        case .integer64AttributeType: self = .integer64
        case .decimalAttributeType: self = .decimal
        case .doubleAttributeType: self = .double
        case .floatAttributeType: self = .float
        case .stringAttributeType: self = .string
        case .booleanAttributeType: self = .boolean
        case .dateAttributeType: self = .date
        case .binaryDataAttributeType:
            self = attribute.allowsExternalBinaryDataStorage ? .externalBinary : .binary
        case .UUIDAttributeType: self = .uuid
        case .URIAttributeType: self = .uri
        case .transformableAttributeType: self = .transformable
        case .objectIDAttributeType: self = .objectID
        default: return nil
        }
    }
}

/// One column of an entity's table.
package struct SQLColumn: Hashable, Sendable {
    /// The name in the file, for instance `ZORIGIN1`.
    package let name: String
    package let kind: SQLStorageKind
    /// The index in ``SQLTable/columns``. An existing table may have its columns in another order.
    let position: Int
}
