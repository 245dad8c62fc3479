import CoreData
import Testing

@Suite("Composite attributes")
struct CompositeAttributeTests {
    @Test("come back as dictionaries of their elements' values, of every type", arguments: StoreKind.everyKind)
    func roundTrip(_ kind: StoreKind) throws {
        let uuid = UUID()
        let facts: [String: Any] = [
            "int32": Int32.min, "int64": Int64.max, "flag": true, "single": Float(1.5),
            "exact": NSDecimalNumber(string: "12.25"),
            "date": Date(timeIntervalSinceReferenceDate: 1000.5), "data": Data([1, 2, 3]), "uuid": uuid,
            "link": URL(string: "https://a.example/b")!,
            "list": ["a", "b"],
        ]
        try withStack(kind, model: PlaceModel.make()) { stack in
            let place = stack.context.make(
                "Place", "p", ["facts": facts, "location": PlaceModel.location("Rome", 20, 41.9, 12.5)])
            try stack.context.save()
            try inFreshContext(stack) { context in
                let found = try requireValue(try context.all("Place").first)
                let values = try requireValue(found.value(forKey: "facts") as? [String: Any])
                expectEqual((values["int32"] as? NSNumber)?.int32Value, .min)
                expectEqual((values["int64"] as? NSNumber)?.int64Value, .max)
                #expect(values["flag"] as? Bool == true)
                expectEqual((values["single"] as? NSNumber)?.floatValue, 1.5)
                expectEqual((values["exact"] as? NSDecimalNumber)?.decimalValue, Decimal(string: "12.25"))
                #expect(values["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1000.5))
                #expect(values["data"] as? Data == Data([1, 2, 3]))
                #expect(values["uuid"] as? UUID == uuid)
                #expect(values["link"] as? URL == URL(string: "https://a.example/b"))
                #expect(values["list"] as? [String] == ["a", "b"])
                expectEqual(values.count, 10)
                expectEqual(found.dictionary("location"), place.dictionary("location"))
                expectEqual(found.dictionary("location"), PlaceModel.location("Rome", 20, 41.9, 12.5) as NSDictionary)
            }
        }
    }

