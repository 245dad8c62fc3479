import CoreData
import Testing

@Suite("Fetch request expressions in a context")
struct FetchExpressionTests {
    private func expression(_ request: Any, _ context: NSManagedObjectContext, countOnly: Bool) -> NSExpression {
        NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: context), countOnly: countOnly)
    }

    @Test("The value is what the request finds, or its count", arguments: StoreKind.allCases)
    func values(kind: StoreKind) throws {
        try withStack(kind) { stack in
            let names = ["a", "b", "c"]
            for name in names {
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: stack.context)
                author.setValue(name, forKey: "name")
            }
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.predicate = NSPredicate(format: "name != %@", "b")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let found = expression(request, stack.context, countOnly: false).expressionValue(with: nil, context: nil) as? [NSManagedObject]
            #expect(found?.compactMap { $0.value(forKey: "name") as? String } == ["a", "c"])
            let count = expression(request, stack.context, countOnly: true).expressionValue(with: nil, context: nil) as? NSNumber
            #expect(count?.intValue == 2)
            let general = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
            let all = expression(general, stack.context, countOnly: true).expressionValue(with: nil, context: nil) as? NSNumber
            #expect(all?.intValue == 3)
        }
    }

    @Test("In the predicate of a fetch from SQLite it is an error that names the expression")
    func refused() throws {
        try withStack(.sqlite) { stack in
            let inner = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.predicate = NSComparisonPredicate(
                leftExpression: NSExpression.expressionForEvaluatedObject(), rightExpression: expression(inner, stack.context, countOnly: false),
                modifier: .direct, type: .in)
            let error = #expect(throws: (any Error).self) { try stack.context.fetch(request) }
            #expect(error.map { ($0 as NSError).localizedDescription.contains("FETCH(") } == true)
        }
    }

    @Test("A context expression that gives no context stops the program")
    func noContext() async {
        await #expect(processExitsWith: .failure) {
            let expression = NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")),
                context: NSExpression(forConstantValue: "none"), countOnly: false)
            _ = expression.expressionValue(with: nil, context: nil)
        }
    }
}
