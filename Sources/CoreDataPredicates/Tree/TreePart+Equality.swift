// SPDX-License-Identifier: Apache-2.0

extension TreePart {
    /// True if both have the same structure and equal constants.
    static func equal(_ one: TreePart, _ two: TreePart) -> Bool {
        var pairs = [(one, two)]
        while let (one, two) = pairs.popLast() {
            if one.object === two.object { continue }
            guard one.isEqualIgnoringParts(two) else { return false }
            let (ones, twos) = (one.parts, two.parts)
            guard ones.count == twos.count else { return false }
            for index in ones.indices { pairs.append((ones[index], twos[index])) }
        }
        return true
    }

    /// True if both differ in their parts only. Blocks and subclasses equal only themselves.
    private func isEqualIgnoringParts(_ other: TreePart) -> Bool {
        switch (self, other) {
        case (.expression(let one), .expression(let two)):
            return type(of: one) == type(of: two) && one.node.isEqualIgnoringParts(two.node)
        case (.predicate(let one), .predicate(let two)):
            switch (one.kind, two.kind) {
            case (.comparison(let one), .comparison(let two)):
                return one.predicateOperatorType == two.predicateOperatorType
                    && one.comparisonPredicateModifier == two.comparisonPredicateModifier && one.options == two.options
                    && one.missingValues == two.missingValues
            case (.compound(let one, _), .compound(let two, _)): return one == two
            case (.constant(let one), .constant(let two)): return one == two
            default: return false
            }
        default: return false
        }
    }

    /// A hash that is equal for equal trees.
    var structuralHash: Int {
        var hasher = Hasher()
        var rest = [self]
        while let part = rest.popLast() {
            part.hash(into: &hasher)
            rest += part.parts
        }
        return hasher.finalize()
    }

    private func hash(into hasher: inout Hasher) {
        switch self {
        case .expression(let expression):
            hasher.combine(expression.node.type)
            expression.node.hash(into: &hasher)
        case .predicate(let predicate):
            switch predicate.kind {
            case .comparison(let comparison):
                hasher.combine(comparison.predicateOperatorType)
                hasher.combine(comparison.comparisonPredicateModifier)
                hasher.combine(comparison.options.rawValue)
            case .compound(let type, let subpredicates):
                hasher.combine(type.rawValue)
                hasher.combine(subpredicates.count)
            case .constant(let value): hasher.combine(value)
            case .block: hasher.combine(ObjectIdentifier(predicate))
            }
        }
    }
}

extension NSPredicate {
    /// True if both predicates have the same structure and equal constants. Blocks equal only themselves.
    package func structurallyEquals(_ other: NSPredicate) -> Bool {
        TreePart.equal(.predicate(self), .predicate(other))
    }

    /// A hash that is equal for structurally equal predicates.
    package var structuralHash: Int { TreePart.predicate(self).structuralHash }
}
