import CoreDataModel
import CoreDataPredicates

/// Translates sort descriptors.
struct SQLOrdering {
    let dialect: any SQLDialect

    /// The order by the descriptors, and last by primary key, so that equal rows always come alike.
    ///
    /// - Throws: `NSCoreDataError` (134060) for comparator blocks, unknown methods and keys that have no order.
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
        switch try SQLKeyPaths.follow(KeyPathWalk.split(key)[...], from: object, text: key) {
        case .operand(let reached): operand = reached
        case .object(let reached): operand = reached.operand
        case .collection:
            throw SQLQueryError.unsupported(
                "the sort key \(key)", because: "to-many key paths have no single value; sort by @count, @min or @max")
        }
        return try term(descriptor, by: operand, key: key)
    }

    /// The order by a value.
    func term(_ descriptor: NSSortDescriptor, by operand: SQLOperand, key: String) throws -> SQLOrderTerm {
        guard !descriptor.needsEvaluation else { throw Self.needsEvaluation(descriptor) }
        if case .opaque(let reason) = operand.kind {
            throw SQLQueryError.unsupported("the sort key \(key)", because: reason)
        }
        let selector = descriptor.selector?.name ?? "compare:"
        guard let collation = dialect.collation(forSelector: selector) else {
            throw SQLQueryError.unsupported(
                "the sort descriptor for \(key)", because: "SQL has no order by \(selector)")
        }
        var term = SQLOrderTerm(expression: operand.expression, isAscending: descriptor.ascending)
        if case .named(let name) = collation, case .string = operand.kind { term.collation = name }
        return term
    }

    private static func needsEvaluation(_ descriptor: NSSortDescriptor) -> NSError {
        SQLQueryError.unsupported(
            "the sort descriptor \(descriptor)",
            because: "only code can evaluate its comparator; sort by a key and a method, or sort the results")
    }
}
