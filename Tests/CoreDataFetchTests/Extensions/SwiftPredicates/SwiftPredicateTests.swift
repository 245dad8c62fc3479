import CoreData
import Testing

@Suite("Swift predicates as predicates of the format language")
struct SwiftPredicateTests {
    @Test("a Swift predicate fetches, in a file that imports CoreData alone")
    func fetching() throws {
        try withStack(.sqlite, model: MusicModel.make()) { stack in
            try MusicModel.fill(stack.context)
            let request = NSFetchRequest<Song>(entityName: "Song")
            request.predicate = NSPredicate(#Predicate<Song> { $0.title == "beta" })
            try expectEqual(stack.context.fetch(request).map(\.title), ["beta"])
        }
    }

    @Test("an object and an object ID may be constants")
    func objects() throws {
        try withStack(.sqlite, model: MusicModel.make()) { stack in
            try MusicModel.fill(stack.context)
            let album = try requireValue(try stack.context.fetch(NSFetchRequest<Album>(entityName: "Album")).first)
            let request = NSFetchRequest<Song>(entityName: "Song")
            request.predicate = NSPredicate(format: "album == %@", album)
            let expected = try stack.context.fetch(request).map(\.title).sorted()
            request.predicate = NSPredicate(format: "album.name == %@", album.name ?? "")
            try expectEqual(stack.context.fetch(request).map(\.title).sorted(), expected)
        }
    }

    @Test("translations print as one would write them")
    func texts() {
        func text(_ predicate: Predicate<Song>) -> String? { NSPredicate(predicate)?.description }
        expectEqual(
            text(#Predicate { $0.title == "a" && $0.plays > 1 && $0.isLive }),
            #"title == "a" AND plays > 1 AND isLive == 1"#)
        expectEqual(text(#Predicate { $0.title.localizedStandardContains("a") }), #"title CONTAINS[cdl] "a""#)
        expectEqual(text(#Predicate { ($0.rating ?? 9) > 2 }), "TERNARY(rating != nil, rating, 9) > 2")
        expectEqual(
            text(#Predicate { $0.album?.songs.contains { $0.isLive } ?? false }),
            "album != nil AND SUBQUERY(album.songs, $x1, $x1.isLive == 1).@count > 0")
        expectEqual(text(#Predicate { (1...3).contains($0.plays) }), "plays BETWEEN {1, 3}")
        expectEqual(NSPredicate(Predicate<Song>.true)?.evaluate(with: nil), true)
    }

    @Test("what the format language can't express gives nil")
    func untranslatable() {
        expectEqual(NSPredicate(#Predicate<Song> { $0.titleAndSubtitle == "a" }), nil)
        expectEqual(NSPredicate(#Predicate<Song> { $0.marks == 1 }), nil)
        let title = "Alpha"
        expectEqual(NSPredicate(#Predicate<Song> { $0.title.localizedCompare(title).rawValue == 0 }), nil)
        expectEqual(NSPredicate(#Predicate<Song> { $0.labels.starts(with: ["l1"]) }), nil)
    }

    @Test("a Swift expression becomes an expression")
    func expressions() throws {
        let length = #Expression<Song, Int> { $0.title.count }
        let expression = try requireValue(NSExpression(length))
        expectEqual(expression.description, "length:(title)")
        expectEqual(NSExpression(#Expression<Song, Int64> { $0.plays * 2 + 1 })?.description, "(plays * 2) + 1")
        expectEqual(NSExpression(#Expression<Song, String?> { $0.album?.name })?.keyPath, "album.name")
        expectEqual(NSExpression(#Expression<Song, Int> { $0.marks }), nil)
    }

    @Test("comparisons of texts that Foundation lacks here evaluate")
    func supplied() throws {
        let same = ComparisonResult.orderedSame
        #expect(try #Predicate<String> { $0.localizedStandardContains("ARG") }.evaluate("Ärger"))
        #expect(try #Predicate<String> { $0.caseInsensitiveCompare("ABC") == same }.evaluate("abc"))
        #expect(try #Predicate<String> { $0.localizedCompare("abc") == same }.evaluate("abc"))
        #expect(try !#Predicate<String> { $0.localizedStandardContains("x") }.evaluate("Ärger"))
    }
}
