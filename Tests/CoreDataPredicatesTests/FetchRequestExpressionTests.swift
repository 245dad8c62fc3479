import Testing

@testable import CoreDataPredicates

/// Stands in for a context: answers requests, which are any values here.
private final class Executor: NSObject, FetchRequestExecuting {
    func value(ofFetchRequest request: Any, countOnly: Bool) throws -> Any {
        countOnly ? NSNumber(value: 2) : ["\(request) 1", "\(request) 2"]
    }
}

@Suite("Fetch request expressions")
struct FetchRequestExpressionTests {
    private static let text = "FETCH($request, $manager.sourceContext, YES)"

    private func expression(countOnly: Bool) -> NSExpression {
        NSFetchRequestExpression.expression(
            forFetch: NSExpression(forVariable: "request"), context: NSExpression(forVariable: "context"),
            countOnly: countOnly)
    }

    @Test("The type is Apple's 50, and the parts are those given")
    func parts() throws {
        let made = try requireValue(expression(countOnly: true) as? NSFetchRequestExpression)
        expectEqual(NSFetchRequestExpressionType.rawValue, 50)
        expectEqual(made.expressionType, NSFetchRequestExpressionType)
        expectEqual(made.requestExpression.variable, "request")
        expectEqual(made.contextExpression.variable, "context")
        expectTrue(made.isCountOnlyRequest)
        expectEqual(made.freeVariables, ["request", "context"])
    }

    @Test(
        "The text reads back as what it was written from",
        arguments: [text, "FETCH(a.b, SELF, NO)", "FETCH(FETCH($a, $b, NO), $c, YES)"])
    func texts(text: String) throws {
        let parsed = try NSExpression.parse(text)
        #expect(parsed is NSFetchRequestExpression)
        expectEqual(parsed.description, text)
        try expectEqual(NSExpression.parse(parsed.description), parsed)
    }

    @Test(
        "A text without context or count is refused",
        arguments: ["FETCH($a)", "FETCH($a, $b)", "FETCH($a, $b, 1)", "FETCH($a, $b, NO"])
    func badTexts(text: String) {
        #expect(throws: PredicateFormatError.self) { try NSExpression.parse(text) }
    }

    @Test("FETCH without parenthesis stays a key path")
    func keys() throws {
        try expectEqual(NSExpression.parse("fetch.name").keyPath, "fetch.name")
    }

    @Test("The value is what the context finds, or how much")
    func values() {
        let context = NSMutableDictionary(dictionary: ["request": "song", "context": Executor()])
        #expect(
            expression(countOnly: false).expressionValue(with: nil, context: context) as? [String] == [
                "song 1", "song 2",
            ])
        expectEqual(
            (expression(countOnly: true).expressionValue(with: nil, context: context) as? NSNumber)?.intValue, 2)
    }

    @Test("A predicate with a fetch inside is evaluated, with variables substituted")
    func predicates() throws {
        let predicate = try NSPredicate.parse("SELF IN FETCH($request, $context, NO)")
        expectTrue(predicate.evaluate(with: "x 2", substitutionVariables: ["request": "x", "context": Executor()]))
        let replaced = predicate.withSubstitutionVariables(["request": "y", "context": Executor()])
        expectTrue(replaced.evaluate(with: "y 1"))
        expectFalse(replaced.evaluate(with: "x 1"))
    }

    @Test("Equal are those with equal parts")
    func equality() {
        expectEqual(expression(countOnly: true), expression(countOnly: true))
        #expect(expression(countOnly: true) != expression(countOnly: false))
        expectEqual(expression(countOnly: true).hash, expression(countOnly: true).hash)
    }

    @Test("Substitution keeps the class")
    func substitution() throws {
        let variables: [String: Any] = ["request": NSExpression(forConstantValue: 1)]
        let replaced = expression(countOnly: true).substituting(variables)
        #expect(replaced is NSFetchRequestExpression)
        expectEqual(replaced.freeVariables, ["context"])
        #expect(NSExpression(forVariable: "x").substituting(["x": replaced]) is NSFetchRequestExpression)
    }
}
