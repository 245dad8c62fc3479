// SPDX-License-Identifier: Apache-2.0

/// Adds predicates and expressions to a keyed archive, in the form of Apple's classes.
///
/// The form of constants, `SELF`, variables, key paths and functions is known from Apple's files. Aggregates, set
/// operations, subqueries and conditionals have the class names of Apple's expression classes, and keys named by the
/// same pattern.
package struct PredicateArchiver {
    let writer: KeyedArchiveWriter
    /// Names the archived object in errors.
    let owner: String

    package init(writer: KeyedArchiveWriter, owner: String) {
        self.writer = writer
        self.owner = owner
    }

    package func add(_ predicate: NSPredicate?) throws -> PropertyListValue {
        guard let predicate else { return KeyedArchiveWriter.null }
        switch predicate.kind {
        case .comparison(let comparison): return try add(comparison)
        case .compound(let type, let parts):
            try checkDepth(predicate.levelCount)
            return try add(type, parts)
        case .constant(let value):
            return writer.add(
                class: KeyedArchiveClass(value ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate"), [])
        case .block:
            throw archivingError("\(owner): a predicate with a block, or of a subclass, cannot be archived")
        }
    }

    /// - Throws: `CocoaError.coderInvalidValue` (4866) for a tree with more levels than an archive may have.
    func checkDepth(_ levels: Int) throws {
        guard levels > PredicateUnarchiver.depthLimit else { return }
        throw archivingError(
            "\(owner): it has \(levels) levels, and \(PredicateUnarchiver.depthLimit) can be read again")
    }

    private func add(_ comparison: NSComparisonPredicate) throws -> PropertyListValue {
        let left = try add(comparison.leftExpression)
        let right = try add(comparison.rightExpression)
        let archivedOperator = ArchivedPredicateOperator(comparison).encode(to: writer)
        return writer.add(
            class: KeyedArchiveClass("NSComparisonPredicate", "NSPredicate"),
            [
                ("NSLeftExpression", left), ("NSRightExpression", right), ("NSPredicateOperator", archivedOperator),
            ])
    }

    private func add(_ type: NSCompoundPredicate.LogicalType, _ parts: [NSPredicate]) throws -> PropertyListValue {
        var references: [PropertyListValue] = []
        for part in parts { references.append(try add(part)) }
        return writer.add(
            class: KeyedArchiveClass("NSCompoundPredicate", "NSPredicate"),
            [
                ("NSCompoundPredicateType", .integer(Int64(type.rawValue))),
                ("NSSubpredicates", writer.add(array: references, class: .array)),
            ])
    }
}
