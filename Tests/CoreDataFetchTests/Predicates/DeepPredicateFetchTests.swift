import CoreData
import Testing

@Suite("Requests with deep predicates and expressions")
struct DeepPredicateFetchTests {
    static func expression(depth: Int) -> NSExpression {
        var expression = NSExpression(forKeyPath: "pages")
        let one = NSExpression(forConstantValue: 1)
        for _ in 0..<depth { expression = NSExpression(forFunction: "add:to:", arguments: [expression, one]) }
        return expression
    }

    static func sum(depth: Int) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: expression(depth: depth), rightExpression: NSExpression(forConstantValue: 1),
            modifier: .direct, type: .greaterThan)
    }

    static func not(depth: Int) -> NSPredicate {
        var predicate: NSPredicate = NSPredicate(format: "name == 'a'")
        for _ in 0..<depth { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
        return predicate
    }

    private func expectRefusal(_ kind: StoreKind, _ predicate: NSPredicate, _ code: Int = 134060) throws {
        try withStack(kind) { stack in
            stack.context.make("Book", "saved")
            try stack.context.save()
            stack.context.make("Book", "unsaved")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = predicate
            expectEqual(thrownError { _ = try stack.context.fetch(request) }?.code, code)
            expectEqual(thrownError { _ = try stack.context.count(for: request) }?.code, code)
        }
    }

    @Test(
        "a million sums in one another are refused", arguments: StoreKind.everyKind,
        [5_000, TestRun.quick(50_000, long: 1_000_000)])
    func sums(_ kind: StoreKind, _ depth: Int) throws { try expectRefusal(kind, Self.sum(depth: depth)) }

    @Test("a thousand conditions, each added in a compound around the last, are one level deep")
    func addedConditions() throws {
        try withStack(.tables) { stack in
            stack.context.make("Book", "saved", ["pages": 0])
            try stack.context.save()
            var predicate = NSPredicate(format: "name == 'saved'")
            for number in 0..<1000 {
                predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                    predicate, NSPredicate(format: "pages != \(number + 1)"),
                ])
            }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = predicate
            try expectEqual(stack.context.count(for: request), 1)
        }
    }

    @Test("thousands of negations are refused", arguments: StoreKind.everyKind)
    func negations(_ kind: StoreKind) throws { try expectRefusal(kind, Self.not(depth: 5_000)) }

    @Test("the expressions of batch updates and of dictionaries are refused")
    func expressions() throws {
        try withStack(.tables) { stack in
            stack.context.make("Book", "saved")
            try stack.context.save()
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["pages": Self.expression(depth: 50_000)]
            expectEqual(thrownError { _ = try stack.context.execute(update) }?.code, 134060)
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            let sum = NSExpressionDescription()
            sum.name = "sum"
            sum.expression = Self.expression(depth: 50_000)
            sum.expressionResultType = .integer64AttributeType
            request.propertiesToFetch = [sum]
            expectEqual(thrownError { _ = try stack.context.fetch(request) }?.code, 134060)
        }
    }

    @Test("an archive of a deep predicate or expression is refused")
    func archives() {
        expectEqual(
            thrownError {
                _ = try NSKeyedArchiver.archivedData(
                    withRootObject: Self.sum(depth: 50_000), requiringSecureCoding: true)
            }?.code, CocoaError.coderInvalidValue.rawValue)
        expectEqual(
            thrownError {
                _ = try NSKeyedArchiver.archivedData(
                    withRootObject: Self.not(depth: 5_000), requiringSecureCoding: true)
            }?.code, CocoaError.coderInvalidValue.rawValue)
    }
}
