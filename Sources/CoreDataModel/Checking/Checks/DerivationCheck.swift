// SPDX-License-Identifier: Apache-2.0

/// A derivation is a key path, or one of the functions that stores compute. Without this check the first save fails.
enum DerivationCheck: ModelCheck {
    static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
        model.flatMapOwnProperties { (entity, attribute: NSDerivedAttributeDescription) in
            attribute.derivation.flatMap { problem(of: $0, in: entity) }.map {
                [ModelFinding(.warning, .fetchRequest, entity, attribute, $0)]
            } ?? []
        }
    }

    /// The operators whose value is one number.
    private static let operators = ["@count", "@sum", "@avg", "@min", "@max"]

    private static func problem(of derivation: Derivation, in entity: NSEntityDescription) -> String? {
        switch derivation.form {
        case .count, .sum, .related: nil
        case .own where derivation.expression.expressionType == .keyPath:
            problem(of: derivation.expression.keyPath, in: entity)
        case .own: nil
        case .unsupported(let mismatch):
            "has the derivation '\(derivation.expression)', which can't be computed: it \(mismatch)"
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
