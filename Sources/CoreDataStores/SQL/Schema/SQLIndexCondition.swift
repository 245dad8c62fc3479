// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Writes the predicate of a partial index as the condition of the statement that creates it.
///
/// The statement has no parameters: the model's constants are written into its text.
package struct SQLIndexCondition {
    private let entity: SQLEntity
    /// The name of the index in errors.
    private let index: String
    private let identifier: (String) -> String
    private let truth: (Bool) -> String
    private let constant: (Any, SQLColumn) -> String?

    /// - Parameters:
    ///   - identifier: writes the name of a column.
    ///   - truth: writes a condition that always or never holds.
    ///   - constant: writes a constant that is compared with a column; nil for a constant that the engine can't
    ///     compare.
    package init(
        entity: SQLEntity, index: String, identifier: @escaping (String) -> String,
        truth: @escaping (Bool) -> String, constant: @escaping (Any, SQLColumn) -> String?
    ) {
        self.entity = entity
        self.index = index
        self.identifier = identifier
        self.truth = truth
        self.constant = constant
    }

    /// The condition.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` (134020) for a predicate that doesn't compare columns of
    ///   the entity with constants.
    package func text(_ predicate: NSPredicate) throws -> String {
        switch predicate.kind {
        case .compound(let type, let parts):
            let texts = try parts.map { try text($0) }
            switch type {
            case .and: return texts.isEmpty ? truth(true) : "(" + texts.joined(separator: " AND ") + ")"
            case .or: return texts.isEmpty ? truth(false) : "(" + texts.joined(separator: " OR ") + ")"
            case .not: return "NOT (\(texts.first ?? truth(false)))"
            @unknown default: throw unwritable
            }
        case .constant(let value): return truth(value)
        case .comparison(let comparison): return try text(comparison)
        case .block: throw unwritable
        }
    }

    private func text(_ comparison: NSComparisonPredicate) throws -> String {
        guard comparison.comparisonPredicateModifier == .direct,
            let symbol = Self.symbols[comparison.predicateOperatorType.rawValue],
            let column = entity.column(of: comparison.leftExpression).flatMap(entity.table.column(named:)),
            comparison.rightExpression.expressionType == .constantValue
        else { throw unwritable }
        let name = identifier(column.name)
        guard let value = comparison.rightExpression.constantValue, !(value is NSNull) else {
            switch symbol {
            case "=": return "\(name) IS NULL"
            case "<>": return "\(name) IS NOT NULL"
            default: throw unwritable
            }
        }
        guard let text = constant(value, column) else { throw unwritable }
        return "\(name) \(symbol) \(text)"
    }

    private static let symbols: [UInt: String] = [
        NSComparisonPredicate.Operator.equalTo.rawValue: "=", NSComparisonPredicate.Operator.notEqualTo.rawValue: "<>",
        NSComparisonPredicate.Operator.lessThan.rawValue: "<",
        NSComparisonPredicate.Operator.lessThanOrEqualTo.rawValue: "<=",
        NSComparisonPredicate.Operator.greaterThan.rawValue: ">",
        NSComparisonPredicate.Operator.greaterThanOrEqualTo.rawValue: ">=",
    ]

    private var unwritable: NSError {
        SQLSchemaBuilder.error(
            "The predicate of the fetch index \(entity.name).\(index) can\u{2019}t be written in SQL: compare the "
                + "entity\u{2019}s own attributes with constants, joined by AND, OR and NOT.",
            entity: entity.name, property: index)
    }
}
