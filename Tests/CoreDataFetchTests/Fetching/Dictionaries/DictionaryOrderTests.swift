import CoreData
import Testing

@Suite("Dictionary results: order, limits and distinct results")
struct DictionaryOrderTests {
    @Test(
        "results are sorted by fetched and other keys, and by names of expressions",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func sorting(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            func titles(_ sort: NSSortDescriptor...) throws -> String {
                let request = dictionaryRequest(
                    "Album", ["title", column("half", "year / 2")], where: "artist.name == 'Beatles'", sort: sort)
                return try context.fetch(request).map { $0["title"] as? String ?? "" }.joined(separator: ", ")
            }
            try expectEqual(titles(up("title")), "Abbey Road, Help!, Live")
            try expectEqual(titles(down("year")), "Live, Abbey Road, Help!")
            try expectEqual(titles(up("half")), "Help!, Abbey Road, Live")
            try expectEqual(titles(down("songs.@count"), up("title")), "Help!, Live, Abbey Road")
            try expectEqual(titles(up("artist.name"), down("rating")), "Abbey Road, Help!, Live")
            try expectEqual(
                titles(
                    NSSortDescriptor(
                        key: "title", ascending: false, selector: NSSelectorFromString("caseInsensitiveCompare:"))),
                "Live, Help!, Abbey Road")
            try expectEqual(titles(up("artist")), "Help!, Abbey Road, Live")
        }
    }

    @Test("limit and offset count results", arguments: StoreKind.allCases)
    func limits(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let request = dictionaryRequest("Album", ["year"], where: "year != nil", sort: [up("year")])
            request.fetchLimit = 2
            try expectEqual(context.texts(request), ["year=1965", "year=1969"])
            try expectEqual(context.count(for: request), 2)
            request.fetchOffset = 4
            try expectEqual(context.texts(request), ["year=1979"])
            try expectEqual(context.count(for: request), 1)
            request.fetchLimit = 0
            request.fetchOffset = 3
            try expectEqual(context.texts(request), ["year=1977", "year=1979"])
        }
    }

    @Test("equal results occur once if distinct ones are requested", arguments: StoreKind.allCases)
    func distinct(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let request = dictionaryRequest("Album", ["artist.name"], sort: [down("artist.name")])
            try expectEqual(context.fetch(request).count, 6)
            try expectEqual(context.count(for: request), 6)
            request.returnsDistinctResults = true
            try expectEqual(context.texts(request), ["artist.name=Beatles", "artist.name=Abba", ""])
            try expectEqual(context.count(for: request), 3)
            request.fetchLimit = 2
            try expectEqual(context.texts(request), ["artist.name=Beatles", "artist.name=Abba"])
            try expectEqual(context.count(for: request), 2)
            request.propertiesToFetch = ["artist"]
            request.fetchLimit = 0
            try expectEqual(context.texts(request), ["artist=Beatles", "artist=Abba", ""])
            request.sortDescriptors = nil
            try expectEqual(Set(context.texts(request)), ["artist=Beatles", "artist=Abba", ""])
        }
    }

    @Test("a count may count equal values once", arguments: StoreKind.allCases.without(.ownDictionaries))
    func distinctValues(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let columns: [Any] = [
                "album.artist.name", column("albums", "count:(@distinctUnionOfObjects.album)"),
                column("songs", "count:(album)"),
            ]
            try expectEqual(
                context.texts(dictionaryRequest("Song", columns, group: ["album.artist.name"])),
                [
                    "album.artist.name=Abba albums=2 songs=3", "album.artist.name=Beatles albums=2 songs=4",
                ])
        }
    }
}
