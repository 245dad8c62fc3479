import CoreData
import Testing

@Suite("Dictionary results: expressions")
struct DictionaryExpressionTests {
    @Test(
        "aggregates without grouping give one result for all rows",
        arguments: StoreKind.allCases.without(.ownDictionaries),
        [
            ("count:(SELF)", "6"), ("@count", "6"), ("count:(year)", "5"), ("count:(artist)", "5"),
            ("count:(@distinctUnionOfObjects.artist)", "2"),
            ("sum:(year)", "9866"), ("@sum.year", "9866"), ("min:(year)", "1965"), ("@max.year", "1979"),
            ("average:(year)", "1973.2"),
            ("average:(rating)", "4.25"), ("sum:(price)", "38.74"), ("max:(price)", "12"),
            ("min:(title)", "Abbey Road"), ("max:(artist.name)", "Beatles"),
            ("max:(songs.seconds)", "326"), ("sum:(songs.seconds)", "1314"), ("count:(songs)", "7"),
            ("sum:(songs.@count)", "7"),
            ("max:(songs.@count)", "3"), ("sum:(year) / count:(year)", "1973"), ("max:(year) - min:(year)", "14"),
            ("sum:(year * 2)", "19732"),
            ("max:(length:(title))", "11"),
        ])
    func aggregates(_ kind: StoreKind, _ example: (format: String, value: String)) throws {
        try withAlbums(kind) { context in
            try expectEqual(
                context.texts(dictionaryRequest("Album", [column("x", example.format)])), ["x=\(example.value)"],
                "\(example.format)")
        }
    }

    @Test(
        "sums and averages of texts are those of the numbers that the texts are, and those of dates are seconds",
        arguments: StoreKind.allCases.without(.ownDictionaries),
        [
            ("sum:(text)", NSAttributeType.undefinedAttributeType, "12.5"),
            ("average:(text)", .undefinedAttributeType, "6.25"), ("sum:(text)", .stringAttributeType, "12.5"),
            ("@sum.text", .doubleAttributeType, "12.5"), ("sum:(date)", .undefinedAttributeType, "300.0"),
            ("average:(date)", .undefinedAttributeType, "100.0"), ("average:(date)", .dateAttributeType, "@100.0"),
            ("sum:(date)", .doubleAttributeType, "300.0"),
        ])
    func textsAndDates(_ kind: StoreKind, _ example: (format: String, type: NSAttributeType, value: String)) throws {
        try withStack(kind, model: AlbumModel.make()) { stack in
            for (text, seconds) in [("10", 0.0), ("2.5", 100), (nil, 200)] {
                let scrap = stack.context.make("Scrap", nil)
                scrap.setValue(text, forKey: "text")
                scrap.setValue(Date(timeIntervalSinceReferenceDate: seconds), forKey: "date")
            }
            try stack.context.save()
            let request = dictionaryRequest("Scrap", [column("x", example.format, example.type)])
            try expectEqual(stack.context.texts(request), ["x=\(example.value)"])
        }
    }

