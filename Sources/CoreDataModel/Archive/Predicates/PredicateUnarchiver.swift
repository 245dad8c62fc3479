import CoreDataPredicates

/// Makes predicates of archived ones.
struct PredicateUnarchiver {
    /// Deeper trees are refused: whoever walks them has a stack to lose.
    static let depthLimit = 200
    /// A subtree that is referred to from several places is read at each of them; this bounds the whole.
    let budget: KeyedArchiveBudget

    init(budget: KeyedArchiveBudget = KeyedArchiveBudget()) {
        self.budget = budget
    }

    func predicate(_ object: KeyedArchiveObject) throws -> NSPredicate {
        try predicate(object, depth: 0)
    }

    func expression(_ object: KeyedArchiveObject) throws -> NSExpression {
        try expression(object, depth: 0)
    }

    func enter(_ depth: Int) throws {
        guard depth < Self.depthLimit else {
            throw keyedArchiveError("a predicate is nested deeper than \(Self.depthLimit) levels, or holds itself")
        }
        try budget.spend()
    }

    func predicate(_ object: KeyedArchiveObject, depth: Int) throws -> NSPredicate {
        try enter(depth)
        switch object.className {
        case "NSComparisonPredicate":
            let archivedOperator = try ArchivedPredicateOperator(object.requiredObject("NSPredicateOperator"))
            return NSComparisonPredicate(
                leftExpression: try expression(object.requiredObject("NSLeftExpression"), depth: depth + 1),
                rightExpression: try expression(object.requiredObject("NSRightExpression"), depth: depth + 1),
                modifier: archivedOperator.modifier, type: archivedOperator.type, options: archivedOperator.options)
        case "NSCompoundPredicate":
            guard let number = UInt(exactly: try object.integer("NSCompoundPredicateType") ?? 0),
                let type = NSCompoundPredicate.LogicalType(rawValue: number)
            else {
                throw object.wrongKind("NSCompoundPredicateType", "0, 1 or 2")
            }
            var parts: [NSPredicate] = []
            for part in try object.objects("NSSubpredicates") ?? [] { parts.append(try predicate(part, depth: depth + 1)) }
            guard type != .not || parts.count == 1 else {
                throw object.wrongKind("NSSubpredicates", "the one predicate that NOT needs")
            }
            // Substituting nothing gives the compound that prints and compares rightly.
            return NSCompoundPredicate(type: type, subpredicates: parts).substituting([:])
        case "NSTruePredicate": return NSPredicate(value: true)
        case "NSFalsePredicate": return NSPredicate(value: false)
        default: throw keyedArchiveError("an \(object.className) stands where a predicate belongs")
        }
    }
}
