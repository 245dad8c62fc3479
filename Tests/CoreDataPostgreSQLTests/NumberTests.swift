import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

/// Numbers in queries, of which the server has more types than predicates have.
@Suite("Numbers on the server", .enabled(if: TestServer.isPresent))
struct NumberTests {
    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Game"
        entity.properties = [
            attribute("name", .stringAttributeType), attribute("wins", .integer16AttributeType),
            attribute("games", .integer16AttributeType), attribute("points", .integer32AttributeType),
            attribute("weight", .floatAttributeType), attribute("price", .doubleAttributeType),
            attribute("anything", .undefinedAttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private let database: TestDatabase
    private let context: NSManagedObjectContext

    init() throws {
        database = try TestDatabase()
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try database.coordinator(at: database.url(), model: Self.model())
        try on(context) {
            context.make("Game", "none", ["wins": 0, "games": 0, "points": 0, "weight": 16_777_216, "price": 1e308])
            context.make("Game", "half", ["wins": 1, "games": 2, "points": 100_000, "weight": 1, "price": 2.5])
            context.make("Game", "many", ["wins": 200, "games": 200, "points": 7, "weight": 1, "price": 3])
            try context.save()
        }
    }

    @Test(
        "A fetch and its count find what the predicate finds in memory",
        arguments: [
            ("wins * games > 1000", ["many"]), ("points * points == 10000000000", ["half"]),
            ("wins / games > 0.5", ["many"]), ("wins / games >= 0", ["half", "many"]),
            ("price * price > 1e300", ["none"]), ("price * price < 10", ["half", "many"]),
            ("leftshift:by:(wins, 10) == 204800", ["many"]),
        ])
    func calculations(_ format: String, _ names: [String]) throws {
        try on(context) {
            try expectEqual(context.names("Game", format).sorted(), names)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Game")
            request.predicate = NSPredicate(format: format)
            try expectEqual(context.count(for: request), names.count)
        }
    }

    @Test("A sum of Float values has double precision")
    func sums() throws {
        try on(context) {
            let request = NSFetchRequest<NSDictionary>(entityName: "Game")
            request.resultType = .dictionaryResultType
            let sum = NSExpressionDescription()
            sum.name = "sum"
            sum.expression = NSExpression(format: "@sum.weight")
            sum.expressionResultType = .doubleAttributeType
            request.propertiesToFetch = [sum]
            try #expect(context.fetch(request).first?["sum"] as? Double == 16_777_218)
        }
    }

    @Test("A list of integers and other numbers may be longer than the parameters of a statement")
    func mixedNumbers() throws {
        let integers = (0..<70_000).map { NSNumber(value: $0) }
        let lists: [([NSNumber], names: [String])] = [
            (integers + [2.5], ["half", "many"]), (integers + [NSDecimalNumber(string: "2.5")], ["half", "many"]),
            (integers + [2.5, 1e308], ["half", "many", "none"]), ([3, 2.5], ["half", "many"]),
        ]
        try on(context) {
            for (list, names) in lists {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Game")
                request.predicate = NSPredicate(format: "price IN %@", list)
                try expectEqual(context.fetch(request).compactMap { $0.text("name") }.sorted(), names)
            }
        }
    }

    @Test("A fetch, its count and batch requests take a predicate on an attribute without a type")
    func undefinedAttribute() throws {
        try on(context) {
            try context.one("Game", "half").setValue("x", forKey: "anything")
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Game")
            request.predicate = NSPredicate(format: "anything == 'x'")
            try expectEqual(context.fetch(request).map { $0.text("name") }, ["half"])
            try expectEqual(context.count(for: request), 1)
            let update = NSBatchUpdateRequest(entityName: "Game")
            update.predicate = request.predicate
            update.propertiesToUpdate = ["name": "found"]
            update.resultType = .updatedObjectsCountResultType
            try #expect((context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 1)
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Game")
            fetch.predicate = request.predicate
            try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Game")), 2)
        }
    }
}
