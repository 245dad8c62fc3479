import CoreData
import Testing

@Suite("Dictionary results: values")
struct DictionaryValueTests {
    @Test("dictionaries have the named attributes, and no key for nil", arguments: StoreKind.allCases)
    func attributes(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            try expectEqual(
                context.texts(dictionaryRequest("Album", ["title", "year"], sort: [up("title")])),
                [
                    "title=Abbey Road year=1969", "title=Arrival year=1976", "title=Help! year=1965",
                    "title=Live year=1977", "title=Unknown",
                    "title=Voulez-Vous year=1979",
                ])
        }
    }

    @Test("property descriptions stand for properties by their names", arguments: StoreKind.allCases)
    func descriptions(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let entity = try requireValue(NSEntityDescription.entity(forEntityName: "Album", in: context))
            let properties = try ["title", "artist"].map { try requireValue(entity.propertiesByName[$0]) }
            try expectEqual(
                context.texts(dictionaryRequest("Album", properties, where: "year > 1976", sort: [up("year")])),
                [
                    "artist=Beatles title=Live", "artist=Abba title=Voulez-Vous",
                ])
        }
    }

    @Test(
        "without propertiesToFetch all attributes are given, and no relationship",
        arguments: StoreKind.allCases.without(.ownDictionaries),
        [nil, []] as [[String]?])
    func allAttributes(_ kind: StoreKind, _ properties: [String]?) throws {
        try withAlbums(kind) { context in
            try expectEqual(
                context.texts(
                    dictionaryRequest(
                        "Album", properties, where: "title == 'Arrival' OR title == 'Live'", sort: [up("title")])),
                [
                    "price=9.99 rating=4.5 title=Arrival year=1976", "price=7.25 title=Live year=1977",
                ])
        }
    }

    @Test(
        "a to-one relationship is given as the ID of its object, of the object's own entity",
        arguments: StoreKind.allCases)
    func relationships(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let request = dictionaryRequest(
                "Song", ["album", "album.artist"], where: "title IN {'Boys', 'Help'}", sort: [up("title")])
            let ids = try context.fetch(request).map { try requireValue($0["album"] as? NSManagedObjectID) }
            try expectEqual(
                ids,
                [
                    context.all("Album", "title == 'Live'")[0].objectID,
                    context.all("Album", "title == 'Help!'")[0].objectID,
                ])
            expectEqual(ids.map(\.entity.name), ["LiveAlbum", "Album"])
            try expectEqual(
                context.texts(request), ["album=Live album.artist=Beatles", "album=Help! album.artist=Beatles"])
        }
    }

    @Test("a key path over to-one relationships is the key of its value", arguments: StoreKind.allCases)
    func paths(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            try expectEqual(
                context.texts(
                    dictionaryRequest(
                        "Song", ["title", "album.artist.name"], where: "seconds > 180", sort: [up("title")])),
                [
                    "album.artist.name=Abba title=Chiquitita", "album.artist.name=Abba title=Dancing Queen",
                    "album.artist.name=Abba title=Money",
                    "album.artist.name=Beatles title=Ticket",
                ])
            try expectEqual(
                context.texts(dictionaryRequest("Album", ["artist.country"], where: "title == 'Unknown'")), [""])
        }
    }

    @Test(
        "aggregates over a to-many relationship are values of each object",
        arguments: StoreKind.allCases.without(.ownDictionaries))
    func collections(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let properties: [Any] = [
                "title", "songs.@count", column("longest", "max:(songs.seconds)"),
                column("length", "songs.@sum.seconds"),
            ]
            try expectEqual(
                context.texts(
                    dictionaryRequest("Album", properties, where: "artist.name == 'Beatles'", sort: [up("title")])),
                [
                    "length=0 songs.@count=0 title=Abbey Road", "length=453 longest=190 songs.@count=3 title=Help!",
                    "length=120 longest=120 songs.@count=1 title=Live",
                ])
        }
    }

    @Test(
        "subentities are included by default, with their own attributes on demand",
        arguments: StoreKind.allCases)
    func subentities(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let request = dictionaryRequest("Album", ["title", "venue"], where: "year > 1976", sort: [up("title")])
            try expectEqual(context.texts(request), ["title=Live venue=Bowl", "title=Voulez-Vous"])
            request.includesSubentities = false
            try expectEqual(context.texts(request), ["title=Voulez-Vous"])
        }
    }

    @Test("values are of the types of their attributes", arguments: StoreKind.allCases)
    func types(_ kind: StoreKind) throws {
        try withStack(kind, model: AlbumModel.make()) { stack in
            let photo = Data(repeating: 7, count: 200_000)
            let uuid = UUID()
            stack.context.make(
                "Scrap", nil,
                [
                    "short": -3, "int": 70_000, "long": Int64.max, "flag": true, "real": 0.1, "single": Float(0.1),
                    "exact": NSDecimalNumber(string: "0.10"),
                    "text": "text", "date": Date(timeIntervalSinceReferenceDate: 1.5), "data": Data([1, 2]),
                    "uuid": uuid,
                    "link": URL(string: "http://a.b/c")!, "list": ["a", "b"], "photo": photo,
                ])
            try stack.context.save()
            try inFreshContext(stack) { context in
                let result = try requireValue(context.fetch(dictionaryRequest("Scrap", nil)).first as? [String: Any])
                #expect(result["short"] as? Int == -3)
                #expect(result["int"] as? Int == 70_000)
                #expect(result["long"] as? Int64 == .max)
                #expect(result["flag"] as? Bool == true)
                #expect(result["real"] as? Double == 0.1)
                #expect(result["single"] as? Float == 0.1)
                expectEqual((result["exact"] as? NSDecimalNumber)?.stringValue, "0.1")
                #expect(result["text"] as? String == "text")
                #expect(result["upper"] as? String == "TEXT")
                #expect(result["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1.5))
                #expect(result["data"] as? Data == Data([1, 2]))
                #expect(result["uuid"] as? UUID == uuid)
                #expect(result["link"] as? URL == URL(string: "http://a.b/c"))
                #expect(result["list"] as? [String] == ["a", "b"])
                #expect(result["photo"] as? Data == photo)
                #expect(result["note"] == nil)
                expectEqual(result.count, 15)
            }
        }
    }

    @Test("a request without a type of its results gives dictionaries too", arguments: StoreKind.allCases)
    func resultTypes(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Artist")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            request.sortDescriptors = [up("name")]
            let names = try context.fetch(request).map { ($0 as? [String: Any])?["name"] as? String }
            expectEqual(names, ["Abba", "Beatles", "Cher"])
        }
    }

    @Test("unsaved changes don't count for any request", arguments: StoreKind.allCases)
    func pendingChanges(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            try context.one("Artist", "Abba").setValue("Abbot", forKey: "name")
            context.delete(try context.one("Artist", "Cher"))
            context.make("Artist", "Dylan")
            let request = dictionaryRequest("Artist", ["name"], sort: [up("name")])
            expectTrue(request.includesPendingChanges)
            try expectEqual(context.texts(request), ["name=Abba", "name=Beatles", "name=Cher"])
            try expectEqual(context.count(for: request), 3)
        }
    }
}
