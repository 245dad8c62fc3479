@testable import CoreDataPredicates

/// Makes random predicates; the same seed makes the same ones.
struct RandomPredicates {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }

    /// The text with a few characters lost, doubled or exchanged.
    mutating func mangle(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        for _ in 0...next(4) where !scalars.isEmpty {
            let place = next(scalars.count)
            switch next(3) {
            case 0: scalars.remove(at: place)
            case 1: scalars.insert(scalars[next(scalars.count)], at: place)
            default: scalars[place] = pick(Array("(){}[]\"'%@#$.,:=<>!&|*-+\\ aA0\0é".unicodeScalars))
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    mutating func predicate(depth: Int) -> NSPredicate {
        if depth > 0, next(3) == 0 {
            let type: NSCompoundPredicate.LogicalType = pick([.and, .or, .not])
            let count = type == .not ? 1 : 2 + next(3)
            return NSCompoundPredicate(type: type, subpredicates: (0..<count).map { _ in predicate(depth: depth - 1) })
        }
        if next(12) == 0 { return NSPredicate(value: next(2) == 0) }
        let type: NSComparisonPredicate.Operator = pick([
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .like,
            .beginsWith,
            .endsWith, .in, .contains, .between,
        ])
        return NSComparisonPredicate(
            leftExpression: expression(depth: depth - 1), rightExpression: expression(depth: depth - 1),
            modifier: pick([.direct, .direct, .any, .all]), type: type,
            options: pick([
                [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
            ]))
    }

    mutating func expression(depth: Int) -> NSExpression {
        guard depth > 0, next(2) == 0 else { return leaf() }
        switch next(9) {
        case 0:
            return NSExpression(
                forFunction: pick([
                    "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:", "bitwiseAnd:with:",
                    "modulus:by:",
                ]),
                arguments: [expression(depth: depth - 1), expression(depth: depth - 1)])
        case 1:
            return NSExpression(
                forFunction: pick(["sum:", "max:", "abs:", "uppercase:"]), arguments: [expression(depth: depth - 1)])
        case 2: return NSExpression(forAggregate: (0..<next(4)).map { _ in expression(depth: depth - 1) })
        case 3:
            return NSExpression(
                forSubquery: NSExpression(forKeyPath: "songs"), usingIteratorVariable: "s",
                predicate: predicate(depth: depth - 1))
        case 4:
            return NSExpression(
                forConditional: predicate(depth: depth - 1), trueExpression: leaf(),
                falseExpression: expression(depth: depth - 1))
        case 5: return NSExpression(forUnionSet: expression(depth: depth - 1), with: leaf())
        case 6: return NSExpression(forMinusSet: leaf(), with: expression(depth: depth - 1))
        case 7:
            return NSExpression(
                forFunction: "castObject:toType:",
                arguments: [expression(depth: depth - 1), NSExpression(forConstantValue: "NSString")])
        default:
            return NSExpression(
                forFunction: NSExpression(forVariable: "v"), selectorName: "valueForKeyPath:",
                arguments: [NSExpression(forConstantValue: pick(["name", "a.first", "@count"]))])
        }
    }

    private mutating func leaf() -> NSExpression {
        switch next(7) {
        case 0: return NSExpression(forConstantValue: NSNumber(value: next(2000) - 1000))
        case 1: return NSExpression(forConstantValue: NSNumber(value: Double(next(2000)) / 64 - 10))
        case 2: return NSExpression(forConstantValue: pick(["", "x", "a\"b\\", "é\n", "'", "%@ $x"]))
        case 3: return NSExpression(forConstantValue: nil)
        case 4: return NSExpression(forVariable: pick(["x", "long_name2"]))
        case 5: return NSExpression.expressionForEvaluatedObject()
        default: return NSExpression(forKeyPath: pick(["name", "artist.name", "songs.@count", "size.first", "AND.or"]))
        }
    }
}
