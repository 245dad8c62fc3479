import Testing

@testable import CoreDataPredicates

@Suite("Deep trees on small stacks")
struct DeepTreeTests {
    /// Wraps an expression into another of a kind.
    static func wrap(_ inner: NSExpression, _ kind: String) -> NSExpression {
        let one = NSExpression(forConstantValue: 1)
        switch kind {
        case "path":
            return NSExpression(
                forFunction: inner, selectorName: "valueForKeyPath:",
                arguments: [NSExpression(forConstantValue: "self")])
        case "call": return NSExpression(forFunction: inner, selectorName: "isEqual:", arguments: [one])
        case "sum": return NSExpression(forFunction: "add:to:", arguments: [inner, one])
        case "right sum": return NSExpression(forFunction: "add:to:", arguments: [one, inner])
        case "aggregate": return NSExpression(forAggregate: [inner])
        case "set": return NSExpression(forUnionSet: inner, with: one)
        case "fetch": return NSFetchRequestExpression.expression(forFetch: inner, context: one, countOnly: false)
        case "block": return NSExpression(block: { _, values, _ in values[0] }, arguments: [inner])
        case "conditional":
            let comparison = NSComparisonPredicate(
                leftExpression: inner, rightExpression: one, modifier: .direct, type: .equalTo)
            let predicate = NSCompoundPredicate(notPredicateWithSubpredicate: comparison)
            return NSExpression(forConditional: predicate, trueExpression: one, falseExpression: one)
        default:
            return NSExpression(forSubquery: inner, usingIteratorVariable: "x", predicate: NSPredicate(value: true))
        }
    }

    static func tree(_ kind: String, depth: Int, core: NSExpression = NSExpression(forVariable: "v")) -> NSExpression {
        var expression = core
        for _ in 0..<depth { expression = wrap(expression, kind) }
        return expression
    }

    static let kinds = [
        "path", "call", "sum", "right sum", "aggregate", "set", "fetch", "block", "conditional", "subquery",
    ]

    @Test("Expressions of any depth are written, compared, hashed, substituted, copied and released", arguments: kinds)
    func anyDepth(kind: String) {
        let isRight = SmallThread.run {
            let depth = TestRun.quick(4_000, long: 20_000)
            let tree = Self.tree(kind, depth: depth)
            // A block is equal to itself only.
            let other = kind == "block" ? tree : Self.tree(kind, depth: depth)
            let changed = tree.substituting(["v": 7])
            let expected = Self.tree(kind, depth: depth, core: NSExpression(forConstantValue: 7))
            return tree == other && tree.hash == other.hash && !tree.structurallyEquals(changed)
                && (changed == expected || kind == "block")
                && tree.description.utf8.count > depth && tree.freeVariables == ["v"] && changed.freeVariables.isEmpty
                && (tree.copy() as? NSExpression) === tree
        }
        expectEqual(isRight, true)
    }

    @Test(
        "Left operands, paths and indexes are evaluated without recursion", arguments: ["path", "sum", "set"])
    func chains(kind: String) {
        let isEvaluated = SmallThread.run {
            Self.tree(kind, depth: 20_000).expressionValue(
                with: nil, context: ["v": kind == "set" ? NSSet(object: 1) : 1]) != nil
        }
        expectEqual(isEvaluated, true)
    }

    @Test("A tree that is too deep for the stack stops with a message instead of a stack overflow")
    func tooDeep() async {
        await #expect(processExitsWith: .failure) {
            _ = SmallThread.run {
                DeepTreeTests.tree("aggregate", depth: 5_000).expressionValue(with: nil, context: ["v": 1]) != nil
            }
        }
        let isEvaluated = SmallThread.run(stackSize: 32 << 20) {
            Self.tree("right sum", depth: 5_000).expressionValue(with: nil, context: ["v": 1]) as? Int == 5_001
        }
        expectEqual(isEvaluated, true)
    }

    @Test("Chains of Foundation's compounds are written, compared, hashed and substituted")
    func compounds() {
        let isRight = SmallThread.run {
            func chain() -> NSPredicate {
                var predicate = NSPredicate(format: "a == $v")
                for _ in 0..<400 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
                return predicate
            }
            let (one, two) = (chain(), chain())
            return one.structurallyEquals(two) && one.structuralHash == two.structuralHash
                && one.predicateText.hasPrefix("NOT (NOT (")
                && one.withSubstitutionVariables(["v": 1]).freeVariables.isEmpty && one.freeVariables == ["v"]
                && one.expressions.count == 2
        }
        expectEqual(isRight, true)
    }

    // A call nests two levels, a power in parentheses three.
    @Test(
        "The deepest texts are read, evaluated, written and compared on a small stack, or refused",
        arguments: [
            ("(", "1 == 1", ")", 98), ("NOT ", "1 == 1", "", 98), ("NOT (TRUEPREDICATE AND ", "1 == 1", ")", 32),
            ("-", "1 == 1", "", 98),
            ("abs(", "1", ") == 1", 48), ("{", "1", "} == 1", 98), ("TERNARY(1 == 1, ", "1", ", 2) == 1", 98),
            ("TERNARY(NOT (1 == 1 AND ", "1 == 2", "), 1, 2) == 1", 32),
            ("SUBQUERY({1}, $x, ", "1 == 1", ").@count == 1", 98),
            ("1 + ", "1 == 1", "", 999), ("1 ** (1 + ", "1", ")", 32), ("{1} UNION ", "{1} == 1", "", 999),
        ])
    func deepestTexts(head: String, core: String, tail: String, count: Int) {
        // A tail with a comparison is added once, at the end.
        let parts = tail.components(separatedBy: " == ")
        var text = String(repeating: head, count: count) + core
        if parts.count > 1, head.hasPrefix("SUBQUERY") || head.hasPrefix("TERNARY(NOT") {
            text += String(repeating: tail, count: count)
        } else {
            text += String(repeating: parts[0], count: count) + (parts.count > 1 ? " == 1" : "")
        }
        if !text.contains("==") { text += " == 1" }
        let format = text
        let problem: String? = SmallThread.run { () -> String in
            let predicate: NSPredicate
            do { predicate = try NSPredicate.parse(format) } catch {
                return "\(error)".contains("stack is too small") ? "" : "\(error)"
            }
            _ = predicate.evaluate(with: nil)
            if predicate.predicateText.isEmpty { return "it has no text" }
            return predicate.structurallyEquals(predicate.substituting(["v": 1]))
                ? "" : "it is another one after substitution"
        }
        expectEqual(problem, "")
    }
}
