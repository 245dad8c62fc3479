// SPDX-License-Identifier: Apache-2.0

extension PredicateUnarchiver {
    /// The kinds of expressions with parts.
    ///
    /// Trees may have `depthLimit` levels and the stack of a thread may be small. So the functions that recurse have
    /// small frames: they call other functions, which return before the recursion, for all work.
    private enum Composite {
        case keyPath, function, aggregate, set, subquery, conditional, fetch
    }

    private static let composites: [String: Composite] = [
        "NSKeyPathExpression": .keyPath, "NSFunctionExpression": .function, "NSAggregateExpression": .aggregate,
        "NSSetExpression": .set, "NSSubqueryExpression": .subquery, "NSTernaryExpression": .conditional,
        "NSFetchRequestExpression": .fetch,
    ]

    func expression(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        try enter(depth)
        guard let composite = Self.composites[object.className] else { return try leaf(object) }
        switch composite {
        case .keyPath: return try keyPath(object, depth: depth + 1)
        case .function: return try function(object, depth: depth + 1)
        case .aggregate: return NSExpression(forAggregate: try expressions(object, "NSCollection", depth: depth + 1))
        case .set: return try setOperation(object, depth: depth + 1)
        case .subquery: return try subquery(object, depth: depth + 1)
        case .conditional: return try conditional(object, depth: depth + 1)
        case .fetch: return try fetch(object, depth: depth + 1)
        }
    }

    private func leaf(_ object: KeyedArchiveObject) throws -> NSExpression {
        switch object.className {
        case "NSConstantValueExpression":
            return NSExpression(
                forConstantValue: try KeyedArchiveFoundationDecoder.decodeOrPreserve(
                    object.value("NSConstantValue"), budget: budget))
        case "NSSelfExpression":
            return NSExpression.expressionForEvaluatedObject()
        case "NSVariableExpression":
            return NSExpression(forVariable: try object.requiredString("NSVariable"))
        case "NSKeyPathSpecifierExpression":
            return NSExpression(forKeyPath: try object.requiredString("NSKeyPath"))
        case "NSAnyKeyExpression":
            return NSExpression.expressionForAnyKey()
        default:
            throw keyedArchiveError("an expression was expected, not \(Wording.withArticle(object.className))")
        }
    }

    private func expression(_ object: KeyedArchiveObject, _ key: String, depth: Int) throws -> NSExpression {
        try expression(object.requiredObject(key), depth: depth)
    }

    private func expressions(_ object: KeyedArchiveObject, _ key: String, depth: Int) throws -> [NSExpression] {
        var result: [NSExpression] = []
        for element in try object.objects(key) ?? [] { result.append(try expression(element, depth: depth)) }
        return result
    }

    private func fetch(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        let request = try expression(object, "NSFRExpression", depth: depth)
        let context = try expression(object, "NSMOCExpression", depth: depth)
        return NSFetchRequestExpression.expression(
            forFetch: request, context: context, countOnly: try object.flag("NSCountOnlyFlag"))
    }

    private func subquery(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        let collection = try expression(object, "NSCollectionExpression", depth: depth)
        let predicate = try predicate(object.requiredObject("NSPredicate"), depth: depth)
        return NSExpression(
            forSubquery: collection, usingIteratorVariable: try iteratorName(object), predicate: predicate)
    }

    /// The name of the iterator variable, which is archived as a string or as a variable expression.
    private func iteratorName(_ object: KeyedArchiveObject) throws -> String {
        if case .object(let variable) = try object.value("NSVariableExpression") {
            return try variable.requiredString("NSVariable")
        }
        return try object.requiredString("NSVariable")
    }

    private func conditional(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        let predicate = try predicate(object.requiredObject("NSPredicate"), depth: depth)
        let whenTrue = try expression(object, "NSTrueExpression", depth: depth)
        let whenFalse = try expression(object, "NSFalseExpression", depth: depth)
        return NSExpression(forConditional: predicate, trueExpression: whenTrue, falseExpression: whenFalse)
    }

