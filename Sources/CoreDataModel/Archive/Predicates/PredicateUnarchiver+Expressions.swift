import CoreDataPredicates

extension PredicateUnarchiver {
    func expression(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        try enter(depth)
        switch object.className {
        case "NSConstantValueExpression":
            return NSExpression(forConstantValue: try KeyedArchiveFoundationDecoder.decodeOrKeep(object.value("NSConstantValue"), budget: budget))
        case "NSSelfExpression":
            return NSExpression.expressionForEvaluatedObject()
        case "NSVariableExpression":
            return NSExpression(forVariable: try object.requiredString("NSVariable"))
        case "NSKeyPathSpecifierExpression":
            return NSExpression(forKeyPath: try object.requiredString("NSKeyPath"))
        case "NSKeyPathExpression":
            return try keyPath(object, depth: depth)
        case "NSFunctionExpression":
            return try function(object, depth: depth)
        case "NSAggregateExpression":
            return NSExpression(forAggregate: try expressions(object, "NSCollection", depth: depth))
        case "NSSetExpression":
            return try setOperation(object, depth: depth)
        case "NSSubqueryExpression":
            return NSExpression(
                forSubquery: try expression(object.requiredObject("NSCollectionExpression"), depth: depth + 1),
                usingIteratorVariable: try iteratorName(object),
                predicate: try predicate(object.requiredObject("NSPredicate"), depth: depth + 1))
        case "NSTernaryExpression":
            return NSExpression(
                forConditional: try predicate(object.requiredObject("NSPredicate"), depth: depth + 1),
                trueExpression: try expression(object.requiredObject("NSTrueExpression"), depth: depth + 1),
                falseExpression: try expression(object.requiredObject("NSFalseExpression"), depth: depth + 1))
        case "NSFetchRequestExpression":
            return NSFetchRequestExpression.expression(
                forFetch: try expression(object.requiredObject("NSFRExpression"), depth: depth + 1),
                context: try expression(object.requiredObject("NSMOCExpression"), depth: depth + 1),
                countOnly: try object.flag("NSCountOnlyFlag"))
        case "NSAnyKeyExpression":
            return NSExpression.expressionForAnyKey()
        default:
            throw keyedArchiveError("an \(object.className) stands where an expression belongs")
        }
    }

    private func expressions(_ object: KeyedArchiveObject, _ key: String, depth: Int) throws -> [NSExpression] {
        var result: [NSExpression] = []
        for element in try object.objects(key) ?? [] { result.append(try expression(element, depth: depth + 1)) }
        return result
    }

    /// The iterator variable is archived as a name or as a variable expression.
    private func iteratorName(_ object: KeyedArchiveObject) throws -> String {
        if case .object(let variable) = try object.value("NSVariableExpression") {
            return try variable.requiredString("NSVariable")
        }
        return try object.requiredString("NSVariable")
    }

    /// A key path on `SELF`, or on another operand such as a variable: the latter is a function of that operand.
    private func keyPath(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        guard let specifier = try object.objects("NSArguments")?.first else {
            throw object.wrongKind("NSArguments", "a key path")
        }
        let path: String
        switch specifier.className {
        case "NSKeyPathSpecifierExpression": path = try specifier.requiredString("NSKeyPath")
        case "NSConstantValueExpression": path = try specifier.requiredString("NSConstantValue")
        default: throw object.wrongKind("NSArguments", "a key path")
        }
        guard let operand = try object.object("NSOperand"), operand.className != "NSSelfExpression" else {
            return NSExpression(forKeyPath: path)
        }
        return NSExpression(
            forFunction: try expression(operand, depth: depth + 1),
            selectorName: path.contains(".") ? "valueForKeyPath:" : try object.string("NSSelectorName") ?? "valueForKeyPath:",
            arguments: [NSExpression(forConstantValue: path)])
    }

    private func function(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        let selector = try object.requiredString("NSSelectorName")
        let arguments = try expressions(object, "NSArguments", depth: depth)
        let operand = try object.requiredObject("NSOperand")
        if operand.className == "NSConstantValueExpression", try operand.string("NSConstantValueClassName") != nil {
            // The functions of the library are methods of a class of Apple's; a library function must be known here.
            guard ArchivedFunctions.accept(selector, argumentCount: arguments.count) else {
                throw keyedArchiveError("there is no function \"\(selector)\" with \(arguments.count) arguments")
            }
            return NSExpression(forFunction: selector, arguments: arguments)
        }
        return NSExpression(
            forFunction: try expression(operand, depth: depth + 1), selectorName: selector, arguments: arguments)
    }

    private func setOperation(_ object: KeyedArchiveObject, depth: Int) throws -> NSExpression {
        let left = try expression(object.requiredObject("NSLeftExpression"), depth: depth + 1)
        let right = try expression(object.requiredObject("NSRightExpression"), depth: depth + 1)
        switch try object.integer("NSExpressionType") {
        case 5: return NSExpression(forUnionSet: left, with: right)
        case 6: return NSExpression(forIntersectSet: left, with: right)
        case 7: return NSExpression(forMinusSet: left, with: right)
        default: throw object.wrongKind("NSExpressionType", "a set operation")
        }
    }
}
