import CoreData
import Testing

@Suite("Attribute values")
struct AttributeTests {
    /// One attribute of every type, named after it.
    static func makeModel() -> NSManagedObjectModel {
        let types: [(String, NSAttributeType)] = [
            ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
            ("bool", .booleanAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
            ("date", .dateAttributeType),
            ("string", .stringAttributeType), ("decimal", .decimalAttributeType), ("data", .binaryDataAttributeType),
            ("uuid", .UUIDAttributeType),
            ("uri", .URIAttributeType), ("thing", .transformableAttributeType),
        ]
        return model([entity("Value", types.map { attribute($0.0, $0.1) })])
    }

    /// Saves one value and reads it through a context that shares nothing but the store.
    private func roundTrip(_ kind: StoreKind, _ key: String, _ value: Any?) throws -> Any? {
        var result: Any?
        try withStack(kind, model: Self.makeModel()) { stack in
            let object = stack.context.make("Value")
            object.setValue(value, forKey: key)
            try stack.context.save()
            try inFreshContext(stack) { result = try $0.all("Value").first?.value(forKey: key) }
        }
        return result
    }

    @Test("nil of every type comes back as nil", arguments: StoreKind.everyKind)
    func nils(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            stack.context.make("Value")
            try stack.context.save()
            try inFreshContext(stack) { context in
                let object = try requireValue(try context.all("Value").first)
                for key in stack.model.entitiesByName["Value"]!.attributesByName.keys {
                    #expect(object.value(forKey: key) == nil, "\(key)")
                }
            }
        }
    }

    @Test("integers come back to their extremes", arguments: StoreKind.everyKind)
    func integers(_ kind: StoreKind) throws {
        for value in [Int64(Int16.min), -1, 0, 1, Int64(Int16.max)] as [Int64] {
            expectEqual((try roundTrip(kind, "int16", NSNumber(value: value)) as? NSNumber)?.int64Value, value)
        }
        for value in [Int64(Int32.min), Int64(Int32.max)] {
            expectEqual((try roundTrip(kind, "int32", NSNumber(value: value)) as? NSNumber)?.int64Value, value)
        }
        for value in [Int64.min, Int64.max, 9_007_199_254_740_993] as [Int64] {
            expectEqual((try roundTrip(kind, "int64", NSNumber(value: value)) as? NSNumber)?.int64Value, value)
        }
    }

    @Test("Booleans come back as Booleans", arguments: StoreKind.everyKind)
    func booleans(_ kind: StoreKind) throws {
        try #expect(roundTrip(kind, "bool", true) as? Bool == true)
        try #expect(roundTrip(kind, "bool", false) as? Bool == false)
    }

    @Test("real numbers come back exactly", arguments: StoreKind.everyKind)
    func reals(_ kind: StoreKind) throws {
        for value in [
            0.1, -0.0, Double.greatestFiniteMagnitude, -Double.leastNonzeroMagnitude, 1e-300, Double.infinity,
            -Double.infinity,
        ] {
            expectEqual((try roundTrip(kind, "double", value) as? NSNumber)?.doubleValue, value)
        }
        for value in [Float(0.1), Float.greatestFiniteMagnitude, -3.5] {
            expectEqual((try roundTrip(kind, "float", value) as? NSNumber)?.floatValue, value)
        }
    }

