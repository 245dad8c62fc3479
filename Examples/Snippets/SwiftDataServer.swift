// One model for an app and a server: a container of the server, and an actor that works with it.
// snippet.container
import CoreDataPostgreSQL
// snippet.hide
import MusicLibrary
// snippet.show
import SwiftData

@Model
final class Order {
    @Attribute(.unique) var number: Int
    var customer: String
    var isPaid = false

    init(number: Int, customer: String) {
        self.number = number
        self.customer = customer
    }
}

/// The store of the server: a PostgreSQL database, or a file while it is being developed.
func makeContainer() throws -> ModelContainer {
    let database = ProcessInfo.processInfo.environment["SHOP_DATABASE"].flatMap(URL.init(string:))
    let configuration = ModelConfiguration(url: database ?? URL(fileURLWithPath: "Shop.store"))
    return try ModelContainer(for: Order.self, configurations: configuration)
}
// snippet.end

// snippet.actor
@ModelActor
actor Orders {
    func take(number: Int, customer: String) throws -> PersistentIdentifier {
        let order = Order(number: number, customer: customer)
        modelContext.insert(order)
        try modelContext.save()
        return order.persistentModelID
    }

    func pay(_ id: PersistentIdentifier) throws {
        guard let order = self[id, as: Order.self] else { return }
        order.isPaid = true
        try modelContext.save()
    }

    func unpaid() throws -> [Int] {
        let descriptor = FetchDescriptor<Order>(
            predicate: #Predicate { !$0.isPaid },
            sortBy: [SortDescriptor(\.number)])
        return try modelContext.fetch(descriptor).map(\.number)
    }
}
// snippet.end

// snippet.hide
expect(FileManager.default.changeCurrentDirectoryPath(temporaryFolder().path))
// snippet.show
// snippet.use
let container = try makeContainer()
let orders = Orders(modelContainer: container)
let first = try await orders.take(number: 1, customer: "Ada")
_ = try await orders.take(number: 2, customer: "Grace")
try await orders.pay(first)
let unpaid = try await orders.unpaid()
print(unpaid)
// snippet.end
// snippet.hide
expect(unpaid == [2])
