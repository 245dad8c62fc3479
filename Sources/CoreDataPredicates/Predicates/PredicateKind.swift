// SPDX-License-Identifier: Apache-2.0

/// The kind of a predicate, for code that translates or stores it.
package enum PredicateKind {
    case comparison(NSComparisonPredicate)
    case compound(NSCompoundPredicate.LogicalType, [NSPredicate])
    case constant(Bool)
    /// A block, or a subclass of the program. It can only be evaluated.
    case block
}

extension NSPredicate {
    /// The kind of this predicate. Foundation's compounds have wrong texts and no equality, so code that traverses
    /// predicates switches over the kind.
    package var kind: PredicateKind {
        if let comparison = self as? NSComparisonPredicate { return .comparison(comparison) }
        if let compound = self as? NSCompoundPredicate {
            return .compound(compound.compoundPredicateType, compound.subpredicates)
        }
        guard type(of: self) == NSPredicate.self else { return .block }
        // Foundation doesn't publish the value of constant predicates; its equality of two of them is exact.
        if isEqual(ConstantPredicates.alwaysTrue) { return .constant(true) }
        if isEqual(ConstantPredicates.alwaysFalse) { return .constant(false) }
        return .block
    }

    /// All expressions in the predicate, outermost first, without expressions inside subqueries.
    package var expressions: [NSExpression] {
        var expressions: [NSExpression] = []
        var rest = [self]
        while let predicate = rest.popLast() {
            switch predicate.kind {
            case .comparison(let comparison): expressions += [comparison.leftExpression, comparison.rightExpression]
            case .compound(_, let subpredicates): rest += subpredicates.reversed()
            case .constant, .block: break
            }
        }
        return expressions
    }
}

/// Foundation's two constant predicates, for comparisons.
enum ConstantPredicates {
    // Safe: the objects never change. On Linux, Foundation declares predicates as not Sendable.
    nonisolated(unsafe) static let alwaysTrue = NSPredicate(value: true)
    nonisolated(unsafe) static let alwaysFalse = NSPredicate(value: false)
}

/// The compound of the parser: Foundation's class with the description, equality, copying and coding that it lacks.
final class CompoundPredicate: NSCompoundPredicate, NSSecureCoding {
    override init(type: LogicalType, subpredicates: [NSPredicate]) {
        super.init(type: type, subpredicates: subpredicates)
    }

    init?(coder: NSCoder) {
        guard let decoded = PredicateCoding.decode(NSCompoundPredicate.self, from: coder) else { return nil }
        super.init(type: decoded.compoundPredicateType, subpredicates: decoded.subpredicates)
    }

    func encode(with coder: NSCoder) { PredicateCoding.encode(self, with: coder) }

    static var supportsSecureCoding: Bool { true }

    @available(*, deprecated, message: "use description")
    override var predicateFormat: String { predicateText }

    override var description: String { predicateText }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return structurallyEquals(other)
    }

    override var hash: Int { structuralHash }
}
