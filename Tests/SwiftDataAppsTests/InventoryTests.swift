import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct InventoryTests {
    let store: AppStore

    init() throws {
        store = try AppStore(
            Product.self, Warehouse.self, StockItem.self, Supplier.self, PurchaseOrder.self, OrderLine.self)
    }

    private func fill(_ context: ModelContext) {
        let lamp = Product(
            barcode: "400", name: "Lamp", price: Decimal(string: "19.99")!, stockKeepingUnit: "L-1",
            properties: ["color": "red", "size": "M"])
        lamp.dimensions = [10, 20.5, 3]
        let desk = Product(barcode: "401", name: "Desk", price: 120)
        let north = Warehouse(code: "N", name: "North")
        context.insert(StockItem(count: 5, shelf: "A1", product: lamp, warehouse: north))
        context.insert(StockItem(count: 2, product: desk, warehouse: north))
        context.insert(StockItem(count: 7, product: lamp, warehouse: Warehouse(code: "S", name: "South")))
        let supplier = Supplier(name: "Lights & Co", website: URL(string: "https://lights.example"), rating: 4.5)
        supplier.products.append(lamp)
        let order = PurchaseOrder(number: 1, supplier: supplier)
        order.lines = [OrderLine(quantity: 3, product: lamp), OrderLine(quantity: 1, product: desk)]
        order.status = .placed
    }

    @Test func dictionaryAndArrayAreRead() throws {
        let context = try store.relaunched(after: fill)
        let lamp = try requireValue(try context.first(Product.self, where: #Predicate { $0.barcode == "400" }))
        expectEqual(lamp.properties, ["color": "red", "size": "M"])
        expectEqual(lamp.dimensions, [10, 20.5, 3])
        expectEqual(lamp.onHand, 12)
    }

    @Test func orderHangsOnASupplierThatHangsOnAProduct() throws {
        let context = try store.relaunched(after: fill)
        let order = try context.one(PurchaseOrder.self)
        expectEqual(order.total, Decimal(string: "179.97")!)
        expectEqual(order.supplier?.products.map(\.name), ["Lamp"])
        expectEqual(order.status, .placed)
    }

    @Test func genericHelpersWorkWithEachClass() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.count(StockItem.self), 3)
        try expectEqual(context.all(Product.self, sortedBy: SortDescriptor(\.name)).map(\.name), ["Desk", "Lamp"])
        try context.deleteAll(PurchaseOrder.self)
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(OrderLine.self), 0)
    }

    @Test func orderedProductIsNotDeleted() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Product.self, where: #Predicate { $0.barcode == "400" }))
        #expect(throws: (any Error).self) { try context.save() }
    }

    @Test func warehouseTakesItsStock() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Warehouse.self, where: #Predicate { $0.code == "N" }))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.one(Product.self, where: #Predicate { $0.barcode == "400" }).onHand, 7)
    }

    @Test func existentialOfAProtocolChangesTheModel() throws {
        let context = try store.relaunched(after: fill)
        var scannable: any Scannable = try context.one(Product.self, where: #Predicate { $0.name == "Desk" })
        scannable.barcode = "999"
        try context.save()
        let after = try store.launch()
        try expectEqual(after.one(Product.self, where: #Predicate { $0.barcode == "999" }).name, "Desk")
    }

    @Test func stockOfALargeCountIsFetched() throws {
        let context = try store.relaunched(after: fill)
        let plenty = #Predicate<Warehouse> { $0.stock.contains { item in item.count > 4 } }
        try expectEqual(context.all(Warehouse.self).count, 2)
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: plenty)), 2)
        let low = #Predicate<Warehouse> { $0.stock.filter { $0.count < 4 }.count == 1 }
        try expectEqual(context.one(Warehouse.self, where: low).code, "N")
    }

    @Test func decimalsAreCompared() throws {
        let context = try store.relaunched(after: fill)
        let limit = Decimal(string: "19.995")!
        try expectEqual(context.one(Product.self, where: #Predicate { $0.price < limit }).name, "Lamp")
    }

    @Test func transactionSavesAtItsEnd() throws {
        let context = try store.launch()
        try context.transaction {
            fill(context)
        }
        expectFalse(context.hasChanges)
        let after = try store.launch()
        try expectEqual(after.count(Product.self), 2)
    }

    @Test func deleteByPredicate() throws {
        let context = try store.relaunched(after: fill)
        try context.delete(model: StockItem.self, where: #Predicate { $0.count < 6 })
        try context.save()
        let after = try store.launch()
        try expectEqual(after.one(StockItem.self).count, 7)
    }

    @Test func contextsOfOneContainerMerge() throws {
        _ = try store.relaunched(after: fill)
        let container = try store.container()
        let (first, second) = (ModelContext(container), ModelContext(container))
        let seen = try second.one(Product.self, where: #Predicate { $0.barcode == "401" })
        expectEqual(seen.name, "Desk")
        try first.one(Product.self, where: #Predicate { $0.barcode == "401" }).name = "Table"
        try first.save()
        let fetched = try second.one(Product.self, where: #Predicate { $0.barcode == "401" })
        #expect(fetched === seen)
        expectEqual(fetched.name, "Table")
    }

    @Test func coreDataFindsTheUniqueConstraint() throws {
        _ = try store.relaunched(after: fill)
        let context = try store.managedContext()
        let entity = try requireValue(
            context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["PurchaseOrder"])
        expectEqual(entity.uniquenessConstraints.count, 1)
        expectEqual(entity.attributesByName["number"]?.versionHashModifier, "v2")
    }
}
