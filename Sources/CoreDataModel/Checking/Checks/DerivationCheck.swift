// SPDX-License-Identifier: Apache-2.0

/// A derivation is a key path, or one of the functions that stores compute. Without this check the first save fails.
enum DerivationCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.flatMapOwnProperties { (entity, attribute: NSDerivedAttributeDescription) in
            attribute.derivationExpression.flatMap { problem(of: $0, in: entity) }.map {
                [ModelFinding(.warning, .fetchRequest, entity, attribute, $0)]
            } ?? []
        }
    }

    /// The functions of key paths, and of no argument.
    private static let functions = ["canonical:", "uppercase:", "lowercase:", "now", "count:", "sum:"]
    /// The operators whose value is one number.
    private static let operators = ["@count", "@sum", "@avg", "@min", "@max"]

    private static func problem(of expression: NSExpression, in entity: NSEntityDescription) -> String? {
        switch expression.expressionType {
        case .keyPath: return problem(of: expression.keyPath, in: entity)
        case .function where functions.contains(expression.function):
            for argument in expression.arguments ?? [] where argument.expressionType != .keyPath {
                return "has the derivation '\(expression)', whose argument is not a key path"
            }
            return nil
        default:
            return """
                has the derivation '\(expression)', which can't be computed: it is not a key path, count:, sum:, \
                canonical:, uppercase:, lowercase: or now()
                """
        }
    }

    private static func problem(of path: String, in entity: NSEntityDescription) -> String? {
        let keys = path.split(separator: ".").map(String.init)
        let used = keys.filter { $0.hasPrefix("@") }
        if let unknown = used.first(where: { !operators.contains($0) }) {
            return "has the derivation '\(path)' with the unknown operator '\(unknown)'"
                + NearestNames.findingSuggestion(for: unknown, in: operators)
        }
        if used.isEmpty, let first = keys.first, let relationship = entity.relationshipsByName[first],
            relationship.isToMany
        {
            return """
                has the derivation '\(path)', which has many values: a number is derived by \(first).@count, or by @sum
                """
        }
        return nil
    }
}
