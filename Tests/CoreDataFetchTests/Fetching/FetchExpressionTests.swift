import CoreData
import Testing

@Suite("Fetch request expressions in a context")
struct FetchExpressionTests {
    private func expression(_ request: Any, _ context: NSManagedObjectContext, countOnly: Bool) -> NSExpression {
        NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: context),
            countOnly: countOnly)
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
            let found =
                expression(request, stack.context, countOnly: false).expressionValue(with: nil, context: nil)
                as? [NSManagedObject]
            expectEqual(found?.compactMap { $0.value(forKey: "name") as? String }, ["a", "c"])
            let count =
                expression(request, stack.context, countOnly: true).expressionValue(with: nil, context: nil)
                as? NSNumber
            expectEqual(count?.intValue, 2)
            let general = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
            let all =
                expression(general, stack.context, countOnly: true).expressionValue(with: nil, context: nil)
                as? NSNumber
            expectEqual(all?.intValue, 3)
        }
    }

    private func authors(
        _ context: NSManagedObjectContext, _ left: NSExpression, _ type: NSComparisonPredicate.Operator,
        _ right: NSExpression
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.predicate = NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: .direct, type: type)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    private func insertAuthors(_ context: NSManagedObjectContext) throws {
        for name in ["a", "b", "c", "d"] {
            NSEntityDescription.insertNewObject(forEntityName: "Author", into: context).setValue(name, forKey: "name")
        }
        try context.save()
    }

    @Test(
        "In the predicate of a fetch it stands for what it finds: objects, IDs, values of one property, a count",
        arguments: StoreKind.allCases.without(.ownEvaluation))
    func predicates(kind: StoreKind) throws {
        try withStack(kind) { stack in
            try insertAuthors(stack.context)
            let itself = NSExpression.expressionForEvaluatedObject()
            let name = NSExpression(forKeyPath: "name")
            let inner = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
            inner.predicate = NSPredicate(format: "name > %@", "a")
            try expectEqual(
                authors(stack.context, itself, .in, expression(inner, stack.context, countOnly: false)),
                [
                    "b", "c", "d",
                ])
            inner.resultType = .managedObjectIDResultType
            inner.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            inner.fetchLimit = 2
            try expectEqual(
                authors(stack.context, itself, .in, expression(inner, stack.context, countOnly: false)), ["c", "d"])
            inner.fetchOffset = 1
            try expectEqual(
                authors(
                    stack.context, NSExpression(forKeyPath: "objectID"), .in,
                    expression(inner, stack.context, countOnly: false)), ["b", "c"])
            let count = expression(inner, stack.context, countOnly: true)
            try expectEqual(authors(stack.context, count, .equalTo, NSExpression(forConstantValue: 2)).count, 4)
            try expectEqual(authors(stack.context, count, .greaterThan, NSExpression(forConstantValue: 2)), [])
            let values = NSFetchRequest<NSDictionary>(entityName: "Author")
            values.resultType = .dictionaryResultType
            values.propertiesToFetch = ["name"]
            values.predicate = NSPredicate(format: "name IN %@", ["b", "d"] as NSArray)
            try expectEqual(
                authors(stack.context, name, .in, expression(values, stack.context, countOnly: false)), ["b", "d"])
        }
    }

    @Test(
        "In a predicate it sees the unsaved changes of its context",
        arguments: StoreKind.allCases.without(.ownEvaluation))
    func pendingChanges(kind: StoreKind) throws {
        try withStack(kind) { stack in
            try insertAuthors(stack.context)
            let inner = NSFetchRequest<NSManagedObject>(entityName: "Author")
            inner.predicate = NSPredicate(format: "name == %@", "z")
            let found = expression(inner, stack.context, countOnly: false)
            let itself = NSExpression.expressionForEvaluatedObject()
            try expectEqual(authors(stack.context, itself, .in, found), [])
            let all = NSFetchRequest<NSManagedObject>(entityName: "Author")
            all.predicate = NSPredicate(format: "name == %@", "b")
            try stack.context.fetch(all).first?.setValue("z", forKey: "name")
            try expectEqual(authors(stack.context, itself, .in, found), ["z"])
            inner.includesPendingChanges = false
            try expectEqual(authors(stack.context, itself, .in, found), [])
        }
    }

    @Test("In a predicate its request may contain another one", arguments: StoreKind.allCases)
    func nested(kind: StoreKind) throws {
        try withStack(kind) { stack in
            try insertAuthors(stack.context)
            let innermost = NSFetchRequest<NSManagedObject>(entityName: "Author")
            innermost.predicate = NSPredicate(format: "name != %@", "c")
            let inner = NSFetchRequest<NSManagedObject>(entityName: "Author")
            inner.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSPredicate(format: "name > %@", "a"),
                NSComparisonPredicate(
                    leftExpression: NSExpression.expressionForEvaluatedObject(),
                    rightExpression: expression(innermost, stack.context, countOnly: false),
                    modifier: .direct, type: .in),
            ])
            let itself = NSExpression.expressionForEvaluatedObject()
            try expectEqual(
                authors(stack.context, itself, .in, expression(inner, stack.context, countOnly: false)), ["b", "d"])
        }
    }

    @Test("A context expression that gives no context stops the program")
    func noContext() async {
        await #expect(processExitsWith: .failure) {
            let expression = NSFetchRequestExpression.expression(
                forFetch: NSExpression(
                    forConstantValue: NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")),
                context: NSExpression(forConstantValue: "none"), countOnly: false)
            _ = expression.expressionValue(with: nil, context: nil)
        }
    }
}