    @Test("several aggregates stand in one result", arguments: StoreKind.allCases.without(.ownDictionaries))
    func several(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let columns = [
                column("albums", "count:(SELF)"), column("first", "min:(year)"), column("songs", "count:(songs)"),
            ]
            let request = dictionaryRequest("Album", columns, where: "artist.name == 'Abba'", sort: [up("title")])
            try expectEqual(context.texts(request), ["albums=2 first=1976 songs=3"])
            try expectEqual(context.count(for: request), 1)
        }
    }

    @Test(
        "over no rows a count and a sum are 0, and nothing else is there",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func noRows(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let columns = ["count", "sum", "min", "max", "average"].map { column($0, "\($0):(year)") }
            try expectEqual(context.texts(dictionaryRequest("Album", columns, where: "year > 3000")), ["count=0 sum=0"])
        }
    }

    @Test(
        "expressions of one row are values of each row", arguments: StoreKind.allCases.without(.ownDictionaries),
        [
            ("year + 1", "1977"), ("year * 2 - 1", "3951"), ("title", "Arrival"), ("uppercase:(title)", "ARRIVAL"),
            ("title.length", "7"),
            ("artist.name", "Abba"), ("songs.@count", "2"), ("TERNARY(year > 1970, 'new', 'old')", "new"), ("7", "7"),
            ("'seven'", "seven"),
            ("rating * 2", "9.0"), ("price + 1", "10.99"), ("count:(songs)", "2"), ("average:(songs.seconds)", "207.5"),
            ("SUBQUERY(songs, $s, $s.seconds > 200).@count", "1"), ("bitwiseAnd:with:(year, 7)", "0"),
            ("abs:(0 - year)", "1976"),
        ])
    func rows(_ kind: StoreKind, _ example: (format: String, value: String)) throws {
        try withAlbums(kind) { context in
            let request = dictionaryRequest(
                "Album", ["title", column("x", example.format)], where: "title == 'Arrival'")
            try expectEqual(context.texts(request), ["title=Arrival x=\(example.value)"], "\(example.format)")
        }
    }

    @Test("the evaluated object is given as its ID", arguments: StoreKind.allCases.without(.ownDictionaries))
    func identifiers(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let id = column("id", NSExpression.expressionForEvaluatedObject(), .objectIDAttributeType)
            let results = try context.fetch(
                dictionaryRequest(
                    "Album", [id, column("same", "objectID"), column("by", "artist")], sort: [up("title")]))
            let objects = try context.all("Album", sort: [up("title")])
            expectEqual(results.map { $0["id"] as? NSManagedObjectID }, objects.map(\.objectID))
            expectEqual(results.map { $0["same"] as? NSManagedObjectID }, objects.map(\.objectID))
            expectEqual(results.map { $0["by"] as? NSManagedObjectID }, objects.map { $0.object("artist")?.objectID })
            expectEqual(results.map { ($0["id"] as? NSManagedObjectID)?.entity.name }, objects.map(\.entity.name))
        }
    }

    @Test("the result type decides the type of the value", arguments: StoreKind.allCases.without(.ownDictionaries))
    func conversions(_ kind: StoreKind) throws {
        try withStack(kind, model: AlbumModel.make()) { stack in
            stack.context.make(
                "Scrap", nil,
                [
                    "long": 3, "real": 2.75, "exact": NSDecimalNumber(string: "1.5"),
                    "date": Date(timeIntervalSinceReferenceDate: 60), "text": "42",
                    "uuid": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!,
                ])
            try stack.context.save()
            let types: [(String, NSAttributeType, Any)] = [
                ("long", .integer16AttributeType, 3), ("long", .doubleAttributeType, 3.0),
                ("long", .stringAttributeType, "3"),
                ("long", .booleanAttributeType, true), ("long", .decimalAttributeType, NSDecimalNumber(value: 3)),
                ("long", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 3)),
                ("real", .integer64AttributeType, 2),
                ("real", .decimalAttributeType, NSDecimalNumber(string: "2.75")),
                ("real", .floatAttributeType, Float(2.75)),
                ("exact", .doubleAttributeType, 1.5), ("date", .integer32AttributeType, 60),
                ("date", .doubleAttributeType, 60.0),
                ("text", .integer64AttributeType, 42),
                ("uuid", .stringAttributeType, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
            ]
            for (key, type, expected) in types {
                let request = dictionaryRequest(
                    "Scrap", [column("x", key, type), column("max", "max:(\(key))", type)], group: [key])
                let result = try requireValue(stack.context.fetch(request).first)
                for name in ["x", "max"] where !(name == "x" && type == .undefinedAttributeType) {
                    let value = try requireValue(result[name], "\(key) as \(type)")
                    try #expect(
                        (value as? NSNumber).map { try $0.isEqual(to: requireValue(expected as? NSNumber)) }
                            ?? ("\(value)" == "\(expected)"), "\(key) as \(type): \(value)")
                    #expect(type != .decimalAttributeType || value is NSDecimalNumber)
                }
            }
        }
    }
}
