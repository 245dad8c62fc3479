import CoreData
import Testing

@Suite("Fetches with composite attributes")
struct CompositeFetchTests {
    @Test("find objects by elements", arguments: StoreKind.allCases)
    func predicates(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            try expectEqual(context.names("Place", "location.city == 'Rome'"), ["Colosseum", "Forum"])
            try expectEqual(
                context.names("Place", "location.city BEGINSWITH[c] 'p' OR location.height > 4000"),
                [
                    "Paris", "Peak",
                ])
            try expectEqual(
                context.names("Place", "location.point.latitude BETWEEN {41.85, 50}"), ["Colosseum", "Paris"])
            try expectEqual(context.names("Place", "location.city.length == 4"), ["Colosseum", "Forum"])
            try expectEqual(context.names("Place", "location.city == nil"), ["Nowhere", "Peak"])
            try expectEqual(context.names("Country", "ANY places.location.city == 'Rome'"), ["Italy"])
            try expectEqual(context.names("Country", "places.@min.location.height < 20"), ["Italy"])
            try expectEqual(
                context.names("Country", "SUBQUERY(places, $p, $p.location.point.longitude < 3).@count == 1"),
                [
                    "France"
                ])
            try expectEqual(context.names("Place", "country.name == 'France' AND location.height != 35"), ["Peak"])
        }
    }

    @Test("find objects whose composite is nil, or not", arguments: StoreKind.allCases)
    func missing(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            try expectEqual(context.names("Place", "location == nil"), ["Nowhere"])
            try expectEqual(context.names("Place", "location != nil AND location.point == nil"), ["Peak"])
        }
    }

    @Test("find unsaved objects by the same rules", arguments: StoreKind.allCases)
    func unsaved(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            context.make("Place", "New", ["location": PlaceModel.location("Rome")])
            try context.one("Place", "Forum").setValue(PlaceModel.location("Milan"), forKey: "location")
            try expectEqual(context.names("Place", "location.city == 'Rome'"), ["Colosseum", "New"])
        }
    }

    @Test("sort by elements", arguments: StoreKind.allCases)
    func sorting(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            let sorted = try context.all(
                "Place", "location != nil", sort: [up("location.city"), down("location.point.longitude")])
            expectEqual(sorted.map { $0.text("name") }, ["Peak", "Paris", "Colosseum", "Forum"])
        }
    }

    @Test("give dictionaries of elements and of whole composites", arguments: StoreKind.allCases)
    func dictionaries(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            let request = dictionaryRequest(
                "Place", ["name", "location.city", "location", "location.point"],
                where: "name IN {'Colosseum', 'Nowhere'}", sort: [up("name")])
            let found = try context.fetch(request)
            try #require(found.count == 2)
            #expect(found[0]["location.city"] as? String == "Rome")
            expectEqual(
                (found[0]["location"] as? [String: Any]).map { $0 as NSDictionary },
                PlaceModel.location(
                    "Rome", 20, 41.9, 12.5) as NSDictionary)
            expectEqual(
                (found[0]["location.point"] as? [String: Any]).map { $0 as NSDictionary },
                [
                    "latitude": 41.9, "longitude": 12.5,
                ])
            expectEqual(Array(found[1].allKeys as! [String]), ["name"])
        }
    }

    @Test("group by elements", arguments: StoreKind.allCases.without(.ownDictionaries))
    func groups(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            let request = dictionaryRequest(
                "Place", ["location.city", column("most", "max:(location.height)", .integer32AttributeType)],
                where: "location.city != nil",
                group: ["location.city"], having: NSPredicate(format: "location.city != 'X'"),
                sort: [up("location.city")])
            try expectEqual(context.texts(request), ["location.city=Paris most=35", "location.city=Rome most=20"])
        }
    }

    @Test("tell composites apart as wholes", arguments: StoreKind.allCases)
    func distinct(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            for name in ["a", "b"] { context.make("Capital", name, ["seat": ["name": "Same", "rooms": 1]]) }
            context.make("Capital", "c", ["seat": ["name": "Same", "rooms": 2]])
            try context.save()
            let request = dictionaryRequest("Capital", ["seat"], where: "seat.name == 'Same'")
            request.returnsDistinctResults = true
            try expectEqual(context.fetch(request).count, 2)
        }
    }

    @Test(
        "of objects with some properties have the elements' values without firing",
        arguments: StoreKind.allCases.without(.ownEvaluation))
    func partialFaults(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Place")
            request.predicate = NSPredicate(format: "name == 'Forum'")
            request.propertiesToFetch = ["location.city"]
            let place = try requireValue(try context.fetch(request).first)
            expectTrue(place.isFault)
            #expect(place.value(forKeyPath: "location.city") as? String == "Rome")
            expectTrue(place.isFault)
            expectEqual(place.text("name"), "Forum")
            expectFalse(place.isFault)
        }
    }

    @Test(
        "refuse what no element is, and composites where a single value is needed",
        arguments: StoreKind.allCases.without(.ownEvaluation))
    func refused(_ kind: StoreKind) throws {
        try withPlaces(kind) { context in
            expectEqual(thrownError { _ = try context.all("Place", "location.town == 'Rome'") }?.code, 134060)
            expectEqual(thrownError { _ = try context.all("Place", sort: [up("location.point.x")]) }?.code, 134060)
            expectEqual(
                thrownError { _ = try context.fetch(dictionaryRequest("Place", ["location.town"])) }?.code, 134060)
        }
    }

    @Test("use an index on a composite's elements")
    func index() throws {
        let model = PlaceModel.make()
        let place = try requireValue(model.entitiesByName["Place"])
        let location = try requireValue(place.propertiesByName["location"])
        let path = NSExpressionDescription()
        path.name = "latitude"
        path.expression = NSExpression(forKeyPath: "location.point.latitude")
        path.expressionResultType = .doubleAttributeType
        place.indexes = [
            NSFetchIndexDescription(
                name: "whole", elements: [NSFetchIndexElementDescription(property: location, collationType: .binary)]),
            NSFetchIndexDescription(
                name: "part", elements: [NSFetchIndexElementDescription(property: path, collationType: .binary)]),
        ]
        try withStack(.sqlite, model: model) { stack in
            try PlaceModel.fill(stack.context)
            try inFreshContext(stack) { try expectEqual($0.names("Place", "location.city == 'Paris'"), ["Paris"]) }
        }
    }
}