    @Test("give their elements by key paths", arguments: StoreKind.everyKind)
    func keyPaths(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            let place = try context.one("Place", "Colosseum")
            let nowhere = try context.one("Place", "Nowhere")
            #expect(place.value(forKeyPath: "location.city") as? String == "Rome")
            expectEqual((place.value(forKeyPath: "location.point.latitude") as? NSNumber)?.doubleValue, 41.9)
            #expect(nowhere.value(forKeyPath: "location.point.latitude") == nil)
            #expect(nowhere.value(forKey: "location") == nil)
            let country = try context.one("Country", "Italy")
            #expect(country.value(forKeyPath: "places.location.city") as? Set<String> == ["Rome"])
            expectEqual((country.value(forKeyPath: "places.@max.location.height") as? NSNumber)?.intValue, 20)
        }
    }

    @Test("are replaced as a whole: elements that aren't named become nil", arguments: StoreKind.everyKind)
    func replaced(_ kind: StoreKind) throws {
        try withStack(kind, model: PlaceModel.make()) { stack in
            let place = stack.context.make("Place", "p", ["location": PlaceModel.location("Rome", 20, 41.9, 12.5)])
            try stack.context.save()
            place.setValue(["city": "Milan", "height": NSNull()], forKey: "location")
            expectEqual(place.dictionary("location"), ["city": "Milan"])
            try stack.context.save()
            try inFreshContext(stack) {
                try expectEqual($0.one("Place", "p").dictionary("location"), ["city": "Milan"])
            }
            place.setValue(nil, forKey: "location")
            try stack.context.save()
            try inFreshContext(stack) { try #expect($0.one("Place", "p").value(forKey: "location") == nil) }
        }
    }

    @Test(
        "without any value are nil, as a store can't tell an empty dictionary from none", arguments: StoreKind.everyKind
    )
    func empty(_ kind: StoreKind) throws {
        try withStack(kind, model: PlaceModel.make()) { stack in
            let place = stack.context.make("Place", "p", ["location": [String: Any](), "facts": ["flag": NSNull()]])
            #expect(place.value(forKey: "location") == nil)
            #expect(place.value(forKey: "facts") == nil)
            try stack.context.save()
            try inFreshContext(stack) { try #expect($0.one("Place", "p").value(forKey: "location") == nil) }
        }
    }

    @Test("take an NSDictionary as well")
    func foundationDictionary() throws {
        try withStack(.memory, model: PlaceModel.make()) { stack in
            let place = stack.context.make("Place", "p")
            let value = NSMutableDictionary()
            value["city"] = "Rome"
            value["height"] = 7
            place.setValue(value, forKey: "location")
            value["city"] = "Milan"
            expectEqual(place.dictionary("location"), ["city": "Rome", "height": 7])
        }
    }

    @Test("are changed where an element is, and told with the whole value", arguments: StoreKind.everyKind)
    func changes(_ kind: StoreKind) throws {
        try withStack(kind, model: PlaceModel.make()) { stack in
            let old = PlaceModel.location("Rome", 20, 41.9, 12.5)
            let new = PlaceModel.location("Rome", 20, 41.9, 12.75)
            let place = stack.context.make("Place", "p", ["location": old])
            #expect(
                place.changedValues()["location"] as? NSDictionary == nil
                    || place.changedValues().keys.sorted() == ["location", "name"])
            try stack.context.save()
            place.setValue(old, forKey: "location")
            expectFalse(place.hasPersistentChangedValues)
            expectEmpty(place.changedValues())
            place.setValue(new, forKey: "location")
            expectTrue(place.hasPersistentChangedValues)
            expectEqual(
                (place.changedValues()["location"] as? [String: Any]).map { $0 as NSDictionary }, new as NSDictionary)
            let committed = place.committedValues(forKeys: ["location"])["location"] as? [String: Any]
            expectEqual(committed.map { $0 as NSDictionary }, old as NSDictionary)
            stack.context.rollback()
            expectEqual(place.dictionary("location"), old as NSDictionary)
            expectFalse(place.hasChanges)
        }
    }

    @Test("of a new object have the composite's default value, else those of its elements")
    func defaults() throws {
        let place = entity(
            "Place",
            [
                composite(
                    "own",
                    [
                        attribute("a", .stringAttributeType, defaultValue: "element"),
                        attribute("b", .integer16AttributeType),
                    ], defaultValue: ["b": 3]),
                composite(
                    "parts",
                    [
                        attribute("a", .stringAttributeType, defaultValue: "x"), attribute("b", .stringAttributeType),
                        composite("inner", [attribute("c", .integer64AttributeType, defaultValue: NSNumber(value: 9))]),
                    ]),
                composite("none", [attribute("a", .stringAttributeType)]),
            ])
        try withStack(.sqlite, model: model([place])) { stack in
            let object = stack.context.make("Place")
            expectEqual(object.dictionary("own"), ["b": 3])
            #expect(object.value(forKey: "none") == nil)
            expectEqual(object.dictionary("parts"), ["a": "x", "inner": ["c": 9]])
            try stack.context.save()
            try inFreshContext(stack) {
                try expectEqual($0.all("Place").first?.dictionary("parts"), ["a": "x", "inner": ["c": 9]])
            }
        }
    }

    @Test("are inherited, and subentities have their own", arguments: StoreKind.everyKind)
    func subentities(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            let paris = try context.one("Place", "Paris")
            expectEqual(paris.dictionary("seat"), ["name": "Élysée", "rooms": 365])
            #expect(paris.value(forKeyPath: "location.city") as? String == "Paris")
            try expectEqual(context.names("Capital", "seat.rooms > 300"), ["Paris"])
        }
    }

    @Test("that are transient are never stored", arguments: StoreKind.everyKind)
    func transient(_ kind: StoreKind) throws {
        let cached = composite(
            "cached",
            [
                attribute("a", .stringAttributeType),
                attribute("b", .integer16AttributeType, defaultValue: NSNumber(value: 1)),
            ])
        cached.isTransient = true
        try withStack(kind, model: model([entity("Thing", [attribute("name", .stringAttributeType), cached])])) {
            stack in
            let thing = stack.context.make("Thing", "t", ["cached": ["a": "x"]])
            try stack.context.save()
            expectEqual(thing.dictionary("cached"), ["a": "x"])
            try inFreshContext(stack) { try #expect($0.one("Thing", "t").dictionary("cached")?["a"] == nil) }
        }
    }

    @Test("conflict as one value: the policy's side wins whole", arguments: StoreKind.everyKind)
    func merging(_ kind: StoreKind) throws {
        try withStack(kind, model: PlaceModel.make()) { stack in
            let place = stack.context.make("Place", "p", ["location": PlaceModel.location("Rome", 1)])
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                let same = try other.existingObject(with: place.objectID)
                same.setValue(["city": "Milan", "height": 1], forKey: "location")
                same.setValue("q", forKey: "name")
                try other.save()
            }
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            place.setValue(["city": "Rome", "height": 2], forKey: "location")
            try stack.context.save()
            expectEqual(place.dictionary("location"), ["city": "Rome", "height": 2])
            expectEqual(place.text("name"), "q")
            try inFreshContext(stack) {
                try expectEqual($0.one("Place", "q").dictionary("location"), ["city": "Rome", "height": 2])
            }
        }
    }
}
