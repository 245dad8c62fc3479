// SPDX-License-Identifier: Apache-2.0

/// Checks that the key paths of a predicate exist. A misspelt key is an error of the fetch in every store.
package enum PredicateCheck {
    /// The names that an expression may use: keys of the fetched entity, and variables of subqueries.
    private struct Scope {
        let layout: EntityLayout
        /// The entities of the elements; nil if only the evaluation knows them.
        var variables: [String: EntityLayout?] = [:]
    }

    package static func check(_ predicate: NSPredicate, layout: EntityLayout) throws {
        try check(predicate, Scope(layout: layout))
    }

    /// Whether the key paths of a predicate exist.
    package static func passes(_ predicate: NSPredicate, layout: EntityLayout) -> Bool {
        do { try check(predicate, layout: layout) } catch { return false }
        return true
    }

    /// Checks that the keys to sort by exist.
    package static func check(_ descriptors: [NSSortDescriptor], layout: EntityLayout) throws {
        for key in descriptors.compactMap(\.key) { try check(keyPath: key, layout) }
    }

    /// Checks the keys of a path.
    ///
    /// - Returns: the entity at the end of the path; nil for values, and if only the evaluation knows it.
    @discardableResult
    static func check(keyPath: String, _ layout: EntityLayout) throws -> EntityLayout? {
        var here = layout
        var attribute: PropertySlot?
        for key in KeyPathEvaluation.split(keyPath) {
            if key == "@count" { return nil }
            if key.hasPrefix("@") { continue }
            if let composite = attribute, composite.kind == .composite, let element = composite.element(named: key) {
                attribute = element
                continue
            }
            if let attribute {
                guard Self.knows(key, attribute) else {
                    throw unknown(
                        key, in: keyPath, of: layout, "the attribute '\(attribute.name)' has no keys of that name")
                }
                return nil
            }
            if let slot = here.slotHereOrBelow(named: key) {
                if slot.isRelationship { here = here.model[slot.destination] } else { attribute = slot }
            } else {
                switch key {
                case "self", "SELF": continue
                case "objectID", "entity": return nil
                default:
                    let known = here.properties.map(\.name).sorted().joined(separator: ", ")
                    throw unknown(
                        key, in: keyPath, of: layout, "\(here.name) has no property '\(key)'. It has: \(known)")
                }
            }
        }
        return attribute == nil ? here : nil
    }

    private static func unknown(_ key: String, in keyPath: String, of layout: EntityLayout, _ reason: String) -> NSError
    {
        refusal("keypath \(keyPath) not found in entity \(layout.name): \(reason).", part: keyPath, of: layout)
    }

    private static func refusal(_ text: String, part: String, of layout: EntityLayout) -> NSError {
        CoreDataErrors.error(
            NSCoreDataError, message: text, reason: text,
            userInfo: ["reason": text, "entity": layout.name, "part": part])
    }

    /// Whether the values of an attribute may have a key. The class of a transformable value decides at evaluation.
    private static func knows(_ key: String, _ attribute: PropertySlot) -> Bool {
        switch attribute.kind {
        case .transformable, .undefined, .fetched: true
        case .string: KeyPathEvaluation.stringKeys.contains(key) || key == "self"
        default: key == "self" || key == "description"
        }
    }

    private static func check(_ predicate: NSPredicate, _ scope: Scope) throws {
        switch predicate.kind {
        case .comparison(let comparison):
            try check(comparison.leftExpression, scope)
            try check(comparison.rightExpression, scope)
        case .compound(_, let parts):
            for part in parts { try check(part, scope) }
        case .constant, .block:
            return
        }
    }

    /// Checks an expression.
    ///
    /// - Returns: the entity of its objects, nil for other values.
    @discardableResult
    private static func check(_ expression: NSExpression, _ scope: Scope) throws -> EntityLayout? {
        switch expression.node {
        case is EvaluatedObjectNode:
            return scope.layout
        case let node as KeyPathNode:
            return try check(keyPath: node.keyPath, scope.layout)
        case let node as VariableNode:
            guard let entity = scope.variables[node.name] else {
                throw refusal(
                    """
                    The store can\u{2019}t use the variable $\(node.name): it has no value; give it one by \
                    withSubstitutionVariables(_:).
                    """,
                    part: "$\(node.name)", of: scope.layout)
            }
            return entity
        case let node as SubqueryNode:
            let element = try check(node.collection, scope)
            var inner = scope
            inner.variables.updateValue(element, forKey: node.variable)
            try check(node.predicate, inner)
            return element
        case let node as ConditionalNode:
            try check(node.predicate, scope)
            try check(node.whenTrue, scope)
            try check(node.whenFalse, scope)
            return nil
        case let node as FunctionNode:
            for argument in node.arguments { try check(argument, scope) }
            guard let target = node.target, let start = try check(target, scope), node.selector == "valueForKeyPath:",
                let path = (node.arguments.first?.node as? ConstantNode)?.value as? String
            else { return nil }
            return try check(keyPath: path, start)
        default:
            for part in expression.node.children { try check(part, scope) }
            return nil
        }
    }
}
