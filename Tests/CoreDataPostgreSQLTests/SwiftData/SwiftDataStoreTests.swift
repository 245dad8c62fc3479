import CoreDataPostgreSQL
import CoreDataTestSupport
import SwiftData
import TestSupport
import Testing

/// Containers of SwiftData over stores on a PostgreSQL server, by URL.
@Suite("SwiftData over PostgreSQL", .enabled(if: TestServer.isPresent))
struct SwiftDataStoreTests {
    private let database: TestDatabase

    init() throws { database = try TestDatabase() }

    private func container(allowsSave: Bool = true) throws -> ModelContainer {
        try ModelContainer(
            for: Schema([Customer.self, Purchase.self]),
            configurations: ModelConfiguration("shop", url: database.url("shop"), allowsSave: allowsSave))
    }

    @Test("a graph is saved, and read by another container")
    func graph() throws {
        do {
            let context = ModelContext(try container())
            let customer = Customer("Ada", address: Address(street: "Main", city: "London"))
            customer.purchases = [Purchase("Lamp", price: Decimal(string: "12.50")!), Purchase("Desk", price: 300)]
            context.insert(customer)
            try context.save()
        }
        let context = ModelContext(try container())
        let customer = try requireValue(try context.fetch(FetchDescriptor<Customer>()).first)
        expectEqual(customer.address, Address(street: "Main", city: "London"))
        expectEqual(customer.level, .regular)
        expectEqual(customer.purchases.map(\.title).sorted(), ["Desk", "Lamp"])
        expectEqual(customer.purchases.reduce(0) { $0 + $1.price }, Decimal(string: "312.50"))
    }

    @Test("predicates and orders are the server's")
    func predicate() throws {
        let context = ModelContext(try container())
        for (name, price) in [("A", 5), ("B", 50), ("C", 500)] {
            let customer = Customer(name, address: Address(street: "", city: "X"))
            customer.purchases = [Purchase("P\(name)", price: Decimal(price))]
            context.insert(customer)
        }
        try context.save()
        let other = ModelContext(context.container)
        let descriptor = FetchDescriptor<Customer>(
            predicate: #Predicate { $0.purchases.contains { $0.price >= 50 } },
            sortBy: [SortDescriptor(\.name, order: .reverse)])
        try expectEqual(other.fetch(descriptor).map(\.name), ["C", "B"])
        try expectEqual(other.fetchCount(descriptor), 2)
    }

    @Test("changes and delete rules are saved")
    func changes() throws {
        let context = ModelContext(try container())
        let customer = Customer("Ada", address: Address(street: "Main", city: "London"))
        customer.purchases = [Purchase("Lamp", price: 1)]
        context.insert(customer)
        try context.save()
        customer.level = .gold
        customer.address.city = "Paris"
        try context.save()
        let read = try requireValue(try ModelContext(container()).fetch(FetchDescriptor<Customer>()).first)
        expectEqual(read.level, .gold)
        expectEqual(read.address.city, "Paris")
        context.delete(customer)
        try context.save()
        try expectEqual(ModelContext(container()).fetchCount(FetchDescriptor<Purchase>()), 0)
    }

    @Test("a second customer with a unique name updates the first")
    func unique() throws {
        let context = ModelContext(try container())
        context.insert(Customer("Ada", address: Address(street: "Main", city: "London")))
        try context.save()
        context.insert(Customer("Ada", address: Address(street: "High", city: "Rome")))
        try context.save()
        let customers = try ModelContext(container()).fetch(FetchDescriptor<Customer>())
        expectEqual(customers.map(\.address.city), ["Rome"])
    }

    @Test("contexts of one container merge each other's saves")
    func merging() throws {
        let container = try container()
        let (context, other) = (ModelContext(container), ModelContext(container))
        let customer = Customer("Ada", address: Address(street: "Main", city: "London"))
        context.insert(customer)
        try context.save()
        let same = try requireValue(try other.fetch(FetchDescriptor<Customer>()).first)
        customer.level = .gold
        try context.save()
        other.processPendingChanges()
        expectEqual(same.level, .gold)
    }

    @Test("all customers are deleted by one request")
    func batchDelete() throws {
        let context = ModelContext(try container())
        for price in 1...5 { context.insert(Purchase("P", price: Decimal(price))) }
        try context.save()
        try context.delete(model: Purchase.self, where: #Predicate { $0.price > 2 })
        try context.save()
        try expectEqual(ModelContext(container()).fetchCount(FetchDescriptor<Purchase>()), 2)
    }

    @Test("identifiers are decoded in another container")
    func identifiers() throws {
        let context = ModelContext(try container())
        let purchase = Purchase("Lamp", price: 1)
        context.insert(purchase)
        try context.save()
        let data = try JSONEncoder().encode(purchase.persistentModelID)
        let id = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
        let other = ModelContext(try container())
        expectEqual((other.model(for: id) as? Purchase)?.title, "Lamp")
    }

    @Test("a configuration that doesn't allow saving is read")
    func readOnly() throws {
        do {
            let context = ModelContext(try container())
            context.insert(Purchase("Lamp", price: 1))
            try context.save()
        }
        let context = ModelContext(try container(allowsSave: false))
        let purchase = try requireValue(try context.fetch(FetchDescriptor<Purchase>()).first)
        purchase.title = "Desk"
        #expect(throws: (any Error).self) { try context.save() }
    }

    @Test("a model actor saves on the server")
    func actor() async throws {
        let container = try container()
        let clerk = Clerk(modelContainer: container)
        try await clerk.sell("Lamp")
        try expectEqual(ModelContext(container).fetchCount(FetchDescriptor<Purchase>()), 1)
    }
}

@ModelActor
private actor Clerk {
    func sell(_ title: String) throws {
        modelContext.insert(Purchase(title, price: 1))
        try modelContext.save()
    }
}

private enum Level: String, Codable {
    case regular
    case gold
}

private struct Address: Codable, Equatable {
    var street: String
    var city: String
}

@Model private final class Customer {
    @Attribute(.unique) var name: String
    var address: Address
    var level: Level = Level.regular
    @Relationship(deleteRule: .cascade, inverse: \Purchase.customer) var purchases: [Purchase] = []

    init(_ name: String, address: Address) {
        self.name = name
        self.address = address
    }
}

@Model private final class Purchase {
    var title: String
    var price: Decimal
    var customer: Customer?

    init(_ title: String, price: Decimal) {
        self.title = title
        self.price = price
    }
}
