import CoreData
import Testing

/// A class that archives may hold only where it is allowed; two of the same number are equal.
final class Mark: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let number: Int

    init(_ number: Int) { self.number = number }
    init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "number") }
    func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
    override func isEqual(_ object: Any?) -> Bool { (object as? Mark)?.number == number }
    override var hash: Int { number }
}

/// A class without secure coding, as in old programs.
final class OldMark: NSObject, NSCoding {
    let number: Int

    init(_ number: Int) { self.number = number }
    init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "number") }
    func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
}

/// A class that no model and no transformer names.
final class StrangeMark: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

final class MarkTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [Mark.self] }
}

/// Keeps a list of numbers as text.
final class NumbersTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? [Int]).map { Data($0.map(String.init).joined(separator: ",").utf8) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self).split(separator: ",").compactMap { Int($0) } }
    }
}

@Suite("Transformable attributes")
struct TransformableTests {
    private func makeModel(transformer: String? = nil, valueClass: String? = nil) -> NSManagedObjectModel {
        let thing = attribute("thing", .transformableAttributeType)
        thing.valueTransformerName = transformer
        if let valueClass { thing.attributeValueClassName = valueClass }
        return model([entity("Box", [attribute("name", .stringAttributeType), thing])])
    }

    /// Saves a value into a file, and reads it through another coordinator with another model.
    private func roundTrip(_ value: Any, _ model: NSManagedObjectModel, reading other: NSManagedObjectModel? = nil)
        throws -> Any?
    {
        let stack = try TestStack(.sqlite, model: model)
        try on(stack.context) {
            stack.context.make("Box", "b", ["thing": value])
            try stack.context.save()
        }
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: other ?? model.copy() as! NSManagedObjectModel)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        var result: Any?
        try on(context) { result = try context.one("Box", "b").value(forKey: "thing") }
        return result
    }

    @Test("without a transformer hold Foundation's plain values and collections")
    func plain() throws {
        let value: [String: Any] = [
            "list": [1, "two", Date(timeIntervalSinceReferenceDate: 5)], "link": URL(string: "a:b")!, "data": Data([1]),
        ]
        let found = try requireValue(try roundTrip(value, makeModel()) as? NSDictionary)
        expectEqual((found["list"] as? NSArray)?.count, 3)
        #expect(found["link"] as? URL == URL(string: "a:b"))
        #expect(found["data"] as? Data == Data([1]))
        try #expect(
            roundTrip(NSOrderedSet(array: ["b", "a"]), makeModel()) as? NSOrderedSet == NSOrderedSet(array: ["b", "a"]))
        try #expect(roundTrip([1, 2], makeModel(transformer: "NSKeyedUnarchiveFromData")) as? [Int] == [1, 2])
    }

    @Test("without a transformer hold objects of the class that the model names, with or without its module")
    func namedClass() throws {
        let qualified = NSStringFromClass(OldMark.self)
        try expectEqual((roundTrip(OldMark(7), makeModel(valueClass: qualified)) as? OldMark)?.number, 7)
        try expectEqual((roundTrip(OldMark(8), makeModel(valueClass: "OldMark")) as? OldMark)?.number, 8)
        let list = try roundTrip([OldMark(1), OldMark(2)], makeModel(valueClass: "OldMark")) as? [OldMark]
        expectEqual(list?.map(\.number), [1, 2])
    }

    @Test("of a class that nobody has allowed can't be saved, with an error that names it")
    func refusedWriting() throws {
        try withStack(.sqlite, model: makeModel()) { stack in
            stack.context.make("Box", "b", ["thing": StrangeMark()])
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, 134060)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "thing")
            expectContains(error.localizedDescription, "StrangeMark")
            expectContains(error.localizedDescription, "NSSecureUnarchiveFromDataTransformer")
            stack.context.rollback()
            stack.context.make("Box", "b", ["thing": ["deep": [StrangeMark()]]])
            expectEqual(thrownError { try stack.context.save() }?.localizedDescription.contains("StrangeMark"), true)
        }
    }

    @Test("whose archive holds a class that isn't allowed are given as data, which survives the next save")
    func refusedReading() throws {
        let found = try requireValue(
            try roundTrip(OldMark(3), makeModel(valueClass: "OldMark"), reading: makeModel()) as? Data)
        expectContains(String(decoding: found, as: UTF8.self), "OldMark")
    }

    @Test("hold what a registered secure transformer allows, even where the model names none")
    func allowedByRegistration() throws {
        ValueTransformer.setValueTransformer(
            MarkTransformer(), forName: NSValueTransformerName("TransformableTests.Mark"))
        try #expect(roundTrip(Mark(4), makeModel(transformer: "TransformableTests.Mark")) as? Mark == Mark(4))
        try #expect(roundTrip([Mark(5)], makeModel()) as? [Mark] == [Mark(5)])
    }

    @Test("go through a registered transformer both ways")
    func custom() throws {
        ValueTransformer.setValueTransformer(
            NumbersTransformer(), forName: NSValueTransformerName("TransformableTests.Numbers"))
        try #expect(roundTrip([3, 1, 2], makeModel(transformer: "TransformableTests.Numbers")) as? [Int] == [3, 1, 2])
        let bytes = try roundTrip(
            [3, 1, 2], makeModel(transformer: "TransformableTests.Numbers"),
            reading: makeModel(transformer: "TransformableTests.None"))
        #expect(bytes as? Data == Data("3,1,2".utf8))
    }

    @Test("whose transformer gives no data, or isn't registered, stop the save with an error")
    func failures() throws {
        ValueTransformer.setValueTransformer(
            NumbersTransformer(), forName: NSValueTransformerName("TransformableTests.Numbers"))
        for (name, hint) in [
            ("TransformableTests.Numbers", "returns no data"),
            ("TransformableTests.Missing", "isn't registered"),
        ] {
            try withStack(.sqlite, model: makeModel(transformer: name)) { stack in
                stack.context.make("Box", "b", ["thing": "text"])
                let error = try requireValue(thrownError { try stack.context.save() })
                expectEqual(error.code, 134060)
                expectContains(error.localizedDescription, hint)
                expectEqual(stack.context.insertedObjects.count, 1)
            }
        }
    }

    @Test("are changed by another value, not by an equal one", arguments: StoreKind.everyKind.without(.secureArchives))
    func changes(_ kind: StoreKind) throws {
        ValueTransformer.setValueTransformer(
            MarkTransformer(), forName: NSValueTransformerName("TransformableTests.Mark"))
        try withStack(kind, model: makeModel(transformer: "TransformableTests.Mark")) { stack in
            stack.context.make("Box", "b", ["thing": Mark(1)])
            try stack.context.save()
            try inFreshContext(stack) { context in
                let box = try context.one("Box", "b")
                box.setValue(Mark(1), forKey: "thing")
                expectTrue(box.hasChanges)
                expectFalse(box.hasPersistentChangedValues)
                expectEmpty(box.changedValues())
                box.setValue(Mark(2), forKey: "thing")
                expectTrue(box.hasPersistentChangedValues)
                #expect(box.changedValues()["thing"] as? Mark == Mark(2))
                #expect(box.committedValues(forKeys: ["thing"])["thing"] as? Mark == Mark(1))
                try context.save()
                box.setValue(nil, forKey: "thing")
                #expect(box.changedValues()["thing"] is NSNull)
            }
        }
    }

    @Test(
        "are changed by a text in another Unicode form, wherever it is in a collection",
        arguments: StoreKind.everyKind.without(.secureArchives))
    func unicodeForms(_ kind: StoreKind) throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let forms: [(String) -> NSObject] = [
            { $0 as NSString }, { [1, [$0]] as NSArray }, { ["key": [$0]] as NSDictionary },
            { [$0: 1] as NSDictionary }, { NSSet(object: $0) },
        ]
        func scalars(_ value: Any?) -> Int {
            switch value {
            case let text as String: text.unicodeScalars.count
            case let values as NSArray: values.map(scalars).reduce(0, +)
            case let values as NSSet: values.map(scalars).reduce(0, +)
            case let values as NSDictionary: (values.allKeys + values.allValues).map(scalars).reduce(0, +)
            default: 0
            }
        }
        try withStack(kind, model: makeModel(transformer: nil)) { stack in
            for (index, form) in forms.enumerated() {
                let box = stack.context.make("Box", "\(index)", ["thing": form(composed)])
                try stack.context.save()
                box.setValue(form(decomposed), forKey: "thing")
                expectTrue(box.hasPersistentChangedValues, "\(form(composed))")
                try stack.context.save()
                try inFreshContext(stack) { context in
                    let stored = try context.one("Box", "\(index)").value(forKey: "thing")
                    expectEqual(scalars(stored), scalars(form(decomposed)), "\(form(composed))")
                }
            }
        }
    }

    @Test("a mutable value of one context is not the one of another", arguments: [true, false])
    func unshared(_ isNew: Bool) throws {
        try withStack(.sqlite, model: makeModel()) { stack in
            let box = stack.context.make("Box", "b")
            let list = NSMutableArray(array: [1])
            if !isNew { try stack.context.save() }
            box.setValue(list, forKey: "thing")
            try stack.context.save()
            list.add(2)
            let other = stack.newContext()
            try on(other) { try #expect(other.one("Box", "b").value(forKey: "thing") as? [Int] == [1]) }
            expectEqual((box.value(forKey: "thing") as? NSArray)?.count, 2)
        }
    }

    @Test(
        "a value is decoded once: it is the same object until the attribute has another one",
        arguments: StoreKind.everyKind.without(.secureArchives))
    func decodedOnce(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel(valueClass: NSStringFromClass(Mark.self))) { stack in
            stack.context.make("Box", "b", ["thing": Mark(1)])
            try stack.context.save()
            stack.context.reset()
            let box = try stack.context.one("Box", "b")
            let first = try requireValue(box.value(forKey: "thing") as? Mark)
            let second = try requireValue(box.value(forKey: "thing") as? Mark)
            expectEqual(ObjectIdentifier(first), ObjectIdentifier(second))
            expectEqual(first.number, 1)
            expectFalse(box.hasChanges)
            box.setValue(Mark(2), forKey: "thing")
            expectEqual((box.value(forKey: "thing") as? Mark)?.number, 2)
            stack.context.rollback()
            expectEqual((box.value(forKey: "thing") as? Mark)?.number, 1)
            let other = stack.newContext()
            try on(other) {
                try other.one("Box", "b").setValue(Mark(3), forKey: "thing")
                try other.save()
            }
            stack.context.refresh(box, mergeChanges: true)
            expectEqual((box.value(forKey: "thing") as? Mark)?.number, 3)
        }
    }
}
