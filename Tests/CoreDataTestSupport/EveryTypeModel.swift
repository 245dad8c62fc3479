import CoreData

/// Items with an attribute of every type, nil and extreme values, in every kind of relationship: for copies of stores.
package enum EveryTypeModel {
    package static func make() -> NSManagedObjectModel {
        let item = entity("Item")
        let special = entity("SpecialItem")
        let group = entity("Group")
        let tag = entity("Tag")
        item.subentities = [special]
        let members = toMany("members", item, ordered: true)
        let owner = toOne("group", group)
        pair(members, owner)
        let tags = toMany("tags", tag)
        let tagged = toMany("items", item)
        pair(tags, tagged)
        let friends = toMany("friends", item)
        friends.inverseRelationship = friends
        let ranks = toMany("ranks", group, ordered: true)
        let ranked = toMany("ranked", item, ordered: true)
        pair(ranks, ranked)
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let point = composite(
            "point", [attribute("latitude", .doubleAttributeType), attribute("longitude", .doubleAttributeType)])
        let place = composite(
            "place", [attribute("city", .stringAttributeType), attribute("height", .integer16AttributeType), point])
        item.properties = [
            attribute("name", .stringAttributeType), attribute("short", .integer16AttributeType),
            attribute("int", .integer32AttributeType), attribute("long", .integer64AttributeType),
            attribute("flag", .booleanAttributeType), attribute("real", .doubleAttributeType),
            attribute("single", .floatAttributeType), attribute("exact", .decimalAttributeType),
            attribute("text", .stringAttributeType), attribute("date", .dateAttributeType),
            attribute("data", .binaryDataAttributeType), attribute("uuid", .UUIDAttributeType),
            attribute("link", .URIAttributeType), attribute("list", .transformableAttributeType), photo, place, owner,
            tags, friends, ranks, toOne("favourite", tag), toMany("wishes", item),
        ]
        special.properties = [attribute("extra", .stringAttributeType)]
        group.properties = [attribute("name", .stringAttributeType), members, ranked]
        tag.properties = [attribute("name", .stringAttributeType), tagged]
        return model([item, special, group, tag])
    }

    /// Items with values, without values, and with extreme values; a name occurs once.
    package static func fill(_ context: NSManagedObjectContext) throws {
        let link = URL(string: "https://example.org/?a=b&c=%20")
        let full = context.make(
            "Item", "full",
            [
                "short": -3, "int": 70_000, "long": 5_000_000_000, "flag": true, "real": 0.1, "single": Float(1.5),
                "exact": NSDecimalNumber(string: "12.345"), "text": "Grüße <&> \u{1F600}",
                "data": Data([1, 2, 0, 255]),
                "date": Date(timeIntervalSinceReferenceDate: 1.25), "uuid": UUID(), "list": ["a", "b"] as NSArray,
                "photo": Data(repeating: 9, count: 300_000),
                "place": ["city": "Rome", "height": 20, "point": ["latitude": 41.9, "longitude": 12.5]],
            ])
        full.setValue(link, forKey: "link")
        let empty = context.make("Item", "empty")
        let edge = context.make(
            "SpecialItem", "edge",
            [
                "short": Int16.min, "int": Int32.max, "long": Int64.max, "flag": false,
                "real": -Double.leastNonzeroMagnitude,
                "single": -Float.greatestFiniteMagnitude, "exact": NSDecimalNumber(string: "-0.001"), "text": "",
                "data": Data(), "date": Date(timeIntervalSinceReferenceDate: -12_345_678_901.5),
                "photo": Data(repeating: 1, count: 10), "place": ["point": ["longitude": -0.5]],
                "extra": "a\u{0}\r\n\t\u{1}b",
            ])
        let items = [edge, full, empty]
        let groups = ["first", "second", "none"].map { context.make("Group", $0) }
        groups[0].setValue(NSOrderedSet(array: items), forKey: "members")
        groups[0].setValue(NSOrderedSet(array: [full, edge]), forKey: "ranked")
        groups[1].setValue(NSOrderedSet(array: [edge, empty, full]), forKey: "ranked")
        let tags = ["red", "blue"].map { context.make("Tag", $0) }
        full.setValue(NSSet(array: tags), forKey: "tags")
        edge.setValue(NSSet(object: tags[1]), forKey: "tags")
        full.setValue(NSSet(array: [edge, full]), forKey: "friends")
        edge.setValue(tags[0], forKey: "favourite")
        empty.setValue(NSSet(array: [full, empty]), forKey: "wishes")
        try context.save()
    }

    /// The values and the names of the destinations of all objects, by entity and name, read from the store anew.
    package static func contents(_ context: NSManagedObjectContext) throws -> [String: NSDictionary] {
        context.reset()
        var contents: [String: NSDictionary] = [:]
        for name in ["Item", "Group", "Tag"] {
            for object in try context.all(name) {
                var values: [String: Any] = [:]
                for (key, property) in object.entity.propertiesByName {
                    guard let relationship = property as? NSRelationshipDescription else {
                        values[key] = object.value(forKey: key) ?? NSNull()
                        continue
                    }
                    values[key] =
                        relationship.isToMany ? object.names(key) : [object.object(key)?.text("name") ?? "none"]
                }
                contents["\(object.entity.name ?? "") \(object.text("name") ?? "")"] = values as NSDictionary
            }
        }
        return contents
    }

    /// The keys of all objects, by entity and name.
    package static func keys(_ context: NSManagedObjectContext) throws -> [String: String] {
        var keys: [String: String] = [:]
        for name in ["Item", "Group", "Tag"] {
            for object in try context.all(name) {
                keys["\(object.entity.name ?? "") \(object.text("name") ?? "")"] =
                    object.objectID.uriRepresentation().lastPathComponent
            }
        }
        return keys
    }
}
