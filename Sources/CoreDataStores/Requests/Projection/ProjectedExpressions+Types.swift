// SPDX-License-Identifier: Apache-2.0

extension ProjectedExpressions {
    /// The type of the value of a normalized expression.
    ///
    /// - Throws: `NSCoreDataError` (134060) for keys without a value, and for values that can't be aggregated or
    ///   computed with.
    package func type(of expression: NSExpression) throws -> ProjectedType {
        switch expression.node {
        case let node as ConstantNode: return Self.type(ofConstant: node.value)
        case is EvaluatedObjectNode: return .object(layout)
        case let node as KeyPathNode: return try type(of: node)
        case let node as FunctionNode: return try type(of: node, expression)
        case let node as ConditionalNode: return Self.common(try type(of: node.whenTrue), try type(of: node.whenFalse))
        case let node as VariableNode:
            throw ProjectionError.invalid("$\(node.name)", layout, because: "no column has the name of this variable")
        default: return .unknown
        }
    }

    private static func type(ofConstant value: Any?) -> ProjectedType {
        switch value {
        case nil: return .unknown
        case is String: return .text
        case is Date: return .value(.dateAttributeType, nil)
        case is UUID: return .value(.UUIDAttributeType, nil)
        case is URL: return .value(.URIAttributeType, nil)
        case is Data: return .value(.binaryDataAttributeType, nil)
        case is NSDecimalNumber, is Decimal: return .value(.decimalAttributeType, nil)
        default: return Numbers.number(value).map { Numbers.isReal($0) ? .real : .integer } ?? .unknown
        }
    }

    // MARK: Key paths

    private func type(of node: KeyPathNode) throws -> ProjectedType {
        guard let index = node.keys.firstIndex(where: { $0.hasPrefix("@") }) else {
            let path = try ProjectedPath.follow(node.keys, from: layout)
            if case .collection = path {
                throw ProjectionError.invalid(
                    node.keyPath, layout,
                    because: """
                        it leads across a to-many relationship, which has no single value; ask for an aggregate \
                        (@count, max:)
                        """
                )
            }
            return path.type
        }
        guard
            case .collection(index - 1, let destination)? = try index > 0
                ? ProjectedPath.follow(Array(node.keys[..<index]), from: layout) : nil
        else {
            throw ProjectionError.invalid(
                node.keyPath, layout, because: "\(node.keys[index]) must stand right behind a to-many relationship")
        }
        if node.keys[index] == "@count" { return .integer }
        let path = try ProjectedPath.follow(Array(node.keys[(index + 1)...]), from: destination)
        if case .collection = path {
            throw ProjectionError.invalid(node.keyPath, layout, because: "it leads across two to-many relationships")
        }
        switch node.keys[index] {
        case "@sum": return try sum(path.type, node.keyPath)
        case "@avg": return try mean(path.type, node.keyPath)
        case "@min", "@max": return try ordered(path.type, node.keyPath)
        default:
            throw ProjectionError.invalid(node.keyPath, layout, because: "\(node.keys[index]) gives no single value")
        }
    }

    // MARK: Functions

    private func type(of node: FunctionNode, _ expression: NSExpression) throws -> ProjectedType {
        let text = "\(expression)"
        if node.target != nil { return text.hasSuffix("@count") ? .integer : .unknown }
        if let aggregate = rowAggregate(expression) {
            return try aggregated(aggregate.function, try type(of: aggregate.argument), text)
        }
        switch node.selector {
        case "count:", "length:", "onesComplement:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:",
            "leftshift:by:", "rightshift:by:", "randomn:", "random":
            return .integer
        case "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:":
            return Self.common(try number(node.arguments[0], text), try number(node.arguments[1], text))
        case "abs:", "floor:", "ceiling:", "trunc:":
            let type = try number(node.arguments[0], text)
            return type.isInteger ? .integer : type.computed
        case "noindex:": return try type(of: node.arguments[0])
        case "raise:toPower:", "sqrt:", "log:", "ln:", "exp:": return .real
        case "uppercase:", "lowercase:", "canonical:": return .text
        case "now": return .value(.dateAttributeType, nil)
        case "castObject:toType:": return Self.type(ofCast: node)
        default: return .unknown
        }
    }

    private func aggregated(_ function: String, _ type: ProjectedType, _ text: String) throws -> ProjectedType {
        switch function {
        case "count:":
            return .integer
        case "sum:": return try sum(type, text)
        case "min:", "max:": return try ordered(type, text)
        case "mode:":
            throw ProjectionError.invalid(text, layout, because: "a mode is a list of values, not a single one")
        default: return try mean(type, text)
        }
    }

    private func number(_ argument: NSExpression, _ text: String) throws -> ProjectedType {
        let type = try type(of: argument)
        guard type.isNumber else { throw ProjectionError.invalid(text, layout, because: "'\(argument)' is no number") }
        return type
    }

    private func sum(_ type: ProjectedType, _ text: String) throws -> ProjectedType {
        guard type.isNumber else { throw ProjectionError.invalid(text, layout, because: "its values are no numbers") }
        if type.isInteger { return .integer }
        return type.attributeType == .floatAttributeType ? .real : type.computed
    }

    private func mean(_ type: ProjectedType, _ text: String) throws -> ProjectedType {
        guard type.isNumber else { throw ProjectionError.invalid(text, layout, because: "its values are no numbers") }
        return type.attributeType == .decimalAttributeType ? type.computed : .real
    }

    private func ordered(_ type: ProjectedType, _ text: String) throws -> ProjectedType {
        guard type.isOrdered else { throw ProjectionError.invalid(text, layout, because: "its values have no order") }
        return type
    }

    /// The type of the values of two types: integers, else decimals if one is a decimal, else doubles. Types of
    /// different kinds have the unknown type in common.
    private static func common(_ one: ProjectedType, _ two: ProjectedType) -> ProjectedType {
        if one.isInteger && two.isInteger {
            return one.attributeType == .booleanAttributeType && two.attributeType == .booleanAttributeType
                ? one.computed : .integer
        }
        if one.attributeType == two.attributeType { return one.computed }
        guard one.isNumber, two.isNumber else { return .unknown }
        let types = [one.attributeType, two.attributeType]
        if types.contains(.undefinedAttributeType) { return .unknown }
        return types.contains(.decimalAttributeType) ? .value(.decimalAttributeType, nil) : .real
    }

    private static func type(ofCast node: FunctionNode) -> ProjectedType {
        switch (node.arguments[1].node as? ConstantNode)?.value as? String {
        case "NSDate", "Date": .value(.dateAttributeType, nil)
        case "NSString", "String": .text
        case "NSDecimalNumber", "Decimal": .value(.decimalAttributeType, nil)
        case "NSUUID", "UUID": .value(.UUIDAttributeType, nil)
        case "NSURL", "URL": .value(.URIAttributeType, nil)
        case "Double", "Float": .real
        default: .unknown
        }
    }
}
