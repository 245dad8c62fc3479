import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("Large predicates")
struct LargePredicateTests {
    let library: Library

    init() throws {
        library = try Library()
        var random = SeededRandom(seed: 7)
        try library.fill(&random)
    }

    private func expectAgreement(_ format: String, _ arguments: [Any], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let predicate = try NSPredicate.parse(format, arguments: arguments)
        let expected = library.artists.filter { predicate.evaluate(with: $0) }.map(\.key)
        #expect(try library.keys(library.query("Artist", predicate)).sorted() == expected, "\(format)", sourceLocation: sourceLocation)
    }

    @Test("find members of lists of 10,000 numbers, texts, blobs and objects by one bound value")
    func packed() throws {
        let numbers = (0..<10_000).map { NSNumber(value: $0 * 2) }
        try expectAgreement("age IN %@", [numbers])
        try expectAgreement("NOT age IN %@", [numbers])
        let texts = LibraryValues.strings.filter { !$0.contains("\u{0}") } + (0..<10_000).map { "text \($0) \"\\\n\u{1}" }
        try expectAgreement("name IN %@", [texts])
        try expectAgreement("name IN[cd] %@", [texts])
        try expectAgreement("photo IN %@", [LibraryValues.blobs + (0..<10_000).map { Data("\($0)".utf8) }])
        try expectAgreement("NOT photo IN %@", [LibraryValues.blobs + (0..<10_000).map { Data("\($0)".utf8) }])
        try expectAgreement("ident IN %@", [LibraryValues.identifiers + (0..<10_000).map { _ in UUID() }])
        let artist = library.entity("Artist")
        let objects = (0..<10_000).map { LibraryObject(artist, key: 1_000 + $0) } + library.artists.prefix(9)
        try expectAgreement("idol IN %@", [objects])
        let plan = try library.translator.statement(library.query("Artist", .parse("idol IN %@", arguments: [objects])))
        #expect(plan.bindings.count == 1)
    }

    @Test("find members of lists of 10,000 dates, reals and texts with a NUL, which are bound one by one")
    func separate() throws {
        let dates = LibraryValues.dates.dropLast() + (0..<10_000).map { Date(timeIntervalSinceReferenceDate: Double($0) / 7 + 1) }
        try expectAgreement("born IN %@", [Array(dates)])
        try expectAgreement("score IN %@", [[0.5] + (0..<10_000).map { Double($0) * 0.3 + 100 }])
        try expectAgreement("name IN %@", [LibraryValues.strings + (0..<10_000).map { "x\($0)" }])
    }

    @Test("that bind more values than a statement takes are refused, not cut")
    func tooMany() throws {
        let reals = (0..<40_000).map { Double($0) + 0.5 }
        let error = thrownError {
            _ = try library.translator.statement(library.query("Artist", .parse("score IN %@", arguments: [reals])))
        }
        #expect(error?.localizedDescription.contains("40000") == true)
    }

    @Test("join 5,000 conditions")
    func chains() throws {
        let parts = (0..<5_000).map { NSPredicate(format: "age == %@ OR name == nil", NSNumber(value: $0)) }
        let predicate = NSCompoundPredicate(type: .or, subpredicates: parts)
        let expected = library.artists.filter { predicate.evaluate(with: $0) }.map(\.key)
        #expect(try library.keys(library.query("Artist", predicate)).sorted() == expected)
    }

    @Test("add 3,000 conditions one around the other")
    func growing() throws {
        var predicate = NSPredicate(format: "name == nil")
        for number in 0..<3_000 {
            predicate = NSCompoundPredicate(type: .or, subpredicates: [predicate, NSPredicate(format: "age == %@", NSNumber(value: number))])
        }
        let expected = library.artists.filter { $0.values["name"] == nil || ($0.values["age"] as? NSNumber)?.intValue ?? -1 >= 0 }
        #expect(try library.keys(library.query("Artist", predicate)).sorted() == expected.map(\.key))
    }

    @Test("nest AND and OR as deep as people do, and deeper with an error at worst", arguments: [20, 60, 300])
    func nesting(depth: Int) throws {
        var predicate = NSPredicate(format: "age > 2")
        for level in 0..<depth {
            let other = NSPredicate(format: level.isMultiple(of: 2) ? "name != 'a'" : "score < 1")
            predicate = NSCompoundPredicate(type: level.isMultiple(of: 2) ? .and : .or, subpredicates: [other, predicate])
        }
        let expected = library.artists.filter { predicate.evaluate(with: $0) }.map(\.key)
        do {
            #expect(try library.keys(library.query("Artist", predicate)).sorted() == expected)
        } catch {
            #expect(depth > 20, "\(error)")
        }
    }
}
