// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Checks key paths of arguments for an entity. The framework stops the process at an unknown key, which must not
/// happen because of a wrong argument.
struct KeyPathCheck {
    let entity: NSEntityDescription

    /// Throws if a key path in the predicate is invalid.
    func check(_ predicate: NSPredicate) throws {
        if let compound = predicate as? NSCompoundPredicate {
            for part in compound.subpredicates { try check(part) }
        } else if let comparison = predicate as? NSComparisonPredicate {
            try check(comparison.leftExpression)
            try checkRight(comparison.rightExpression)
            try checkIsOne(comparison)
        }
    }

    /// Throws if a key path is invalid, which may be a text without quotes.
    private func checkRight(_ expression: NSExpression) throws {
        do { try check(expression) } catch let error as CommandError where expression.expressionType == .keyPath {
            throw CommandError(
                "\(error.localizedDescription) If '\(expression.keyPath)' is a text, write it in quotes: "
                    + "\"\(expression.keyPath)\".")
        }
    }

    /// Throws if the values of many objects are compared as if they were one.
    private func checkIsOne(_ comparison: NSComparisonPredicate) throws {
        let expression = comparison.leftExpression
        guard comparison.comparisonPredicateModifier == .direct, expression.expressionType == .keyPath,
            comparison.predicateOperatorType != .contains,
            try property(at: expression.keyPath) is NSAttributeDescription
        else { return }
        var path: [Substring] = []
        for key in expression.keyPath.split(separator: ".") {
            path.append(key)
            let relationship = try property(at: path.joined(separator: ".")) as? NSRelationshipDescription
            guard relationship?.isToMany == true else { continue }
            throw CommandError(
                """
                '\(key)' leads to many objects. Write 'ANY \(comparison.description.prefix(200))' if one of them \
                is enough, or 'ALL …'.
                """)
        }
    }

    /// Throws if objects can't be sorted by the key path.
    func checkSortKey(_ keyPath: String) throws {
        let property = try property(at: keyPath)
        guard let attribute = property as? NSAttributeDescription else {
            throw CommandError("Objects can't be sorted by '\(keyPath)', which is no attribute.")
        }
        guard !attribute.isTransient else {
            throw CommandError("Objects can't be sorted by '\(keyPath)', which is transient and not in the store.")
        }
    }

    private func check(_ expression: NSExpression) throws {
        switch expression.expressionType {
        case .keyPath:
            try property(at: expression.keyPath)
        case .function:
            for argument in expression.arguments ?? [] { try check(argument) }
        case .aggregate:
            for case let member as NSExpression in expression.collection as? [Any] ?? [] { try check(member) }
        default:
            // Key paths in a subquery begin with its variable, whose entity is known at its evaluation only.
            break
        }
    }

    /// The key paths in an expression, without the key paths in subqueries.
    static func keyPaths(in expression: NSExpression) -> [String] {
        switch expression.expressionType {
        case .keyPath: [expression.keyPath]
        case .function: (expression.arguments ?? []).flatMap(keyPaths)
        case .aggregate:
            (expression.collection as? [Any] ?? []).compactMap { $0 as? NSExpression }.flatMap(keyPaths)
        default: []
        }
    }

    /// The last property of a key path; nil for a key path that ends with a collection operator or `SELF`.
    @discardableResult
    func property(at keyPath: String) throws -> NSPropertyDescription? {
        var entity: NSEntityDescription? = entity
        var last: NSPropertyDescription?
        for key in keyPath.split(separator: ".").map(String.init) {
            if key.hasPrefix("@") { return nil }
            if key.uppercased() == "SELF" || key == "objectID" { continue }
            guard let current = entity else {
                // After an attribute, only elements of a composite and keys of strings are valid.
                let type = (last as? NSAttributeDescription)?.attributeType
                if type == .compositeAttributeType
                    || type == .stringAttributeType && KeyPathEvaluation.stringKeys.contains(key)
                {
                    return last
                }
                throw CommandError("'\(key)' in '\(keyPath)' is invalid: '\(last?.name ?? "")' is an attribute.")
            }
            guard let property = current.propertiesByName[key] else {
                let known = current.propertiesByName.keys.sorted().joined(separator: ", ")
                throw CommandError(
                    """
                    Entity '\(current.name ?? "")' has no property '\(key)'.\
                    \(Misspelling.suggestion(forProperty: key, of: current)) It has: \(known).
                    """)
            }
            last = property
            entity = (property as? NSRelationshipDescription)?.destinationEntity
        }
        return last
    }
}
