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
        let error = try #require(found)
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
        #expect(error.localizedDescription.contains(example.part), "\(error.localizedDescription)")
        #expect(error.localizedDescription.contains(example.key), "\(error.localizedDescription)")
    }

    @Test(
        "transient properties, and values that are no names, are refused",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func others(_ kind: StoreKind) throws {
        try #expect(error(kind, dictionaryRequest("Scrap", ["note"])).localizedDescription.contains("transient"))
        try #expect(error(kind, dictionaryRequest("Album", [7])).localizedDescription.contains("Int"))
        try #expect(error(kind, dictionaryRequest("Album", [""])).localizedDescription.contains("empty name"))
        try #expect(
            error(kind, dictionaryRequest("Album", [NSExpressionDescription()])).localizedDescription.contains(
                "without a name"))
        try #expect(
            error(kind, dictionaryRequest("Album", [column("x", "year"), column("x", "title")])).localizedDescription
                .contains("'x'"))
    }

    @Test(
        "a property that is neither grouped nor an aggregate is named",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func ungrouped(_ kind: StoreKind) throws {
        let count = column("n", "count:(SELF)")
        let columns = try error(
            kind, dictionaryRequest("Album", ["artist.name", "title", count], group: ["artist.name"]))
        #expect(
            columns.localizedDescription.contains(
                """
                SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP \
                BY or aggregate functions
                """
            ))
        #expect(columns.localizedDescription.contains("'title'"))
        let inside = try error(
            kind, dictionaryRequest("Album", [column("x", "year + max:(year)")], group: ["artist.name"]))
        #expect(inside.localizedDescription.contains("'year' (in 'x')"), "\(inside.localizedDescription)")
        let having = try error(
            kind, dictionaryRequest("Album", [count], group: ["artist.name"], having: NSPredicate(format: "year > 3")))
        #expect(having.localizedDescription.contains("havingPredicate"))
        let sort = try error(kind, dictionaryRequest("Album", [count], group: ["artist.name"], sort: [up("year")]))
        #expect(sort.localizedDescription.contains("'year'"))
        let whole = try error(kind, dictionaryRequest("Album", ["title", count]))
        #expect(whole.localizedDescription.contains("'title'"))
        #expect(whole.localizedDescription.contains("propertiesToGroupBy"))
    }

    @Test("groups need dictionaries, and having needs groups", arguments: StoreKind.allCases.without(.ownDictionaries))
    func combinations(_ kind: StoreKind) throws {
        let having = try error(kind, dictionaryRequest("Album", ["title"], having: NSPredicate(format: "title == 'a'")))
        #expect(having.localizedDescription.contains("HAVING with no GROUP BY"))
        try withAlbums(kind) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
            request.propertiesToGroupBy = ["title"]
            let grouped = try #require(thrownError { _ = try context.fetch(request) })
            expectEqual(grouped.code, 134060)
            #expect(grouped.localizedDescription.contains("GROUP BY requires NSDictionaryResultType"))
            request.propertiesToGroupBy = nil
            request.havingPredicate = NSPredicate(format: "title == 'a'")
            try #expect(
                #require(thrownError { _ = try context.fetch(request) }).localizedDescription.contains("HAVING"))
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
        #expect(error.localizedDescription.contains(example.part), "\(error.localizedDescription)")
    }

    @Test("data can't be added", arguments: StoreKind.allCases.without(.ownDictionaries))
    func sumOfData(_ kind: StoreKind) throws {
        let error = try error(kind, dictionaryRequest("Scrap", [column("x", "sum:(data)")]))
        #expect(error.localizedDescription.contains("no numbers"))
    }

    @Test(
        "a result type that the values can't have is refused", arguments: StoreKind.allCases.without(.ownDictionaries))
    func types(_ kind: StoreKind) throws {
        try #expect(
            error(kind, dictionaryRequest("Album", [column("x", "artist", .stringAttributeType)])).localizedDescription
                .contains("'x'"))
        try #expect(
            error(kind, dictionaryRequest("Album", [column("x", "title", .objectIDAttributeType)])).localizedDescription
                .contains("'x'"))
    }

    @Test("data in external files doesn't distinguish results", arguments: StoreKind.allCases.without(.ownDictionaries))
    func externalData(_ kind: StoreKind) throws {
        try #expect(
            error(kind, dictionaryRequest("Scrap", [column("n", "count:(SELF)")], group: ["photo"]))
                .localizedDescription.contains("'photo'"))
        let request = dictionaryRequest("Scrap", ["photo"])
        request.returnsDistinctResults = true
        try #expect(error(kind, request).localizedDescription.contains("'photo'"))
    }
}
