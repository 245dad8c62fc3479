import CoreData
import Testing

@Suite("Dictionary results: requests that are refused")
struct DictionaryErrorTests {
    private func error(_ kind: StoreKind, _ request: NSFetchRequest<NSDictionary>) throws -> NSError {
        var found: NSError?
        try withAlbums(kind) { context in
            found = thrownError { _ = try context.fetch(request) }
            #expect(thrownError { _ = try context.count(for: request) } != nil)
        }
        let error = try requireValue(found)
        expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
        expectEqual(error.code, 134060, "\(error)")
        return error
    }

    @Test(
        "keys without a value in the store are named", arguments: StoreKind.allCases.without(.ownDictionaries),
        [
            ("colour", "no property 'colour'"), ("artist.colour", "no property 'colour'"), ("songs", "to-many"),
            ("artist.albums", "to-many"),
            ("songs.title", "to-many"), ("artist.albums.songs.@count", "right behind"), ("title.colour", "no 'colour'"),
            ("songs.@median.seconds", "no single value"),
        ])
    func keys(_ kind: StoreKind, _ example: (key: String, part: String)) throws {
        let error = try error(kind, dictionaryRequest("Album", [example.key]))
        expectContains(error.localizedDescription, example.part, "\(error.localizedDescription)")
        expectContains(error.localizedDescription, example.key, "\(error.localizedDescription)")
    }

    @Test(
        "transient properties, and values that are no names, are refused",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func others(_ kind: StoreKind) throws {
        try expectContains(error(kind, dictionaryRequest("Scrap", ["note"])).localizedDescription, "transient")
        try expectContains(error(kind, dictionaryRequest("Album", [7])).localizedDescription, "Int")
        try expectContains(error(kind, dictionaryRequest("Album", [""])).localizedDescription, "empty name")
        try expectContains(
            error(kind, dictionaryRequest("Album", [NSExpressionDescription()])).localizedDescription, "without a name")
        try expectContains(
            error(kind, dictionaryRequest("Album", [column("x", "year"), column("x", "title")])).localizedDescription,
            "'x'")
    }

    @Test(
        "a property that is neither grouped nor an aggregate is named",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func ungrouped(_ kind: StoreKind) throws {
        let count = column("n", "count:(SELF)")
        let columns = try error(
            kind, dictionaryRequest("Album", ["artist.name", "title", count], group: ["artist.name"]))
        expectContains(
            columns.localizedDescription,
            """
            SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP \
            BY or aggregate functions
            """)
        expectContains(columns.localizedDescription, "'title'")
        let inside = try error(
            kind, dictionaryRequest("Album", [column("x", "year + max:(year)")], group: ["artist.name"]))
        expectContains(inside.localizedDescription, "'year' (in 'x')", "\(inside.localizedDescription)")
        let having = try error(
            kind, dictionaryRequest("Album", [count], group: ["artist.name"], having: NSPredicate(format: "year > 3")))
        expectContains(having.localizedDescription, "havingPredicate")
        let sort = try error(kind, dictionaryRequest("Album", [count], group: ["artist.name"], sort: [up("year")]))
        expectContains(sort.localizedDescription, "'year'")
        let whole = try error(kind, dictionaryRequest("Album", ["title", count]))
        expectContains(whole.localizedDescription, "'title'")
        expectContains(whole.localizedDescription, "propertiesToGroupBy")
    }

    @Test("groups need dictionaries, and having needs groups", arguments: StoreKind.allCases.without(.ownDictionaries))
    func combinations(_ kind: StoreKind) throws {
        let having = try error(kind, dictionaryRequest("Album", ["title"], having: NSPredicate(format: "title == 'a'")))
        expectContains(having.localizedDescription, "HAVING with no GROUP BY")
        try withAlbums(kind) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
            request.propertiesToGroupBy = ["title"]
            let grouped = try requireValue(thrownError { _ = try context.fetch(request) })
            expectEqual(grouped.code, 134060)
            expectContains(grouped.localizedDescription, "GROUP BY requires NSDictionaryResultType")
            request.propertiesToGroupBy = nil
            request.havingPredicate = NSPredicate(format: "title == 'a'")
            try expectContains(
                #require(thrownError { _ = try context.fetch(request) }).localizedDescription, "HAVING")
        }
    }

    @Test(
        "aggregates need values that can be gathered", arguments: StoreKind.allCases.without(.ownDictionaries),
        [
            ("sum:(artist)", "no numbers"), ("max:(artist)", "no order"),
            ("max:(count:(year))", "aggregate of an aggregate"), ("sum:(songs.title)", "no numbers"),
            ("title + 1", "no number"), ("mode:(year)", "list of values"), ("max:(colour)", "no property 'colour'"),
            ("$x", "$x"),
        ])
    func expressions(_ kind: StoreKind, _ example: (format: String, part: String)) throws {
        let error = try error(kind, dictionaryRequest("Album", [column("x", example.format)]))
        expectContains(error.localizedDescription, example.part, "\(error.localizedDescription)")
    }

    @Test("data can't be added", arguments: StoreKind.allCases.without(.ownDictionaries))
    func sumOfData(_ kind: StoreKind) throws {
        let error = try error(kind, dictionaryRequest("Scrap", [column("x", "sum:(data)")]))
        expectContains(error.localizedDescription, "no numbers")
    }

    @Test(
        "a result type that the values can't have is refused", arguments: StoreKind.allCases.without(.ownDictionaries))
    func types(_ kind: StoreKind) throws {
        try expectContains(
            error(kind, dictionaryRequest("Album", [column("x", "artist", .stringAttributeType)])).localizedDescription,
            "'x'")
        try expectContains(
            error(kind, dictionaryRequest("Album", [column("x", "title", .objectIDAttributeType)]))
                .localizedDescription, "'x'")
    }

    @Test("data in external files doesn't distinguish results", arguments: StoreKind.allCases.without(.ownDictionaries))
    func externalData(_ kind: StoreKind) throws {
        try expectContains(
            error(kind, dictionaryRequest("Scrap", [column("n", "count:(SELF)")], group: ["photo"]))
                .localizedDescription, "'photo'")
        let request = dictionaryRequest("Scrap", ["photo"])
        request.returnsDistinctResults = true
        try expectContains(error(kind, request).localizedDescription, "'photo'")
    }
}
