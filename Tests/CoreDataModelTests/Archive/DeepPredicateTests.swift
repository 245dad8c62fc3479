import Testing

@testable import CoreDataModel
@testable import CoreDataPredicates

@Suite("Deeply nested predicates on small stacks")
struct DeepPredicateTests {
    /// Wraps an expression in another expression of the given kind.
    private static func wrap(_ inner: NSExpression, _ kind: String) -> NSExpression {
        switch kind {
        case "path":
            return NSExpression(
                forFunction: inner, selectorName: "valueForKeyPath:", arguments: [NSExpression(forConstantValue: "a")])
        case "call":
            return NSExpression(
                forFunction: inner, selectorName: "isEqual:", arguments: [NSExpression(forConstantValue: 1)])
        case "argument": return NSExpression(forFunction: "abs:", arguments: [inner])
        case "aggregate": return NSExpression(forAggregate: [inner])
        case "set": return NSExpression(forUnionSet: inner, with: NSExpression(forConstantValue: 1))
        case "fetch":
            return NSFetchRequestExpression.expression(
                forFetch: inner, context: NSExpression(forVariable: "c"), countOnly: false)
        case "conditional":
            return NSExpression(
                forConditional: NSPredicate(value: true), trueExpression: inner,
                falseExpression: NSExpression(forConstantValue: 1))
        default:
            return NSExpression(forSubquery: inner, usingIteratorVariable: "x", predicate: NSPredicate(value: true))
        }
    }

    @Test(
        "Expressions of the greatest allowed depth are read and written",
        arguments: ["path", "call", "argument", "aggregate", "set", "fetch", "conditional", "subquery"])
    func expressions(kind: String) throws {
        let isRead = SmallThread.run {
            var expression = NSExpression(forVariable: "v")
            for _ in 1..<PredicateUnarchiver.depthLimit { expression = Self.wrap(expression, kind) }
            let writer = KeyedArchiveWriter()
            guard let root = try? PredicateArchiver(writer: writer, owner: "test").add(expression),
                let object = try? KeyedArchiveReader(writer.data(root: root)).root()
            else { return false }
            return (try? PredicateUnarchiver().expression(object)) != nil
        }
        expectEqual(isRead, true)
    }

    @Test("Nested compound predicates and comparisons are read and written")
    func predicates() {
        let isRead = SmallThread.run {
            var predicate = NSPredicate(value: true)
            for number in 1..<PredicateUnarchiver.depthLimit / 3 {
                let conditional = NSExpression(
                    forConditional: predicate, trueExpression: NSExpression(forConstantValue: 1),
                    falseExpression: NSExpression(forConstantValue: 2))
                let comparison = NSComparisonPredicate(
                    leftExpression: conditional, rightExpression: NSExpression(forConstantValue: number),
                    modifier: .direct, type: .equalTo)
                predicate = NSCompoundPredicate(notPredicateWithSubpredicate: comparison)
            }
            let writer = KeyedArchiveWriter()
            guard let root = try? PredicateArchiver(writer: writer, owner: "test").add(predicate),
                let object = try? KeyedArchiveReader(writer.data(root: root)).root()
            else { return false }
            return (try? PredicateUnarchiver().predicate(object)) != nil
        }
        expectEqual(isRead, true)
    }
}
