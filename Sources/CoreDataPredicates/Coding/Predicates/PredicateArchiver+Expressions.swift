// SPDX-License-Identifier: Apache-2.0

extension PredicateArchiver {
    private typealias Entry = (key: String, value: PropertyListValue)

    /// Adds an expression.
    ///
    /// Each level of a tree calls this function. Trees may be deep and the stack of a thread small, so its frame is
    /// small: it calls other functions for all work.
    package func add(_ expression: NSExpression?) throws -> PropertyListValue {
        guard let expression else { return KeyedArchiveWriter.null }
        try checkDepth(expression.levelCount)
        try requireArchivedForm(expression)
        switch expression.expressionType {
        case .function: return try addFunction(expression)
        case .unionSet, .intersectSet, .minusSet: return try addSetOperation(expression)
        case .subquery: return try addSubquery(expression)
        case .aggregate: return try addAggregate(expression)
        case .conditional: return try addConditional(expression)
        case .fetchRequest: return try addFetch(expression)
        case .constantValue: return try addConstant(expression.constantValue)
        case .evaluatedObject, .variable, .keyPath, .anyKey, .block: return addLeaf(expression)
        }
    }

    private func requireArchivedForm(_ expression: NSExpression) throws {
        guard expression.isEvaluatedByNode, expression.expressionType != .block else {
            let kind = expression.isEvaluatedByNode ? "with a block" : "of the class \(type(of: expression))"
            throw archivingError("\(owner): an expression \(kind) cannot be archived")
        }
    }

    private func addLeaf(_ expression: NSExpression) -> PropertyListValue {
        switch expression.expressionType {
        case .variable:
            return add("NSVariableExpression", type: 2, [("NSVariable", writer.add(string: expression.variable))])
        case .keyPath:
            let path = expression.keyPath
            let selector = path.contains(".") ? "valueForKeyPath:" : "valueForKey:"
            return addKeyPath(path, operand: add("NSSelfExpression", type: 1, []), type: 3, selector: selector)
        case .anyKey:
            return add("NSAnyKeyExpression", type: 15, [])
        default:
            return add("NSSelfExpression", type: 1, [])
        }
    }

    private func addSetOperation(_ expression: NSExpression) throws -> PropertyListValue {
        let left = try add(expression.left)
        let right = try add(expression.right)
        return add(
            "NSSetExpression", type: expression.expressionType.rawValue,
            [
                ("NSLeftExpression", left), ("NSRightExpression", right),
            ])
    }

    private func addSubquery(_ expression: NSExpression) throws -> PropertyListValue {
        let collection = try add(expression.collection as? NSExpression)
        let variable = add("NSVariableExpression", type: 2, [("NSVariable", writer.add(string: expression.variable))])
        let predicate = try add(expression.predicate)
        return add(
            "NSSubqueryExpression", type: 13,
            [
                ("NSCollectionExpression", collection), ("NSVariableExpression", variable), ("NSPredicate", predicate),
            ])
    }

    private func addAggregate(_ expression: NSExpression) throws -> PropertyListValue {
        let elements = try addAll(expression.collection as? [NSExpression] ?? [])
        return add("NSAggregateExpression", type: 14, [("NSCollection", writer.add(array: elements, class: .array))])
    }

    private func addAll(_ expressions: [NSExpression]) throws -> [PropertyListValue] {
        var references: [PropertyListValue] = []
        for expression in expressions { references.append(try add(expression)) }
        return references
    }

    private func addConditional(_ expression: NSExpression) throws -> PropertyListValue {
        let predicate = try add(expression.predicate)
        let whenTrue = try add(expression.true)
        let whenFalse = try add(expression.false)
        return add(
            "NSTernaryExpression", type: 20,
            [
                ("NSPredicate", predicate), ("NSTrueExpression", whenTrue), ("NSFalseExpression", whenFalse),
            ])
    }

    private func add(_ name: String, type: UInt, _ entries: [Entry]) -> PropertyListValue {
        writer.add(
            class: KeyedArchiveClass(name, "NSExpression"), [("NSExpressionType", .integer(Int64(type)))] + entries)
    }

    private func addConstant(_ value: Any?) throws -> PropertyListValue {
        guard let value else {
            return add("NSConstantValueExpression", type: 0, [("NSConstantValueClassName", KeyedArchiveWriter.null)])
        }
        let archived = try writer.add(foundation: value, what: owner)
        return add("NSConstantValueExpression", type: 0, [("NSConstantValue", archived)])
    }

    private func addKeyPath(_ path: String, operand: PropertyListValue, type: Int64, selector: String)
        -> PropertyListValue
    {
        let specifier = add("NSKeyPathSpecifierExpression", type: 10, [("NSKeyPath", writer.add(string: path))])
        return writer.add(
            class: KeyedArchiveClass("NSKeyPathExpression", "NSFunctionExpression", "NSExpression"),
            [
                ("NSExpressionType", .integer(type)),
                ("NSOperand", operand),
                ("NSSelectorName", writer.add(string: selector)),
                ("NSArguments", writer.add(array: [specifier], class: .array)),
            ])
    }

    private func addFetch(_ expression: NSExpression) throws -> PropertyListValue {
        let parts = try addAll(expression.node.children)
        guard let node = expression.node as? FetchRequestNode, parts.count == 2 else {
            throw archivingError("\(owner): a fetch request expression without a request cannot be archived")
        }
        return add(
            "NSFetchRequestExpression", type: 50,
            [
                ("NSFRExpression", parts[0]), ("NSMOCExpression", parts[1]),
                ("NSCountOnlyFlag", .boolean(node.isCountOnly)),
            ])
    }

    private func addFunction(_ expression: NSExpression) throws -> PropertyListValue {
        let isLibraryFunction = (expression.node as? FunctionNode)?.target == nil
        let operand = isLibraryFunction ? libraryOperand() : try add(expression.operand)
        if !isLibraryFunction, let path = Self.keyPath(expression.function, expression.arguments ?? []) {
            return addKeyPath(path, operand: operand, type: 4, selector: expression.function)
        }
        let arguments = try addAll(expression.arguments ?? [])
        return add(
            "NSFunctionExpression", type: 4,
            [
                ("NSOperand", operand),
                ("NSSelectorName", writer.add(string: expression.function)),
                ("NSArguments", writer.add(array: arguments, class: .array)),
            ])
    }

    /// Apple's class that implements the library functions, as a constant.
    private func libraryOperand() -> PropertyListValue {
        add(
            "NSConstantValueExpression", type: 0,
            [("NSConstantValueClassName", writer.add(string: "_NSPredicateUtilities"))])
    }

    /// The key path in a call of `valueForKey:` or `valueForKeyPath:`, for example in `$source.name`.
    private static func keyPath(_ selector: String, _ arguments: [NSExpression]) -> String? {
        guard selector == "valueForKey:" || selector == "valueForKeyPath:", arguments.count == 1 else { return nil }
        let path: String? =
            switch arguments[0].expressionType {
            case .keyPath: arguments[0].keyPath
            case .constantValue: arguments[0].constantValue as? String
            default: nil
            }
        // A single key may contain dots, the keys of a key path can't.
        return selector == "valueForKey:" && path?.contains(".") == true ? nil : path
    }
}