    @Test(
        "dates come back exactly", arguments: StoreKind.everyKind,
        [0.123456, -1e9, Date.distantFuture.timeIntervalSinceReferenceDate, -63_114_076_800])
    func dates(_ kind: StoreKind, _ seconds: TimeInterval) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        try #expect(roundTrip(kind, "date", date) as? Date == date)
    }

    @Test("dates come back with all their digits", arguments: StoreKind.everyKind.without(.microseconds))
    func nanoseconds(_ kind: StoreKind) throws {
        let date = Date(timeIntervalSinceReferenceDate: 0.123456789)
        try #expect(roundTrip(kind, "date", date) as? Date == date)
    }

    @Test(
        "strings come back, whatever is in them", arguments: StoreKind.everyKind,
        [
            "", "a", "15 characters ok", "e\u{301}", "👩‍👩‍👧‍👦🇩🇪",
            "\u{FEFF}x", "'; DROP TABLE ZVALUE; --", "שלום",
            String(repeating: "ß", count: 100_000),
        ])
    func strings(_ kind: StoreKind, _ text: String) throws {
        let read = try roundTrip(kind, "string", text) as? String
        expectEqual(read.map { Array($0.unicodeScalars) }, Array(text.unicodeScalars))
    }

    @Test("strings with NUL come back", arguments: StoreKind.everyKind.without(.textsWithoutNUL))
    func stringsWithNUL(_ kind: StoreKind) throws {
        try #expect(roundTrip(kind, "string", "a\u{0}b") as? String == "a\u{0}b")
    }

    @Test("data come back, empty and large", arguments: StoreKind.everyKind)
    func data(_ kind: StoreKind) throws {
        for data in [Data(), Data([0]), Data([0, 255, 1]), Data(repeating: 7, count: 1_000_000)] {
            try #expect(roundTrip(kind, "data", data) as? Data == data)
        }
    }

    @Test("decimals come back as decimal numbers", arguments: StoreKind.everyKind)
    func decimals(_ kind: StoreKind) throws {
        for text in ["0", "1", "-1", "0.1", "1234567.89", "-99.95", "9007199254740993", "9223372036854775807"] {
            let value = NSDecimalNumber(string: text)
            try #expect(roundTrip(kind, "decimal", value) as? NSDecimalNumber == value, "\(text)")
        }
    }

    @Test("UUIDs and URLs come back", arguments: StoreKind.everyKind)
    func identifiers(_ kind: StoreKind) throws {
        let uuid = UUID()
        try #expect(roundTrip(kind, "uuid", uuid) as? UUID == uuid)
        for text in ["https://example.org/a%20b?q=1#f", "file:///tmp/x", "mailto:a@b.c"] {
            let url = try requireValue(URL(string: text))
            try #expect(roundTrip(kind, "uri", url) as? URL == url)
        }
    }

    @Test("transformable values come back", arguments: StoreKind.everyKind)
    func transformables(_ kind: StoreKind) throws {
        let array = NSArray(array: ["a", NSNumber(value: 1)])
        try #expect(roundTrip(kind, "thing", array) as? NSArray == array)
        let dictionary = NSDictionary(dictionary: ["k": "v"])
        try #expect(roundTrip(kind, "thing", dictionary) as? NSDictionary == dictionary)
    }

    @Test("a value set to nil is nil after the save", arguments: StoreKind.everyKind)
    func clearing(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let values: [String: Any] = [
                "int16": 1, "int32": 1, "int64": 1, "bool": true, "double": 1.5, "float": Float(1.5), "date": Date(),
                "string": "x",
                "decimal": NSDecimalNumber(string: "1.5"), "data": Data([1]), "uuid": UUID(),
                "uri": URL(string: "a:b")!, "thing": NSArray(array: ["x"]),
            ]
            let object = stack.context.make("Value", nil, values)
            try stack.context.save()
            for key in values.keys {
                #expect(object.value(forKey: key) != nil)
                object.setValue(nil, forKey: key)
            }
            try stack.context.save()
            try inFreshContext(stack) { context in
                let object = try requireValue(try context.all("Value").first)
                for key in values.keys { #expect(object.value(forKey: key) == nil, "\(key)") }
            }
        }
    }

    @Test("a number that doesn't fit its attribute is refused when saving", arguments: StoreKind.everyKind)
    func overflow(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let object = stack.context.make("Value", nil, ["int16": 40_000])
            expectEqual(thrownError { try stack.context.save() }?.code, 1610)
            object.setValue(-40_000, forKey: "int16")
            expectEqual(thrownError { try stack.context.save() }?.code, 1620)
            object.setValue(1, forKey: "int16")
            object.setValue(Int64(Int32.max) + 1, forKey: "int32")
            expectEqual(thrownError { try stack.context.save() }?.code, 1610)
            object.setValue(nil, forKey: "int32")
            try stack.context.save()
        }
    }

    @Test("changed and committed values tell what differs from the store", arguments: StoreKind.everyKind)
    func changes(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Jane")
            let book = stack.context.make("Book", "Emma", ["author": author])
            #expect(book.changedValues()["name"] as? String == "Emma")
            try stack.context.save()
            expectEmpty(book.changedValues())
            #expect(book.committedValues(forKeys: ["name"])["name"] as? String == "Emma")

            book.setValue("Emma II", forKey: "name")
            book.setValue(nil, forKey: "author")
            book.setValue(nil, forKey: "price")
            expectEqual(Set(book.changedValues().keys), ["name", "author"])
            #expect(book.changedValues()["author"] is NSNull)
            let committed = book.committedValues(forKeys: ["name", "author", "price"])
            #expect(committed["name"] as? String == "Emma")
            #expect(committed["author"] as? NSManagedObject === author)
            #expect(committed["price"] is NSNull)
            expectContains(author.changedValues().keys, "books")
            #expect(author.committedValues(forKeys: ["books"])["books"] as? Set<NSManagedObject> == [book])
        }
    }

    @Test("setting what is there already changes nothing that a store would keep", arguments: StoreKind.everyKind)
    func sameValue(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            book.setValue("Emma", forKey: "name")
            expectTrue(book.hasChanges)
            expectFalse(book.hasPersistentChangedValues)
            expectEmpty(book.changedValues())
            book.setValue("a note", forKey: "note")
            expectFalse(book.hasPersistentChangedValues)
            book.setValue("Other", forKey: "name")
            expectTrue(book.hasPersistentChangedValues)
            book.setValue("Emma", forKey: "name")
            expectFalse(book.hasPersistentChangedValues)
            try stack.context.save()
            expectFalse(book.hasChanges)
            expectEqual(book.text("note"), "a note")
        }
    }

    @Test("transient values stay with the object and never reach the store", arguments: StoreKind.everyKind)
    func transients(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma", ["note": "n"])
            try stack.context.save()
            expectEqual(book.text("note"), "n")
            book.setValue(3, forKey: "pages")
            try stack.context.save()
            expectEqual(book.text("note"), "n")
            expectEqual(book.number("pages"), 3)
            try inFreshContext(stack) { try #expect($0.one("Book", "Emma").value(forKey: "note") == nil) }
        }
    }

    @Test("primitive values change nothing else", arguments: StoreKind.everyKind)
    func primitives(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let book = stack.context.make("Book", "Emma")
            try stack.context.save()
            book.setPrimitiveValue("Quiet", forKey: "name")
            expectFalse(book.hasChanges)
            #expect(book.primitiveValue(forKey: "name") as? String == "Quiet")
            book.willChangeValue(forKey: "name")
            book.setPrimitiveValue("Loud", forKey: "name")
            book.didChangeValue(forKey: "name")
            expectTrue(book.hasChanges)
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["Loud"]) }
        }
    }

    @Test("values are set and read by key path and by dictionary", arguments: StoreKind.everyKind)
    func keyPaths(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            let author = stack.context.make("Author", "Jane")
            let book = stack.context.make("Book", "Emma", ["author": author])
            stack.context.make("Book", "Persuasion", ["author": author, "pages": 300])
            #expect(book.value(forKeyPath: "author.name") as? String == "Jane")
            book.setValue("Austen", forKeyPath: "author.name")
            expectEqual(author.text("name"), "Austen")
            expectEqual((author.value(forKeyPath: "books.@count") as? NSNumber)?.intValue, 2)
            expectEqual((author.value(forKeyPath: "books.@sum.pages") as? NSNumber)?.intValue, 400)
            #expect(author.value(forKeyPath: "books.name") as? Set<String> == ["Emma", "Persuasion"])
            book.setValuesForKeys(["name": "Emma II", "pages": NSNull()])
            let read = book.dictionaryWithValues(forKeys: ["name", "pages"])
            #expect(read["name"] as? String == "Emma II")
            #expect(read["pages"] is NSNull)
        }
    }

    @Test("Foundation's objects are taken as the values that they are", arguments: StoreKind.everyKind)
    func foundationObjects(_ kind: StoreKind) throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let uuid = UUID()
        try #expect(roundTrip(kind, "string", NSString(string: "text")) as? String == "text")
        try #expect(roundTrip(kind, "string", NSMutableString(string: "text")) as? String == "text")
        try #expect(roundTrip(kind, "date", date as NSDate) as? Date == date)
        try #expect(roundTrip(kind, "data", NSData(data: Data([1, 2]))) as? Data == Data([1, 2]))
        try #expect(roundTrip(kind, "uuid", NSUUID(uuidString: uuid.uuidString)) as? UUID == uuid)
        try #expect(roundTrip(kind, "uri", NSURL(string: "a:b")) as? URL == URL(string: "a:b"))
        try #expect(roundTrip(kind, "bool", NSNumber(value: true)) as? Bool == true)
        try #expect(
            roundTrip(kind, "decimal", Decimal(string: "2.5")!) as? NSDecimalNumber == NSDecimalNumber(string: "2.5"))
        for number in [
            Int8(3), UInt8(3), Int16(3), UInt16(3), Int32(3), UInt32(3), Int64(3), UInt64(3), Int(3), UInt(3),
        ] as [Any] {
            try expectEqual((roundTrip(kind, "int32", number) as? NSNumber)?.intValue, 3, "\(type(of: number))")
        }
        try expectEqual((roundTrip(kind, "double", 3) as? NSNumber)?.doubleValue, 3)
        try expectEqual((roundTrip(kind, "float", 2.5) as? NSNumber)?.doubleValue, 2.5)
        try #expect(roundTrip(kind, "string", Optional("inside") as Any) as? String == "inside")
        try #expect(roundTrip(kind, "string", Optional<String>.none as Any) == nil)
    }

    @Test("an infinite number set to a decimal attribute is not a number")
    func infiniteDecimal() throws {
        let value = try roundTrip(.memory, "decimal", Double.infinity) as? NSDecimalNumber
        expectEqual(value?.decimalValue.isNaN, true)
    }

    @Test("decimals can be gathered into sets", arguments: StoreKind.everyKind)
    func decimalSets(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            for text in ["1.5", "1.5", "2", "-7.25"] {
                stack.context.make("Value", nil, ["decimal": NSDecimalNumber(string: text)])
            }
            try stack.context.save()
            try inFreshContext(stack) { context in
                let values = try context.all("Value").compactMap { $0.value(forKey: "decimal") as? NSDecimalNumber }
                expectEqual(Set(values).count, 3)
                expectEqual(NSSet(array: values).count, 3)
                expectContains(Set(values), try #require(values.first))
            }
        }
    }
}
