// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Translates sort descriptors.
struct SQLOrdering {
    let dialect: any SQLDialect

    /// The ordering by sort descriptors, and by primary key last, which makes the order of equal rows stable.
    ///
    /// - Parameters:
    ///   - descriptors: the sort descriptors; none for no ordering.
    ///   - object: the object whose keys they name.
    /// - Throws: `NSCoreDataError` (134060) for comparator blocks, unknown methods and keys without an order.
    func terms(_ descriptors: [NSSortDescriptor], from object: SQLPathObject) throws -> [SQLOrderTerm] {
        guard !descriptors.isEmpty else { return [] }
        let terms = try descriptors.map { try term($0, from: object) }
        if terms.contains(where: { $0.expression == object.key }) { return terms }
        return terms + [SQLOrderTerm(expression: object.key, isAscending: true)]
    }

    private func term(_ descriptor: NSSortDescriptor, from object: SQLPathObject) throws -> SQLOrderTerm {
        guard !descriptor.needsEvaluation else { throw Self.needsEvaluation(descriptor) }
        let key = descriptor.key ?? "self"
        let operand: SQLOperand
        switch try SQLKeyPaths.resolve(KeyPathEvaluation.split(key)[...], from: object, text: key) {
        case .operand(let value): operand = value
        case .object(let destination): operand = destination.operand
        case .collection:
            throw SQLQueryError.unsupportedSortKey(
                "\(key)", because: "to-many key paths have no single value; sort by @count, @min or @max")
        }
        return try term(descriptor, by: operand, key: key)
    }

    /// The ordering by a value.
    func term(_ descriptor: NSSortDescriptor, by operand: SQLOperand, key: String) throws -> SQLOrderTerm {
        guard !descriptor.needsEvaluation else { throw Self.needsEvaluation(descriptor) }
        if case .opaque(let reason) = operand.kind {
            throw SQLQueryError.unsupportedSortKey("\(key)", because: reason)
        }
        let selector = descriptor.selector?.name ?? "compare:"
        guard let collation = dialect.collation(forSelector: selector) else {
            throw SQLQueryError.unsupported(
                "the sort descriptor for \(key)", because: "SQL has no order by \(selector)")
        }
        var term = SQLOrderTerm(expression: operand.expression, isAscending: descriptor.ascending)
        if case .string = operand.kind {
            switch collation {
            case .columnDefault: break
            case .named(let name): term.collation = name
            case .unavailable: throw SQLUnavailable(part: selector)
            }
        }
        return term
    }

    private static func needsEvaluation(_ descriptor: NSSortDescriptor) -> NSError {
        SQLQueryError.unsupported(
            "the sort descriptor \(descriptor)",
            because: "only code can evaluate its comparator; sort by a key and a method, or sort the results")
    }
}
