// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// An object that a key path leads to: the key of a row. The table is joined when one of its columns is needed.
///
/// Paths with a common beginning share their objects, and so their joins.
final class SQLPathObject {
    let entity: SQLEntity
    /// The object's primary key.
    let key: SQLExpression
    /// Whether the object may be missing. The row of the select itself is never missing.
    let isOptional: Bool
    /// The number of the object's actual entity, without a join; nil if the entity has no subentities.
    let actualEntity: SQLExpression?
    /// The object's order key, where the rows of the select are the members of an ordered relationship.
    let orderKey: SQLExpression?
    private let builder: SQLSelectBuilder
    private var alias: String?
    private var destinations: [String: SQLPathObject] = [:]

    /// The row of a select.
    init(row alias: String, of entity: SQLEntity, in builder: SQLSelectBuilder, orderKey: SQLExpression? = nil) {
        self.entity = entity
        self.builder = builder
        self.alias = alias
        key = .column(alias: alias, name: entity.table.primaryKey.name)
        isOptional = false
        actualEntity = entity.hasSubentities ? .column(alias: alias, name: entity.table.entityNumber.name) : nil
        self.orderKey = orderKey
    }

    private init(key: SQLExpression, of entity: SQLEntity, actualEntity: SQLExpression?, in builder: SQLSelectBuilder) {
        self.actualEntity = actualEntity
        self.entity = entity
        self.builder = builder
        self.key = key
        isOptional = true
        orderKey = nil
    }

    var aliases: SQLAliases { builder.aliases }

    /// The object as a value: its key.
    var operand: SQLOperand { SQLOperand(key, .object(entity), isOptional: isOptional) }

    /// The number of the object's actual entity.
    var entityNumber: SQLOperand {
        SQLOperand(column(entity.table.entityNumber), .entity, isOptional: isOptional)
    }

    func column(_ column: SQLColumn) -> SQLExpression {
        .column(alias: joinedAlias(), name: column.name)
    }

    /// The object at the end of a to-one relationship.
    func object(at relationship: SQLToOne) -> SQLPathObject {
        let name = relationship.column.name
        if let known = destinations[name] { return known }
        let object = SQLPathObject(
            key: column(relationship.column), of: relationship.destination,
            actualEntity: relationship.entityColumn.map(column), in: builder)
        destinations[name] = object
        return object
    }

    /// The object with a key that the same select computes. The object may be missing.
    func sibling(_ key: SQLExpression, of entity: SQLEntity) -> SQLPathObject {
        SQLPathObject(key: key, of: entity, actualEntity: nil, in: builder)
    }

    /// The alias of the object's table.
    ///
    /// The outer join preserves the rows of the select that have no such object: its columns are NULL.
    private func joinedAlias() -> String {
        if let alias { return alias }
        let primaryKey = entity.table.primaryKey.name
        let new = builder.addOptional(entity.tableName) {
            .comparison(key, .equal, .column(alias: $0, name: primaryKey))
        }
        alias = new
        return new
    }
}
