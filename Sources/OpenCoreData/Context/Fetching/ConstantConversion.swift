// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Converts the constants that a predicate compares with attributes of another type, as SQLite does by the affinity of
/// a column: numbers that are compared with texts become texts, and texts that are numbers become numbers.
///
/// The conversion comes before the stores, so that each store, and unsaved objects, match alike.
struct ConstantConversion {
    private let layout: EntityLayout
    /// The entities of the elements of the enclosing subqueries, by the names of their variables.
    private var variables: [String: EntityLayout] = [:]

    init(_ layout: EntityLayout) { self.layout = layout }

    /// The predicate with converted constants; the same object if none is converted.
    func converting(_ predicate: NSPredicate) -> NSPredicate { predicate.replacingComparisons(converting) }

    private func converting(_ comparison: NSComparisonPredicate) -> NSComparisonPredicate {
        var left = convertingSubqueries(comparison.leftExpression)
        var right = convertingSubqueries(comparison.rightExpression)
        if Self.comparesValues(comparison.predicateOperatorType) {
            let (leftKind, rightKind) = (kind(of: left), kind(of: right))
            if let leftKind { right = Self.converted(right, for: leftKind) ?? right }
            if let rightKind { left = Self.converted(left, for: rightKind) ?? left }
        }
        return comparison.with(left: left, right: right)
    }

    /// Whether an operator compares values, or a value with a list of values, and not parts of texts.
    private static func comparesValues(_ type: NSComparisonPredicate.Operator) -> Bool {
        switch type {
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .in, .between:
            true
        default: false
        }
    }

    private func convertingSubqueries(_ expression: NSExpression) -> NSExpression {
        expression.replacing { part in
            guard part.node.type == .subquery, let node = part.node as? SubqueryNode else { return nil }
            var inner = self
            inner.variables[node.variable] = entity(of: node.collection)
            let predicate = inner.converting(node.predicate)
            if predicate === node.predicate { return nil }
            return NSExpression(
                node: SubqueryNode(collection: node.collection, variable: node.variable, predicate: predicate))
        }
    }

    // MARK: Key paths

    /// The kind of the attribute at the end of a key path; nil for all other expressions.
    private func kind(of expression: NSExpression) -> StorageKind? {
        guard let end = end(of: expression), case .attribute(let slot) = end else { return nil }
        return slot.kind
    }

    private func entity(of expression: NSExpression) -> EntityLayout? {
        guard let end = end(of: expression), case .entity(let layout) = end else { return nil }
        return layout
    }

    private enum PathEnd {
        case entity(EntityLayout)
        case attribute(PropertySlot)
    }

    private func end(of expression: NSExpression) -> PathEnd? {
        // Most expressions are constants, and each case below costs a cast.
        guard expression.isComputedByNode, expression.node.type != .constantValue else { return nil }
        switch expression.node {
        case is EvaluatedObjectNode:
            return .entity(layout)
        case let node as KeyPathNode:
            return Self.end(of: node.keys, from: layout)
        case let node as VariableNode:
            return variables[node.name].map(PathEnd.entity)
        case let node as SubqueryNode:
            return end(of: node.collection)
        case let node as FunctionNode:
            guard ["valueForKeyPath:", "valueForKey:"].contains(node.selector), let target = node.target,
                case .entity(let start)? = end(of: target),
                let path = (node.arguments.first?.node as? ConstantNode)?.value as? String
            else { return nil }
            return Self.end(of: KeyPathEvaluation.split(path), from: start)
        default:
            return nil
        }
    }

    private static func end(of keys: [String], from layout: EntityLayout) -> PathEnd? {
        var here = layout
        var attribute: PropertySlot?
        for key in keys {
            if key == "self" || key == "SELF" { continue }
            if let composite = attribute {
                guard let element = composite.element(named: key) else { return nil }
                attribute = element
            } else if let slot = here.slotHereOrBelow(named: key) {
                if slot.isRelationship { here = here.model[slot.destination] } else { attribute = slot }
            } else {
                return nil
            }
        }
        return attribute.map(PathEnd.attribute) ?? .entity(here)
    }

    // MARK: Constants

    /// An expression of constants with the converted values; nil if there is nothing to convert.
    private static func converted(_ expression: NSExpression, for kind: StorageKind) -> NSExpression? {
        guard expression.isComputedByNode, expression.node.type != .keyPath else { return nil }
        switch expression.node {
        case let node as ConstantNode:
            return node.value.flatMap { converted($0, for: kind) }.map { NSExpression(forConstantValue: $0) }
        case let node as AggregateNode:
            let new = node.elements.map { converted($0, for: kind) }
            guard new.contains(where: { $0 != nil }) else { return nil }
            return NSExpression(node: AggregateNode(elements: zip(new, node.elements).map { $0 ?? $1 }))
        default:
            return nil
        }
    }

    private static func converted(_ value: Any, for kind: StorageKind) -> Any? {
        // A cast of a number to a text asks whether it bridges to one.
        if kind != .string, type(of: value) == NSNumber.self { return nil }
        if let elements = Values.elements(of: value) {
            let new = elements.map { converted($0, for: kind) }
            guard new.contains(where: { $0 != nil }) else { return nil }
            return zip(new, elements).map { $0 ?? $1 }
        }
        switch kind {
        case .string: return Numbers.number(value).flatMap(text)
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal:
            return (value as? String).flatMap(number)
        default: return nil
        }
    }

    /// The text that SQLite makes of a number; nil for what is no number.
    private static func text(_ number: NSNumber) -> String? {
        guard Numbers.isReal(number) else {
            let isUnsigned = UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "Q")
            return isUnsigned ? String(number.uint64Value) : String(number.int64Value)
        }
        let value = number.doubleValue
        guard value.isFinite else { return nil }
        let text = String(format: "%.15g", value)
        if text.contains(".") { return text }
        guard let exponent = text.firstIndex(of: "e") else { return text + ".0" }
        return text[..<exponent] + ".0" + text[exponent...]
    }

    /// The number that a text is from its first to its last character, without spaces around it; nil for other texts.
    private static func number(_ text: String) -> NSNumber? {
        let digits = text.trimmingCharacters(in: .whitespaces)
        if let integer = Int64(digits) { return NSNumber(value: integer) }
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { Self.numberCharacters.contains($0) }
        return isNumber ? Double(digits).map { NSNumber(value: $0) } : nil
    }

    /// `Double` reads further notations: hexadecimal ones, and names such as `inf`.
    private static let numberCharacters = Set("0123456789+-.eE".utf8)
}
