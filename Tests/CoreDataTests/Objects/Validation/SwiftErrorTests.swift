import CoreData
import Testing

/// A class whose validation throws errors of a Swift type.
final class PricedItem: NSManagedObject {
    enum Fault: Error, Equatable {
        case unnamed
        case expensive(Int)
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        guard value(forKey: "name") != nil else { throw Fault.unnamed }
        let price = (value(forKey: "price") as? NSNumber)?.intValue ?? 0
        if price > 10 { throw Fault.expensive(price) }
    }
}

@Suite("Swift errors of a validation")
struct SwiftErrorTests {
    private func withItems(_ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let item = entity(
            "PricedItem", [attribute("name", .stringAttributeType), attribute("price", .integer32AttributeType)])
        item.managedObjectClassName = NSStringFromClass(PricedItem.self)
        try withStack(kind, model: model([item])) { try body($0.context) }
    }

    @Test("a save throws a single error as it was thrown", arguments: StoreKind.allCases)
    func single(_ kind: StoreKind) throws {
        try withItems(kind) { context in
            context.make("PricedItem", "a", ["price": 12])
            #expect(throws: PricedItem.Fault.expensive(12)) { try context.save() }
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            child.performAndWait {
                child.make("PricedItem")
                #expect(throws: PricedItem.Fault.unnamed) { try child.save() }
            }
        }
    }

    @Test("several errors are the details of one error", arguments: StoreKind.allCases)
    func several(_ kind: StoreKind) throws {
        try withItems(kind) { context in
            context.make("PricedItem", "a", ["price": 12])
            context.make("PricedItem")
            let error = try requireValue(thrownError { try context.save() })
            expectEqual(error.code, NSValidationMultipleErrorsError)
            expectEqual((error.userInfo[NSDetailedErrorsKey] as? [any Error])?.count, 2)
        }
    }
}
