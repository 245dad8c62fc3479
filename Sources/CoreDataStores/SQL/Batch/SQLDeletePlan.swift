// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// The statements by which a batch delete applies the delete rule of one relationship.
///
/// Every statement has one parameter: the list of the keys of deleted rows.
struct SQLDeletePlan {
    /// Selects, for each deleted row, a key that is not used, and the key and the entity number of a destination; for a
    /// to-one relationship the first column is missing.
    let destinationsText: String
    /// The column of the destination's key in the rows of ``destinationsText``.
    let destinationColumn: Int32
    /// The destination's entity if its number is not stored.
    let destination: SQLEntity
    /// Removes links from join tables.
    let unlinkTexts: [String]
    /// Clears the references of other rows to deleted rows; nil if no other row refers to them.
    let clearText: String?
    /// Whether a row must not lose its reference, since the inverse is not optional.
    let isInverseRequired: Bool
    /// Whether the links of a join table have another object that must not lose them.
    let areLinksRequired: Bool

    /// - Returns: nil if the store has no columns for the relationship.
    init?(_ slot: PropertySlot, of entity: SQLEntity, dialect: any SQLDialect) {
        guard let relationship = slot.relationship else { return nil }
        let statements = SQLWriteStatements(dialect: dialect)
        let inverse = relationship.inverseRelationship
        let rule = relationship.deleteRule
        let isRequired = inverse?.isOptional == false
        func cleared(_ table: String, _ columns: [String], _ key: String) -> String {
            statements.update(
                table, columns.map { .null($0) } + [.increment("Z_OPT")], whereKeys: key)
        }
        switch entity.properties[slot.name] {
        case .toOne(let toOne)?:
            destination = toOne.destination
            destinationsText = statements.select(
                [toOne.column.name] + (toOne.entityColumn.map { [$0.name] } ?? []), from: entity.tableName,
                whereKeys: "Z_PK")
            destinationColumn = 0
            unlinkTexts = []
            areLinksRequired = false
            // A to-one inverse has a column in the destination's table. The column of a to-many inverse is in the
            // deleted row itself.
            if rule == .nullifyDeleteRule, let name = inverse?.name, let back = toOne.destination.toOne(name) {
                let columns = [back.column, back.entityColumn, back.orderColumn].compactMap { $0?.name }
                clearText = cleared(toOne.destination.tableName, columns, back.column.name)
                isInverseRequired = isRequired
            } else {
                clearText = nil
                isInverseRequired = false
            }
        case .toMany(let toMany)?:
            destination = toMany.destination
            destinationsText = SQLKeyedStatements(dialect: dialect).content(of: toMany, keys: .many).text
            destinationColumn = 1
            switch toMany.storage {
            case .foreignKey(let key):
                let isCleared = rule == .nullifyDeleteRule || key.isWithoutInverse
                clearText =
                    isCleared
                    ? cleared(toMany.destination.tableName, key.columns.map(\.name), key.column.name) : nil
                isInverseRequired = isRequired && rule == .nullifyDeleteRule
                unlinkTexts = []
                areLinksRequired = false
            case .join(let join):
                clearText = nil
                isInverseRequired = false
                let columns = join.table.isReflexive ? [join.ownerColumn, join.contentColumn] : [join.ownerColumn]
                unlinkTexts = columns.map { statements.delete(from: join.table.name, whereKeys: $0) }
                areLinksRequired = isRequired && rule == .nullifyDeleteRule
            }
        default: return nil
        }
    }
}
