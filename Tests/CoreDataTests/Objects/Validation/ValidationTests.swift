import CoreData
import Testing

@Suite("Validation when saving")
struct ValidationTests {
    private func check(
        _ kind: StoreKind, code: Int, key: String, saying text: String? = nil,
        _ change: (NSManagedObjectContext, NSManagedObject) -> Void
    ) throws {
        try withStack(kind, model: ValidationModel.make()) { stack in
            let item = stack.context.make("Item", nil, ["code": "AB", "amount": 5])
            change(stack.context, item)
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
            expectEqual(error.code, code, "\(error)")
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
            if let text { expectContains(error.localizedDescription, text) }
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === item)
            expectTrue(item.isInserted)
            expectTrue(stack.context.hasChanges)
            try inFreshContext(stack) {
                try expectEmpty($0.all("Item"))
                try expectEmpty($0.all("Part"))
            }
        }
    }

    @Test("a required value that is missing is error 1570", arguments: StoreKind.everyKind)
    func missing(_ kind: StoreKind) throws {
        try check(kind, code: 1570, key: "code") { _, item in item.setValue(nil, forKey: "code") }
    }

    @Test("a broken rule is told with the model's words", arguments: StoreKind.everyKind)
    func rules(_ kind: StoreKind) throws {
        try check(kind, code: 1550, key: "code", saying: "too short") { _, item in item.setValue("A", forKey: "code") }
        try check(kind, code: 1550, key: "code", saying: "too long") { _, item in item.setValue("ABCDE", forKey: "code")
        }
        try check(kind, code: 1550, key: "code", saying: "no capitals") { _, item in
            item.setValue("abc", forKey: "code")
        }
        try check(kind, code: 1550, key: "amount", saying: "too small") { _, item in item.setValue(0, forKey: "amount")
        }
        try check(kind, code: 1550, key: "amount", saying: "too large") { _, item in item.setValue(11, forKey: "amount")
        }
    }

    @Test("too many related objects are error 1590", arguments: StoreKind.everyKind)
    func tooMany(_ kind: StoreKind) throws {
        try check(kind, code: 1590, key: "parts") { context, item in
            for name in ["1", "2", "3"] { context.make("Part", name, ["item": item]) }
        }
    }

    @Test("several errors come as one with the details", arguments: StoreKind.everyKind)
    func several(_ kind: StoreKind) throws {
        try withStack(kind, model: ValidationModel.make()) { stack in
            stack.context.make("Item", nil, ["code": "A", "amount": 0])
            stack.context.make("Item")
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.code, 1560)
            let codes = (error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).map(\.code).sorted()
            expectEqual(codes, [1550, 1550, 1570])
        }
    }

    @Test("an update is validated as well, and can be mended and saved", arguments: StoreKind.everyKind)
    func update(_ kind: StoreKind) throws {
        try withStack(kind, model: ValidationModel.make()) { stack in
            let item = stack.context.make("Item", nil, ["code": "AB"])
            stack.context.make("Part", "1", ["item": item])
            try stack.context.save()
            item.setValue("toolong", forKey: "code")
            #expect(thrownError { try stack.context.save() } != nil)
            expectTrue(item.isUpdated)
            expectEqual(item.text("code"), "toolong")
            item.setValue("ABC", forKey: "code")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.all("Item").map { $0.text("code") }, ["ABC"]) }
        }
    }

    @Test("a single value can be validated before it is set", arguments: StoreKind.everyKind)
    func single(_ kind: StoreKind) throws {
        try withStack(kind, model: ValidationModel.make()) { stack in
            let item = stack.context.make("Item", nil, ["code": "AB"])
            var good: AnyObject? = NSString(string: "ABC")
            var bad: AnyObject? = NSNumber(value: 11)
            try item.validateValue(&good, forKey: "code")
            expectEqual(thrownError { try item.validateValue(&bad, forKey: "amount") }?.code, 1550)
            expectEqual(thrownError { try item.validateForInsert() }, nil)
        }
    }

    @Test("one invalid object keeps all others from the store", arguments: StoreKind.everyKind)
    func allOrNothing(_ kind: StoreKind) throws {
        try withStack(kind, model: ValidationModel.make()) { stack in
            let good = (0..<20).map { _ in stack.context.make("Item", nil, ["code": "AB"]) }
            let bad = stack.context.make("Item", nil, ["code": "x"])
            #expect(thrownError { try stack.context.save() } != nil)
            #expect(good.allSatisfy { $0.isInserted && $0.objectID.isTemporaryID })
            try inFreshContext(stack) { try expectEmpty($0.all("Item")) }
            stack.context.delete(bad)
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.all("Item").count, 20) }
        }
    }
}
