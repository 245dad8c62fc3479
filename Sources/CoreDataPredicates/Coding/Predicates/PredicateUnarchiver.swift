/// Makes predicates of archived ones.
package struct PredicateUnarchiver {
    /// Deeper trees are refused: whoever walks them has a stack to lose.
    package static let depthLimit = 200
    /// A subtree that is referred to from several places is read at each of them; this bounds the whole.
    package let budget: KeyedArchiveBudget

    /// Without it what is read may be evaluated: models are trusted as the program is.
    private let permission: EvaluationPermission?

    package init(budget: KeyedArchiveBudget = KeyedArchiveBudget()) {
        self.budget = budget
        permission = nil
    }

    /// Makes predicates that may be evaluated only after `allowEvaluation()` if they come from anywhere.
    package init(budget: KeyedArchiveBudget, isUntrusted: Bool) {
        self.budget = budget
        permission = isUntrusted ? EvaluationPermission() : nil
    }

    /// Makes predicates that may be evaluated when the permission says so.
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

    package func enter(_ depth: Int) throws {
        guard depth < Self.depthLimit else {
            throw keyedArchiveError("a predicate is nested deeper than \(Self.depthLimit) levels, or holds itself")
        }
        try budget.spend()
    }

    package func predicate(_ object: KeyedArchiveObject, depth: Int) throws -> NSPredicate {
        try enter(depth)
        switch object.className {
        case "NSComparisonPredicate": return try comparison(object, depth: depth + 1)
        case "NSCompoundPredicate": return try compound(object, depth: depth + 1)
        case "NSTruePredicate": return NSPredicate(value: true)
        case "NSFalsePredicate": return NSPredicate(value: false)
        default: throw keyedArchiveError("an \(object.className) stands where a predicate belongs")
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
            throw object.wrongKind("NSCompoundPredicateType", "0, 1 or 2")
        }
        guard type != .not || parts.count == 1 else {
            throw object.wrongKind("NSSubpredicates", "the one predicate that NOT needs")
        }
        // Substituting nothing gives the compound that prints and compares rightly.
        return NSCompoundPredicate(type: type, subpredicates: parts).substituting([:])
    }
}
