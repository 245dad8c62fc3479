import CoreDataPredicates
import Testing

private final class Doubler: NSExpression, @unchecked Sendable {
    override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        ((object as? NSNumber)?.intValue ?? 0) * 2
    }
}

@Suite("Expressions show their parts and give their values")
struct ExpressionTests {
    @Test("Raw values of kinds are Apple's")
    func kinds() {
        expectEqual(NSExpression.ExpressionType.subquery.rawValue, 13)
        expectEqual(NSExpression.ExpressionType.conditional.rawValue, 20)
        expectEqual(NSComparisonPredicate.Operator.contains.rawValue, 99)
        expectEqual(NSComparisonPredicate.Modifier.any.rawValue, 2)
    }

    @Test("Parts are those given")
    func parts() {
        let call = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "a.b")])
        expectEqual(call.expressionType, .function)
        expectEqual(call.function, "sum:")
        expectEqual(call.arguments?.first?.keyPath, "a.b")
        let query = NSExpression(format: "SUBQUERY(songs, $s, $s.x > 1)")
        expectEqual((query.collection as? NSExpression)?.keyPath, "songs")
        expectEqual(query.variable, "s")
        expectEqual(query.predicate.description, "$s.x > 1")
        let aggregate = NSExpression(forAggregate: [NSExpression(forConstantValue: 1), 2])
        expectEqual((aggregate.collection as? [NSExpression])?.count, 2)
        let path = NSExpression(format: "$s.x")
        expectEqual(path.function, "valueForKeyPath:")
        expectEqual(path.operand.variable, "s")
        #expect(path.arguments?.first?.constantValue as? String == "x")
        let ternary = NSExpression(format: "TERNARY(a > 1, 2, 3)")
        expectEqual(ternary.expressionType, .conditional)
        expectEqual((ternary.true.constantValue as? NSNumber)?.intValue, 2)
        expectEqual((ternary.false.constantValue as? NSNumber)?.intValue, 3)
        let union = NSExpression(forUnionSet: aggregate, with: path)
        #expect(union.left === aggregate)
        #expect(union.right === path)
    }

    @Test("Blocks and subclasses compute values")
    func computed() {
        let block = NSExpression(
            block: { object, arguments, context in "\(object ?? "-")\(arguments[0])\(context?["k"] ?? "-")" },
            arguments: [NSExpression(forConstantValue: "b")])
        #expect(block.expressionValue(with: "a", context: ["k": "c"]) as? String == "abc")
        let comparison = NSComparisonPredicate(
            leftExpression: Doubler(expressionType: .block), rightExpression: NSExpression(forConstantValue: 6),
            modifier: .direct, type: .equalTo)
        expectTrue(comparison.evaluate(with: 3))
        expectFalse(comparison.evaluate(with: 4))
    }

    @Test("Equal expressions are equal objects")
    func equality() {
        expectEqual(NSExpression(format: "a + 1"), NSExpression(format: "a+1"))
        #expect(NSExpression(format: "a + 1") != NSExpression(format: "a - 1"))
        expectEqual(NSExpression(format: "a + 1").hash, NSExpression(format: "a+1").hash)
    }

    @Test("A wrong format stops the program with the position")
    func wrongFormat() async {
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "a ==") }
        await #expect(processExitsWith: .failure) { _ = NSExpression(forFunction: "nothing:", arguments: []) }
        await #expect(processExitsWith: .failure) { _ = NSExpression(forKeyPath: "a").constantValue }
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "a == $x").evaluate(with: ["a": 1]) }
    }
}
