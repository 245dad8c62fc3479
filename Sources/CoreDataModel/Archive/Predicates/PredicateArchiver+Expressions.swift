import CoreDataPredicates

extension PredicateArchiver {
    private typealias Entry = (key: String, value: PropertyListValue)

    func add(_ expression: NSExpression?) throws -> PropertyListValue {
        guard let expression else { return KeyedArchiveWriter.null }
        guard expression.isComputedByNode else {
            throw CocoaError(.coderInvalidValue, userInfo: [
                NSDebugDescriptionErrorKey: "\(owner): an expression of the class \(type(of: expression)) cannot be archived"
            ])
        }
        switch expression.expressionType {
        case .constantValue:
            return try addConstant(expression.constantValue)
        case .evaluatedObject:
            return add("NSSelfExpression", type: 1, [])
        case .variable:
            return add("NSVariableExpression", type: 2, [("NSVariable", writer.add(string: expression.variable))])
        case .keyPath:
            return addKeyPath(expression.keyPath, operand: add("NSSelfExpression", type: 1, []), type: 3, isSelf: true)
        case .function:
            return try addFunction(expression)
        case .unionSet, .intersectSet, .minusSet:
            let left = try add(expression.left)
            let right = try add(expression.right)
            return add("NSSetExpression", type: expression.expressionType.rawValue, [
                ("NSLeftExpression", left), ("NSRightExpression", right),
            ])
        case .subquery:
            let collection = try add(expression.collection as? NSExpression)
            let variable = add("NSVariableExpression", type: 2, [("NSVariable", writer.add(string: expression.variable))])
            let predicate = try add(expression.predicate)
            return add("NSSubqueryExpression", type: 13, [
                ("NSCollectionExpression", collection), ("NSVariableExpression", variable), ("NSPredicate", predicate),
            ])
        case .aggregate:
            let elements = try (expression.collection as? [NSExpression] ?? []).map(add)
            return add("NSAggregateExpression", type: 14, [("NSCollection", writer.add(array: elements, class: .array))])
        case .anyKey:
            return add("NSAnyKeyExpression", type: 15, [])
        case .conditional:
            let predicate = try add(expression.predicate)
            let whenTrue = try add(expression.true)
            let whenFalse = try add(expression.false)
            return add("NSTernaryExpression", type: 20, [
                ("NSPredicate", predicate), ("NSTrueExpression", whenTrue), ("NSFalseExpression", whenFalse),
            ])
        case .fetchRequest:
            return try addFetch(expression)
        case .block:
            throw CocoaError(.coderInvalidValue, userInfo: [
                NSDebugDescriptionErrorKey: "\(owner): an expression made of a block cannot be archived"
            ])
        }
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

    private func addKeyPath(_ path: String, operand: PropertyListValue, type: Int64, isSelf: Bool) -> PropertyListValue {
        let selector = isSelf && !path.contains(".") ? "valueForKey:" : "valueForKeyPath:"
        let specifier = add("NSKeyPathSpecifierExpression", type: 10, [("NSKeyPath", writer.add(string: path))])
        return writer.add(class: KeyedArchiveClass("NSKeyPathExpression", "NSFunctionExpression", "NSExpression"), [
            ("NSExpressionType", .integer(type)),
            ("NSOperand", operand),
            ("NSSelectorName", writer.add(string: selector)),
            ("NSArguments", writer.add(array: [specifier], class: .array)),
        ])
    }

    private func addFetch(_ expression: NSExpression) throws -> PropertyListValue {
        guard let node = expression.node as? FetchRequestNode else {
            throw CocoaError(.coderInvalidValue, userInfo: [
                NSDebugDescriptionErrorKey: "\(owner): a fetch request expression without a request cannot be archived"
            ])
        }
        let request = try add(node.request)
        let context = try add(node.context)
        return add("NSFetchRequestExpression", type: 50, [
            ("NSFRExpression", request), ("NSMOCExpression", context), ("NSCountOnlyFlag", .boolean(node.isCountOnly)),
        ])
    }

    private func addFunction(_ expression: NSExpression) throws -> PropertyListValue {
        let selector = expression.function
        let arguments = expression.arguments ?? []
        let isLibraryFunction = (expression.node as? FunctionNode)?.target == nil
        if !isLibraryFunction, let path = Self.keyPath(selector, arguments) {
            return addKeyPath(path, operand: try add(expression.operand), type: 4, isSelf: false)
        }
        let operand: PropertyListValue
        if isLibraryFunction {
            operand = add("NSConstantValueExpression", type: 0, [
                ("NSConstantValueClassName", writer.add(string: "_NSPredicateUtilities"))
            ])
        } else {
            operand = try add(expression.operand)
        }
        let archived = try arguments.map(add)
        return add("NSFunctionExpression", type: 4, [
            ("NSOperand", operand),
            ("NSSelectorName", writer.add(string: selector)),
            ("NSArguments", writer.add(array: archived, class: .array)),
        ])
    }

    /// The key path in a call of `valueForKey:` or `valueForKeyPath:`, for example in `$source.name`.
    private static func keyPath(_ selector: String, _ arguments: [NSExpression]) -> String? {
        guard selector == "valueForKey:" || selector == "valueForKeyPath:", arguments.count == 1 else { return nil }
        switch arguments[0].expressionType {
        case .keyPath: return arguments[0].keyPath
        case .constantValue: return arguments[0].constantValue as? String
        default: return nil
        }
    }
}
