import CoreData
import Testing

/// Each predicate in Swift gives the same objects as its format, by SQL, in memory, and where Swift evaluates it
/// itself.
@Suite("Swift predicates and formats")
struct SwiftPredicateTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let format: String
        let predicate: Predicate<Song>
        /// Whether SQL can express it: it knows nothing of what is in a transformable value.
        let isSQL: Bool

        init(_ format: String, isSQL: Bool = true, _ predicate: Predicate<Song>) {
            self.format = format
            self.predicate = predicate
            self.isSQL = isSQL
        }

        var testDescription: String { format }
    }

    @Test("the same objects", arguments: rows.sampled(50))
    func same(_ row: Row) throws {
        let predicate = try requireValue(NSPredicate(row.predicate), "no translation of \(row.predicate)")
        for kind in StoreKind.allCases {
            try withStack(kind, model: MusicModel.make()) { stack in
                try MusicModel.fill(stack.context)
                let all = try stack.context.fetch(NSFetchRequest<Song>(entityName: "Song"))
                let bySwift = try all.filter { try row.predicate.evaluate($0) }.map(\.title).sorted()
                let inMemory = all.filter { predicate.evaluate(with: $0) }.map(\.title).sorted()
                let byFormat = all.filter { NSPredicate(format: row.format).evaluate(with: $0) }.map(\.title).sorted()
                expectEqual(inMemory, bySwift, "\(predicate.description)")
                expectEqual(byFormat, bySwift, "\(row.format)")
                let read = NSPredicate(format: predicate.description)
                expectEqual(
                    all.filter { read.evaluate(with: $0) }.map(\.title).sorted(), bySwift,
                    "read back: \(read.description)")
                #expect(!bySwift.isEmpty, "a predicate that holds for all or nothing tells little")
                #expect(bySwift.count < all.count, "a predicate that holds for all or nothing tells little")
                guard row.isSQL || kind == .memory else { return }
                let request = NSFetchRequest<Song>(entityName: "Song")
                request.predicate = predicate
                let byStore = try stack.context.fetch(request).map(\.title).sorted()
                expectEqual(byStore, bySwift, "\(kind): \(predicate.description)")
            }
        }
    }

    static let wanted = ["beta", "Zeta"]
    static let wantedRatings: [Int16?] = [1, nil]
    static let wantedMoods: Set<Song.Mood> = [.wild]
    static let years: ClosedRange<Int16> = 1995...2005
    static let few = 1..<10
    static let date = Date(timeIntervalSinceReferenceDate: 4000)
    static let identifier = UUID(uuidString: "00000000-0000-0000-0000-000000000003")!

    static var rows: [Row] { comparisons + texts + nils + relationships + logic + calculations + members }

    static var comparisons: [Row] {
        let title = "beta"
        let date = date
        let identifier = identifier
        let price = Decimal(2)
        let mood = Song.Mood.wild
        return [
            Row("title == 'beta'", #Predicate { $0.title == "beta" }),
            Row("title == 'beta'", #Predicate { $0.title == title }),
            Row("title != 'beta'", #Predicate { $0.title != title }),
            Row("'beta' == title", #Predicate { "beta" == $0.title }),
            Row("plays > 9", #Predicate { $0.plays > 9 }),
            Row("plays >= 9", #Predicate { $0.plays >= 9 }),
            Row("plays < 9", #Predicate { $0.plays < 9 }),
            Row("plays <= 9", #Predicate { $0.plays <= 9 }),
            Row("duration < 100.5", #Predicate { $0.duration < 100.5 }),
            Row("isLive == YES", #Predicate { $0.isLive }),
            Row("isLive == NO", #Predicate { !$0.isLive }),
            Row("isLive == YES", #Predicate { $0.isLive == true }),
            Row("isLive != YES", #Predicate { $0.isLive != true }),
            Row("added > CAST(4000, 'NSDate')", #Predicate { $0.added > date }),
            Row(
                "identifier == CAST('00000000-0000-0000-0000-000000000003', 'NSUUID')",
                #Predicate { $0.identifier == identifier }),
            Row("price == 2", #Predicate { $0.price == price }),
            Row("mood == 2", #Predicate { $0.mood == mood }),
            Row("mood == 2", #Predicate { $0.mood.rawValue == 2 }),
            Row("added > CAST(4000, 'NSDate')", #Predicate { $0.added.timeIntervalSinceReferenceDate > 4000 }),
        ]
    }

    static var texts: [Row] {
        let same = ComparisonResult.orderedSame
        let ascending = ComparisonResult.orderedAscending
        return [
            Row("title CONTAINS 'amm'", #Predicate { $0.title.contains("amm") }),
            Row("title BEGINSWITH 'Old'", #Predicate { $0.title.starts(with: "Old") }),
            Row("title CONTAINS[cd] 'ALPHA'", #Predicate { $0.title.localizedStandardContains("ALPHA") }),
            Row("title CONTAINS[cd] 'arg'", #Predicate { $0.title.localizedStandardContains("ärg") }),
            Row("title ==[c] 'GAMMA'", #Predicate { $0.title.caseInsensitiveCompare("GAMMA") == same }),
            Row("title <[c] 'C'", #Predicate { $0.title.caseInsensitiveCompare("C") == ascending }),
            Row("NOT title ==[c] 'GAMMA'", #Predicate { $0.title.caseInsensitiveCompare("GAMMA") != same }),
            Row("title == ''", #Predicate { $0.title.isEmpty }),
            Row("title != ''", #Predicate { !$0.title.isEmpty }),
            Row("title == ''", #Predicate { $0.title.isEmpty == true }),
            Row("length:(title) == 5", #Predicate { $0.title.count == 5 }),
            Row("title MATCHES '.*[0-9]+.*'", #Predicate { $0.title.contains(#/[0-9]+/#) }),
            Row("title > 'Zeta'", #Predicate { $0.title > "Zeta" }),
        ]
    }

    static var nils: [Row] {
        let missing: String? = nil
        let rating: Int16? = 1
        return [
            Row("subtitle == nil", #Predicate { $0.subtitle == nil }),
            Row("subtitle != nil", #Predicate { $0.subtitle != nil }),
            Row("subtitle == nil", #Predicate { $0.subtitle == missing }),
            Row("rating == 1", #Predicate { $0.rating == rating }),
            Row("rating == 3", #Predicate { $0.rating == 3 }),
            Row("TERNARY(rating != nil, rating, 9) > 2", #Predicate { ($0.rating ?? 9) > 2 }),
            Row("rating > 2", #Predicate { $0.rating.flatMap { $0 > 2 } ?? false }),
            Row("rating == nil OR rating > 2", #Predicate { $0.rating.flatMap { $0 > 2 } ?? true }),
            Row("rating != nil AND rating != 2", #Predicate { $0.rating.flatMap { $0 != 2 } == true }),
            Row(
                "subtitle != nil AND NOT subtitle CONTAINS 'Part'",
                #Predicate { $0.subtitle?.contains("Part") == false }),
            Row("subtitle BEGINSWITH 'Part'", #Predicate { $0.subtitle?.starts(with: "Part") ?? false }),
            Row("length:(subtitle) == 0", #Predicate { $0.subtitle?.count == 0 }),
            Row("subtitle == nil OR subtitle == ''", #Predicate { $0.subtitle?.isEmpty ?? true }),
            Row("rating == 1", #Predicate { $0.rating != nil && $0.rating! == 1 }),
            Row("subtitle CONTAINS[cd] 'PART'", #Predicate { $0.subtitle?.localizedStandardContains("PART") ?? false }),
        ]
    }

    static var relationships: [Row] {
        [
            Row("album == nil", #Predicate { $0.album == nil }),
            Row("album.name == 'Album 1'", #Predicate { $0.album?.name == "Album 1" }),
            Row(
                "album != nil AND album.name == 'Album 1'",
                #Predicate { $0.album.flatMap { $0.name == "Album 1" } ?? false }),
            Row("album.year > 1995", #Predicate { ($0.album?.year ?? 0) > 1995 }),
            Row("album.artist.name == 'Ada'", #Predicate { $0.album?.artist.name == "Ada" }),
            Row("album.artist.genre == nil", #Predicate { $0.album?.artist.genre == nil }),
            Row("album != nil AND album.songs.@count == 3", #Predicate { $0.album?.songs.count == 3 }),
            Row(
                "album == nil OR album.songs.@count == 2",
                #Predicate { $0.album == nil || $0.album!.songs.count == 2 }),
            Row(
                "SUBQUERY(album.songs, $s, $s.plays > 50).@count > 0",
                #Predicate { $0.album?.songs.contains { $0.plays > 50 } ?? false }),
            Row(
                "album != nil AND SUBQUERY(album.songs, $s, NOT $s.plays < 50).@count == 0",
                #Predicate { $0.album?.songs.allSatisfy { $0.plays < 50 } ?? false }),
            Row(
                "SUBQUERY(album.songs, $s, $s.isLive == YES).@count == 2",
                #Predicate { $0.album?.songs.filter { $0.isLive }.count == 2 }),
            Row(
                "SUBQUERY(album.songs, $s, $s.isLive == YES AND $s.plays > 30).@count > 0",
                #Predicate { $0.album?.songs.filter { $0.isLive }.contains { $0.plays > 30 } ?? false }),
            Row(
                "ANY album.songs.title == 'beta'",
                #Predicate { $0.album?.songs.contains { $0.title == "beta" } ?? false }),
            Row(
                "SUBQUERY(album.artist.albums, $a, $a.year > 2010).@count > 0",
                #Predicate { $0.album?.artist.albums.contains { $0.year > 2010 } ?? false }),
        ]
    }

    static var logic: [Row] {
        [
            Row("title == 'beta' AND plays == 1", #Predicate { $0.title == "beta" && $0.plays == 1 }),
            Row("title == 'beta' OR plays > 50", #Predicate { $0.title == "beta" || $0.plays > 50 }),
            Row("NOT (title == 'beta' OR plays > 50)", #Predicate { !($0.title == "beta" || $0.plays > 50) }),
            Row(
                "plays > 1 AND plays < 50 AND isLive == YES",
                #Predicate { $0.plays > 1 && $0.plays < 50 && $0.isLive }),
            Row(
                "(isLive == YES AND plays > 10) OR (isLive == NO AND plays < 10)",
                #Predicate { $0.isLive ? $0.plays > 10 : $0.plays < 10 }),
            Row("TERNARY(isLive == YES, plays, 0) > 10", #Predicate { ($0.isLive ? $0.plays : 0) > 10 }),
            Row("isLive == YES", #Predicate { if $0.isLive { true } else { false } }),
        ]
    }

    static var calculations: [Row] {
        let factor: Int64 = 2
        return [
            Row("plays + 1 > 10", #Predicate { $0.plays + 1 > 10 }),
            Row("plays - 5 > 10", #Predicate { $0.plays - 5 > 10 }),
            Row("plays * 2 > 20", #Predicate { $0.plays * factor > 20 }),
            Row("plays / 2 == 4", #Predicate { $0.plays / 2 == 4 }),
            Row("duration / 2.0 > 60", #Predicate { $0.duration / 2.0 > 60 }),
            Row("modulus:by:(plays, 2) == 1", #Predicate { $0.plays % 2 == 1 }),
            Row("0 - plays < -10", #Predicate { -$0.plays < -10 }),
        ]
    }

    static var members: [Row] {
        let wanted = wanted
        let wantedRatings = wantedRatings
        let wantedMoods = wantedMoods
        let years = years
        let few = few
        let low: Int64 = 4
        let high: Int64 = 30
        return [
            Row("title IN {'beta', 'Zeta'}", #Predicate { wanted.contains($0.title) }),
            Row("title IN {'beta', 'Zeta'}", #Predicate { ["beta", "Zeta"].contains($0.title) }),
            Row("rating == 1 OR rating == nil", #Predicate { wantedRatings.contains($0.rating) }),
            Row("mood IN {2}", #Predicate { wantedMoods.contains($0.mood) }),
            Row("title == 'beta' OR title == 'Zeta'", #Predicate { song in wanted.contains { $0 == song.title } }),
            Row("title != 'beta' AND title != 'Zeta'", #Predicate { song in wanted.allSatisfy { $0 != song.title } }),
            Row("plays >= 4 AND plays < 30", #Predicate { (low..<high).contains($0.plays) }),
            Row("plays BETWEEN {4, 30}", #Predicate { (low...high).contains($0.plays) }),
            Row("album.year BETWEEN {1995, 2005}", #Predicate { $0.album != nil && years.contains($0.album!.year) }),
            Row(
                "length:(title) >= 1 AND length:(title) < 6",
                #Predicate { song in song.title.count < 6 && few.contains(song.title.count) }),
            Row("labels[0] == 'l1'", isSQL: false, #Predicate { $0.labels[0] == "l1" }),
            Row("'l2' IN labels", isSQL: false, #Predicate { $0.labels.contains("l2") }),
            Row("labels[FIRST] == 'l2'", isSQL: false, #Predicate { $0.labels.first == "l2" }),
            Row("notes['key'] == 'k1'", isSQL: false, #Predicate { $0.notes["key"] == "k1" }),
            Row("notes['key'] == 'k1'", isSQL: false, #Predicate { $0.notes["key", default: "k1"] == "k1" }),
            Row("max:(labels) == 'l2'", isSQL: false, #Predicate { $0.labels.max() == "l2" }),
        ]
    }
}
