import CoreData
import Testing

/// A value that is no number is no value of a required attribute.
@Suite("Required attributes without a number")
struct NotANumberTests {
    private static func makeModel() -> NSManagedObjectModel {
        let item = entity("Item")
        item.properties = [
            attribute("name", .stringAttributeType),
            attribute("real", .doubleAttributeType, optional: false, defaultValue: 0.0),
            attribute("single", .floatAttributeType, optional: false, defaultValue: Float(0)),
            attribute("exact", .decimalAttributeType, optional: false, defaultValue: NSDecimalNumber.zero),
            attribute("free", .doubleAttributeType),
            composite("place", [attribute("x", .doubleAttributeType, optional: false, defaultValue: 1.0)]),
        ]
        return model([item])
    }

    private static func notANumber(_ key: String) -> NSNumber {
        switch key {
        case "single": NSNumber(value: Float.nan)
        case "exact": NSDecimalNumber.notANumber
        default: NSNumber(value: Double.nan)
        }
    }

    @Test(
        "a save refuses it as a missing value, and says why", arguments: StoreKind.everyKind,
        ["real", "single", "exact"])
    func saving(_ kind: StoreKind, _ key: String) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let item = stack.context.make("Item", "a")
            item.setValue(Self.notANumber(key), forKey: key)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.domain, NSCocoaErrorDomain)
            expectEqual(error?.code, NSValidationMissingMandatoryPropertyError)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
            expectEqual(error?.localizedDescription.contains("NaN"), true)
            item.setValue(1, forKey: key)
            try stack.context.save()
            item.setValue(Self.notANumber(key), forKey: key)
            #expect(throws: NSError.self) { try stack.context.save() }
            stack.context.rollback()
            expectEqual(item.number(key), 1)
        }
    }

    @Test("validation of one value refuses it")
    func validateValue() throws {
        try withStack(.memory, model: Self.makeModel()) { stack in
            let item = stack.context.make("Item", "a")
            var value: AnyObject? = NSNumber(value: Double.nan)
            let error = #expect(throws: NSError.self) { try item.validateValue(&value, forKey: "real") }
            expectEqual(error?.code, NSValidationMissingMandatoryPropertyError)
            try item.validateValue(&value, forKey: "free")
        }
    }

    @Test("a required element of a composite attribute is refused")
    func composites() throws {
        try withStack(.sqlite, model: Self.makeModel()) { stack in
            let item = stack.context.make("Item", "a")
            item.setValue(["x": Double.nan], forKey: "place")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSValidationMissingMandatoryPropertyError)
        }
    }

    @Test("an optional attribute reads nil after it was saved", arguments: [StoreKind.sqlite, .tables])
    func optional(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            stack.context.make("Item", "a", ["free": Double.nan])
            try stack.context.save()
            try inFreshContext(stack) { context in try #expect(context.one("Item", "a").value(forKey: "free") == nil) }
        }
    }

    @Test("batch requests refuse it", arguments: ["real", "single", "exact"])
    func batches(_ key: String) throws {
        let stack = try TestStack(StoreKind.tables, model: Self.makeModel())
        try on(stack.context) {
            let value = Self.notANumber(key)
            let insert = NSBatchInsertRequest(entityName: "Item", objects: [["name": "a", key: value]])
            #expect(throws: NSError.self) { try stack.context.execute(insert) }
            var isFirst = true
            let handled = NSBatchInsertRequest(entityName: "Item") { (object: NSManagedObject) -> Bool in
                defer { isFirst = false }
                guard isFirst else { return true }
                object.setValue(value, forKey: key)
                return false
            }
            #expect(throws: NSError.self) { try stack.context.execute(handled) }
            stack.context.make("Item", "b")
            try stack.context.save()
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.propertiesToUpdate = [key: value]
            #expect(throws: NSError.self) { try stack.context.execute(update) }
            try expectEqual(stack.context.all("Item").count, 1)
        }
    }
}
