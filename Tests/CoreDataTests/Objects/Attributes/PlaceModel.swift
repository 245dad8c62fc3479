import CoreData

/// Places with a composite of every type and a composite inside, countries that they are in, and capitals.
enum PlaceModel {
    static func make() -> NSManagedObjectModel {
        let place = entity("Place")
        let capital = entity("Capital")
        let country = entity("Country")
        place.subentities = [capital]
        let places = toMany("places", place)
        let home = toOne("country", country)
        pair(places, home)
        place.properties = [
            attribute("name", .stringAttributeType), attribute("city", .stringAttributeType),
            composite(
                "location",
                [
                    attribute("city", .stringAttributeType), attribute("height", .integer16AttributeType),
                    composite(
                        "point",
                        [attribute("latitude", .doubleAttributeType), attribute("longitude", .doubleAttributeType)]),
                ]),
            composite(
                "facts",
                [
                    attribute("int32", .integer32AttributeType), attribute("int64", .integer64AttributeType),
                    attribute("flag", .booleanAttributeType),
                    attribute("single", .floatAttributeType), attribute("exact", .decimalAttributeType),
                    attribute("date", .dateAttributeType),
                    attribute("data", .binaryDataAttributeType), attribute("uuid", .UUIDAttributeType),
                    attribute("link", .URIAttributeType),
                    attribute("list", .transformableAttributeType),
                ]),
            home,
        ]
        capital.properties = [
            composite("seat", [attribute("name", .stringAttributeType), attribute("rooms", .integer32AttributeType)])
        ]
        country.properties = [attribute("name", .stringAttributeType), places]
        return model([place, capital, country])
    }

    static func location(_ city: String?, _ height: Int? = nil, _ latitude: Double? = nil, _ longitude: Double? = nil)
        -> [String: Any]
    {
        var point: [String: Any] = [:]
        var location: [String: Any] = [:]
        point["latitude"] = latitude
        point["longitude"] = longitude
        location["city"] = city
        location["height"] = height
        if !point.isEmpty { location["point"] = point }
        return location
    }

    /// Five places; the last has no location, the one before it no city.
    static func fill(_ context: NSManagedObjectContext) throws {
        let italy = context.make("Country", "Italy")
        let france = context.make("Country", "France")
        context.make("Place", "Colosseum", ["location": location("Rome", 20, 41.9, 12.5), "country": italy])
        context.make("Place", "Forum", ["location": location("Rome", 15, 41.8, 12.4), "country": italy])
        context.make(
            "Capital", "Paris",
            [
                "location": location("Paris", 35, 48.9, 2.3), "country": france,
                "seat": ["name": "Élysée", "rooms": 365],
            ])
        context.make("Place", "Peak", ["location": location(nil, 4810), "country": france])
        context.make("Place", "Nowhere")
        try context.save()
    }
}

/// Runs a test on a fresh stack with the places in it, in a context that has fetched nothing yet.
func withPlaces(_ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void) throws {
    try withStack(kind, model: PlaceModel.make()) { stack in
        try PlaceModel.fill(stack.context)
        try inFreshContext(stack, body)
    }
}

extension NSManagedObject {
    func dictionary(_ key: String) -> NSDictionary? {
        (value(forKey: key) as? [String: Any]).map { $0 as NSDictionary }
    }
}
