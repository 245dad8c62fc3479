import CoreData
import Testing

/// A typed predicate, as libraries of predicates declare it.
private final class TypedPredicate<Root>: NSComparisonPredicate {
    init(_ key: String, _ type: NSComparisonPredicate.Operator, _ value: Any?) {
        super.init(
            leftExpression: KeyExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: value),
            modifier: .direct, type: type, options: [])
    }

    required init?(coder: NSCoder) { fatalError("not archived") }
}

private final class KeyExpression: NSExpression, @unchecked Sendable {}
private final class TypedCompound: NSCompoundPredicate {}
private final class TypedRequest: NSFetchRequest<NSManagedObject> {}

@Suite("Subclasses of predicates, expressions and requests")
struct PredicateSubclassTests {
    @Test("are fetched as their superclasses, from each store", arguments: StoreKind.allCases)
    func fetch(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Ann")
            for (name, pages) in [("a", 10), ("b", 20), ("c", 30)] {
                stack.context.make("Book", name, ["pages": pages]).setValue(
                    name == "b" ? nil : author, forKey: "author")
            }
            try stack.context.save()
            let request = TypedRequest(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            func names(_ predicate: NSPredicate) throws -> [String] {
                request.predicate = predicate
                return try stack.context.fetch(request).map { $0.text("name")! }
            }
            try expectEqual(names(TypedPredicate<NSManagedObject>("pages", .greaterThan, 10)), ["b", "c"])
            try expectEqual(names(TypedPredicate<NSManagedObject>("author", .equalTo, author)), ["a", "c"])
            try expectEqual(
                names(
                    TypedCompound(andPredicateWithSubpredicates: [
                        TypedPredicate<NSManagedObject>("author.name", .equalTo, "Ann"),
                        NSCompoundPredicate(
                            notPredicateWithSubpredicate: TypedPredicate<NSManagedObject>("pages", .lessThan, 20)),
                    ])), ["c"])
        }
    }
}