    /// A key path of `SELF`, or of another operand such as a variable. The latter is a function of the operand.
    private func keyPath(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        guard try hasOperand(object) else { return NSExpression(forKeyPath: try path(object)) }
        let operand = try expression(object, "NSOperand", depth: depth)
        let path = try path(object)
        return NSExpression(
            forFunction: operand,
            selectorName: path.contains(".")
                ? "valueForKeyPath:" : try object.string("NSSelectorName") ?? "valueForKeyPath:",
            arguments: [NSExpression(forConstantValue: path)])
    }

    private func hasOperand(_ object: KeyedArchiveObject) throws -> Bool {
        guard let operand = try object.object("NSOperand") else { return false }
        return operand.className != "NSSelfExpression"
    }

    private func path(_ object: KeyedArchiveObject) throws -> String {
        guard let specifier = try object.objects("NSArguments")?.first else {
            throw object.typeMismatch("NSArguments", "a key path")
        }
        switch specifier.className {
        case "NSKeyPathSpecifierExpression": return try specifier.requiredString("NSKeyPath")
        case "NSConstantValueExpression": return try specifier.requiredString("NSConstantValue")
        default: throw object.typeMismatch("NSArguments", "a key path")
        }
    }

    private func function(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        if try isKeyPath(object) { return try keyPath(object, depth: depth) }
        let arguments = try expressions(object, "NSArguments", depth: depth)
        if try isLibraryCall(object) { return try libraryCall(object, arguments) }
        return NSExpression(
            forFunction: try expression(object, "NSOperand", depth: depth),
            selectorName: try object.requiredString("NSSelectorName"), arguments: arguments)
    }

    /// True for a call with the arguments of a key path: it is one, whatever its class is.
    private func isKeyPath(_ object: KeyedArchiveObject) throws -> Bool {
        guard let selector = try object.string("NSSelectorName"), selector.hasPrefix("valueForKey"),
            let arguments = try object.objects("NSArguments"), arguments.count == 1
        else { return false }
        return arguments[0].className == "NSKeyPathSpecifierExpression"
    }

    /// True for a library function, whose operand is a class in Apple's archives.
    private func isLibraryCall(_ object: KeyedArchiveObject) throws -> Bool {
        let operand = try object.requiredObject("NSOperand")
        return try operand.className == "NSConstantValueExpression" && operand.string("NSConstantValueClassName") != nil
    }

    /// A call of a library function. An unknown function is an error.
    private func libraryCall(_ object: KeyedArchiveObject, _ arguments: [NSExpression]) throws -> NSExpression {
        let selector = try object.requiredString("NSSelectorName")
        guard ArchivedFunctions.accept(selector, argumentCount: arguments.count) else {
            throw keyedArchiveError(
                "there is no function \"\(selector)\" with \(Wording.count(arguments.count, "argument"))")
        }
        return NSExpression(forFunction: selector, arguments: arguments)
    }

    private func setOperation(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        let left = try expression(object, "NSLeftExpression", depth: depth)
        let right = try expression(object, "NSRightExpression", depth: depth)
        switch try object.integer("NSExpressionType") {
        case 5: return NSExpression(forUnionSet: left, with: right)
        case 6: return NSExpression(forIntersectSet: left, with: right)
        case 7: return NSExpression(forMinusSet: left, with: right)
        default: throw object.typeMismatch("NSExpressionType", "a set operation")
        }
    }
}

/// The library functions that archives may call. An archive may contain any selector, so other selectors are refused.
enum ArchivedFunctions {
    private static let names = Set(FunctionLibrary.names)

    /// True if the library has the function and its selector has a colon for each argument.
    static func accept(_ selector: String, argumentCount: Int) -> Bool {
        names.contains(selector) && argumentCount == selector.count(where: { $0 == ":" })
    }
}
