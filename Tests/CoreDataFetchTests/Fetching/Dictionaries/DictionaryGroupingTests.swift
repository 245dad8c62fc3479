import CoreData
import Testing

@Suite("Dictionary results: groups")
struct DictionaryGroupingTests {
    @Test(
        "one result for each group, in order of the group's key",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func groups(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let columns: [Any] = [
                "artist.name", column("albums", "count:(title)"), column("last", "max:(year)"),
                column("stars", "average:(rating)"),
            ]
            let request = dictionaryRequest("Album", columns, group: ["artist.name"])
            try expectEqual(
                context.texts(request),
                [
                    "albums=1", "albums=2 artist.name=Abba last=1979 stars=4.0",
                    "albums=3 artist.name=Beatles last=1977 stars=4.5",
                ])
            try expectEqual(context.count(for: request), 3)
        }
    }

    @Test(
        "groups of relationships, of expressions and of several keys",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func keys(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let count = column("n", "count:(SELF)")
            try expectEqual(
                context.texts(
                    dictionaryRequest("Album", ["artist", count], where: "artist != nil", group: ["artist"])),
                [
                    "artist=Abba n=2", "artist=Beatles n=3",
                ])
            let decade = column("decade", "(year / 10) * 10")
            try expectEqual(
                context.texts(dictionaryRequest("Album", [decade, count], where: "year != nil", group: [decade])),
                [
                    "decade=1960 n=2", "decade=1970 n=3",
                ])
            try expectEqual(
                context.texts(dictionaryRequest("Album", [decade, count], where: "year != nil", group: ["decade"])),
                [
                    "decade=1960 n=2", "decade=1970 n=3",
                ])
            try expectEqual(
                context.texts(
                    dictionaryRequest(
                        "Album", ["artist.name", decade, count], where: "year != nil", group: ["artist.name", "decade"])
                ),
                [
                    "artist.name=Abba decade=1970 n=2", "artist.name=Beatles decade=1960 n=2",
                    "artist.name=Beatles decade=1970 n=1",
                ])
            let entity = try requireValue(NSEntityDescription.entity(forEntityName: "Song", in: context))
            try expectEqual(
                context.texts(
                    dictionaryRequest(
                        "Song", ["album", count], group: [try requireValue(entity.propertiesByName["album"])])),
                [
                    "album=Arrival n=2", "album=Voulez-Vous n=1", "album=Help! n=3", "album=Live n=1",
                ])
        }
    }

    @Test(
        "a group need not be among the properties to fetch, and its keys may be part of expressions",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func hiddenKeys(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            try expectEqual(
                context.texts(dictionaryRequest("Album", [column("n", "count:(SELF)")], group: ["artist.name"])),
                [
                    "n=1", "n=2", "n=3",
                ])
            let next = column("next", "year + count:(SELF)")
            try expectEqual(
                context.texts(dictionaryRequest("Album", [next], where: "artist.name == 'Abba'", group: ["year"])),
                [
                    "next=1977", "next=1980",
                ])
        }
    }

    @Test(
        "aggregates over a to-many relationship gather the objects of all rows of a group",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func collections(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let columns: [Any] = [
                "artist.name", column("songs", "count:(songs)"), column("same", "songs.@count"),
                column("seconds", "sum:(songs.seconds)"),
                column("shortest", "min:(songs.seconds)"), column("most", "max:(songs.@count)"),
            ]
            try expectEqual(
                context.texts(dictionaryRequest("Album", columns, where: "artist != nil", group: ["artist.name"])),
                [
                    "artist.name=Abba most=2 same=3 seconds=741 shortest=185 songs=3",
                    "artist.name=Beatles most=3 same=4 seconds=573 shortest=120 songs=4",
                ])
        }
    }

    @Test(
        "having selects groups: by aggregates, keys, and names of columns",
        arguments: StoreKind.allCases.without(.ownDictionaries),
        [
            ("$n > 1", "Abba Beatles"), ("n > 2", "Beatles"), ("count:(SELF) == 2", "Abba"), ("@count < 3", "Abba"),
            ("max:(year) > 1978", "Abba"),
            ("artist.name BEGINSWITH 'B'", "Beatles"), ("n > 1 AND NOT (sum:(price) > 19)", "Abba"),
            ("$first + 1 == 1966", "Beatles"),
            ("count:(songs) == 4", "Beatles"), ("n == 99", ""), ("first IN {1965, 1976}", "Abba Beatles"),
        ])
    func having(_ kind: StoreKind, _ example: (format: String, names: String)) throws {
        try withAlbums(kind) { context in
            let columns: [Any] = ["artist.name", column("n", "count:(SELF)"), column("first", "min:(year)")]
            let request = dictionaryRequest(
                "Album", columns, where: "artist != nil", group: ["artist.name"],
                having: NSPredicate(format: example.format))
            let names = try context.fetch(request).map { $0["artist.name"] as? String ?? "" }.joined(separator: " ")
            expectEqual(names, example.names, "\(example.format)")
            try expectEqual(context.count(for: request), example.names.split(separator: " ").count)
        }
    }

    @Test(
        "a variable expression in having is the column of that name",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func variableExpression(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let having = NSPredicate(format: "%@ > 2", NSExpression(forVariable: "count"))
            let columns: [Any] = [
                "artist.name",
                column(
                    "count", NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")]),
                    .integer32AttributeType),
            ]
            try expectEqual(
                context.texts(dictionaryRequest("Album", columns, group: ["artist.name"], having: having)),
                [
                    "artist.name=Beatles count=3"
                ])
        }
    }

    @Test("objects may stand in having", arguments: StoreKind.allCases.without(.ownDictionaries))
    func objects(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let abba = try context.one("Artist", "Abba")
            let request = dictionaryRequest(
                "Album", ["artist"], group: ["artist"], having: NSPredicate(format: "artist == %@", abba))
            try expectEqual(context.texts(request), ["artist=Abba"])
        }
    }

    @Test(
        "groups are sorted by their keys, by aggregates and by names, then limited",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func order(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            func names(_ sort: [NSSortDescriptor], limit: Int = 0, offset: Int = 0) throws -> String {
                let columns: [Any] = ["artist.name", column("n", "count:(SELF)"), column("year", "min:(year)")]
                let request = dictionaryRequest("Album", columns, group: ["artist.name"], sort: sort)
                (request.fetchLimit, request.fetchOffset) = (limit, offset)
                let results = try context.fetch(request).map { $0["artist.name"] as? String ?? "-" }
                try expectEqual(context.count(for: request), results.count)
                return results.joined(separator: " ")
            }
            try expectEqual(names([down("artist.name")]), "Beatles Abba -")
            try expectEqual(names([down("n")]), "Beatles Abba -")
            try expectEqual(names([up("year"), up("n")]), "- Beatles Abba")
            try expectEqual(names([down("songs.@count")]), "Beatles Abba -")
            try expectEqual(names([down("n")], limit: 2), "Beatles Abba")
            try expectEqual(names([down("n")], limit: 1, offset: 1), "Abba")
            try expectEqual(names([down("n")], offset: 2), "-")
        }
    }

    @Test("groups of no rows are none", arguments: StoreKind.allCases.without(.ownDictionaries))
    func noRows(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let request = dictionaryRequest(
                "Album", [column("n", "count:(SELF)")], where: "year > 3000", group: ["artist"])
            try expectEqual(context.texts(request), [])
            try expectEqual(context.count(for: request), 0)
        }
    }
}
