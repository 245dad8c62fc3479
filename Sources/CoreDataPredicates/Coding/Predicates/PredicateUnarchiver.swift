// SPDX-License-Identifier: Apache-2.0

/// Decodes predicates and expressions from keyed archives.
package struct PredicateUnarchiver {
    /// The deepest tree that is decoded: decoding and translation recurse.
    static let depthLimit = 200
    /// The limit for the complete tree. A subtree with several references is decoded for each of them.
    let budget: KeyedArchiveBudget

    /// The permission of the decoded predicates; nil for models, which are trusted like the program.
    private let permission: EvaluationPermission?

    package init(budget: KeyedArchiveBudget = KeyedArchiveBudget()) {
        self.budget = budget
        permission = nil
    }

    /// Creates an unarchiver.
    ///
    /// - Parameters:
    ///   - budget: the limit for the archive.
    ///   - isUntrusted: true if the predicates must not be evaluated before `allowEvaluation()`.
    package init(budget: KeyedArchiveBudget, isUntrusted: Bool) {
        self.budget = budget
        permission = isUntrusted ? EvaluationPermission() : nil
    }

    /// Creates an unarchiver of predicates with a permission.
    init(permission: EvaluationPermission) {
        budget = KeyedArchiveBudget()
        self.permission = permission
    }

    package func predicate(_ object: KeyedArchiveObject) throws -> NSPredicate {
        try predicate(object, depth: 0)
    }

    package func expression(_ object: KeyedArchiveObject) throws -> NSExpression {
        let expression = try expression(object, depth: 0)
        expression.permission = permission
        return expression
    }

    /// Checks the limits before an object at a depth is decoded.
    package func enter(_ depth: Int) throws {
        guard depth < Self.depthLimit else {
            throw keyedArchiveError("a predicate has more than \(Self.depthLimit) levels, or contains itself")
        }
        try budget.spend()
    }

    func predicate(_ object: KeyedArchiveObject, depth: Int) throws -> NSPredicate {
        try enter(depth)
        switch object.className {
        case "NSComparisonPredicate": return try comparison(object, depth: depth + 1)
        case "NSCompoundPredicate": return try compound(object, depth: depth + 1)
        case "NSTruePredicate": return NSPredicate(value: true)
        case "NSFalsePredicate": return NSPredicate(value: false)
        default: throw keyedArchiveError("a predicate was expected, not \(Wording.withArticle(object.className))")
        }
    }

    private func comparison(_ object: KeyedArchiveObject, depth: Int) throws -> NSPredicate {
        let left = try expression(object.requiredObject("NSLeftExpression"), depth: depth)
        let right = try expression(object.requiredObject("NSRightExpression"), depth: depth)
        return try comparison(object, left, right)
    }

    private func comparison(_ object: KeyedArchiveObject, _ left: NSExpression, _ right: NSExpression) throws
        -> NSPredicate
    {
        let archivedOperator = try ArchivedPredicateOperator(object.requiredObject("NSPredicateOperator"))
        let comparison = NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: archivedOperator.modifier,
            type: archivedOperator.type,
            options: archivedOperator.options)
        comparison.permission = permission
        return comparison
    }

    private func compound(_ object: KeyedArchiveObject, depth: Int) throws -> NSPredicate {
        var parts: [NSPredicate] = []
        for part in try object.objects("NSSubpredicates") ?? [] { parts.append(try predicate(part, depth: depth)) }
        return try compound(object, parts)
    }

    private func compound(_ object: KeyedArchiveObject, _ parts: [NSPredicate]) throws -> NSPredicate {
        guard let number = UInt(exactly: try object.integer("NSCompoundPredicateType") ?? 0),
            let type = NSCompoundPredicate.LogicalType(rawValue: number)
        else {
            throw object.typeMismatch("NSCompoundPredicateType", "0, 1 or 2")
        }
        guard type != .not || parts.count == 1 else {
            throw object.typeMismatch("NSSubpredicates", "exactly one predicate, as NOT needs")
        }
        // The substitution replaces Foundation's compound by one with a correct text and equality.
        return NSCompoundPredicate(type: type, subpredicates: parts).substituting([:])
    }
}
