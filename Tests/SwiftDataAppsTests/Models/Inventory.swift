import Foundation
import SwiftData

enum OrderStatus: String, Codable {
    case draft
    case placed
    case received
    case cancelled
}

/// Something that a barcode names.
protocol Scannable {
    var barcode: String { get set }
}

@Model
final class Product: Scannable {
    @Attribute(.unique) var barcode: String
    var name: String
    var price: Decimal
    var properties: [String: String]
    var dimensions: [Double]?
    @Attribute(.preserveValueOnDeletion) var stockKeepingUnit: String
    var discontinued: Bool?
    @Relationship(deleteRule: .cascade, inverse: \StockItem.product) var stock: [StockItem] = []
    @Relationship(deleteRule: .deny, inverse: \OrderLine.product) var orderLines: [OrderLine] = []
    var suppliers: [Supplier] = []

    init(
        barcode: String, name: String, price: Decimal, stockKeepingUnit: String = "",
        properties: [String: String] = [:]
    ) {
        self.barcode = barcode
        self.name = name
        self.price = price
        self.stockKeepingUnit = stockKeepingUnit
        self.properties = properties
    }

    var onHand: Int { stock.reduce(0) { $0 + $1.count } }
}

@Model
final class Warehouse {
    @Attribute(.unique) var code: String
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \StockItem.warehouse) var stock: [StockItem] = []

    init(code: String, name: String) {
        self.code = code
        self.name = name
    }
}

@Model
final class StockItem {
    var count: Int
    var shelf: String?
    var product: Product?
    var warehouse: Warehouse?

    init(count: Int, shelf: String? = nil, product: Product, warehouse: Warehouse) {
        self.count = count
        self.shelf = shelf
        self.product = product
        self.warehouse = warehouse
    }
}

@Model
final class Supplier {
    var name: String
    var website: URL?
    var rating: Float
    @Relationship(inverse: \Product.suppliers) var products: [Product] = []
    @Relationship(deleteRule: .nullify, inverse: \PurchaseOrder.supplier) var orders: [PurchaseOrder] = []

    init(name: String, website: URL? = nil, rating: Float = 0) {
        self.name = name
        self.website = website
        self.rating = rating
    }
}

@Model
final class PurchaseOrder {
    @Attribute(.unique, hashModifier: "v2") var number: Int
    var status: OrderStatus = OrderStatus.draft
    var placedOn: Date?
    var supplier: Supplier?
    @Relationship(deleteRule: .cascade, minimumModelCount: 0, maximumModelCount: 100, inverse: \OrderLine.order)
    var lines: [OrderLine] = []

    init(number: Int, supplier: Supplier? = nil) {
        self.number = number
        self.supplier = supplier
    }

    var total: Decimal { lines.reduce(0) { $0 + $1.unitPrice * Decimal($1.quantity) } }
}

@Model
final class OrderLine {
    var quantity: Int
    var unitPrice: Decimal
    var product: Product?
    var order: PurchaseOrder?

    init(quantity: Int, product: Product) {
        self.quantity = quantity
        self.unitPrice = product.price
        self.product = product
    }
}

/// Helpers that work with each model class, as apps share them between screens.
extension ModelContext {
    func first<Model: PersistentModel>(_ type: Model.Type, where predicate: Predicate<Model>) throws -> Model? {
        var descriptor = FetchDescriptor<Model>(predicate: predicate)
        descriptor.fetchLimit = 1
        return try fetch(descriptor).first
    }

    func all<Model: PersistentModel>(_ type: Model.Type, sortedBy sort: SortDescriptor<Model>...) throws -> [Model] {
        try fetch(FetchDescriptor<Model>(sortBy: sort))
    }

    func count<Model: PersistentModel>(_ type: Model.Type) throws -> Int {
        try fetchCount(FetchDescriptor<Model>())
    }

    func deleteAll<Model: PersistentModel>(_ type: Model.Type) throws {
        for model in try fetch(FetchDescriptor<Model>()) {
            delete(model)
        }
    }
}
