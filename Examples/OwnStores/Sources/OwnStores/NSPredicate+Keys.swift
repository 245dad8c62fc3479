import CoreData

extension NSPredicate {
    /// The first keys of the key paths. An object of an entity without one of them raises an exception.
    var firstKeys: Set<String> {
        if let compound = self as? NSCompoundPredicate {
            let parts: [Any] = compound.subpredicates
            return Set(parts.flatMap { ($0 as? NSPredicate)?.firstKeys ?? [] })
        }
        guard let comparison = self as? NSComparisonPredicate else { return [] }
        return comparison.leftExpression.firstKeys.union(comparison.rightExpression.firstKeys)
    }
}

extension NSExpression {
    fileprivate var firstKeys: Set<String> {
        switch expressionType {
        case .keyPath: return Set([String(keyPath.prefix { $0 != "." })])
        case .function: return Set((arguments ?? []).flatMap(\.firstKeys)).union(operand.firstKeys)
        default: return []
        }
    }
}

extension NSEntityDescription {
    func hasAll(_ keys: Set<String>) -> Bool {
        keys.allSatisfy { propertiesByName[$0] != nil || ["SELF", "self", "objectID", "entity"].contains($0) }
    }
}
