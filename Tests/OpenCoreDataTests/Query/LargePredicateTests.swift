import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("Large predicates")
struct LargePredicateTests {
    let library: Library

    init() throws {
        library = try Library()
        var random = SeededGenerator(seed: 7)
        try library.fill(&random)
    }

    private func expectAgreement(
        _ format: String, _ arguments: [Any], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let predicate = try NSPredicate.parse(format, arguments: arguments)
        let expected = library.artists.filter { predicate.asInSQL.evaluate(with: $0) }.map(\.key)
        #expect(
            try library.keys(library.query("Artist", predicate)).sorted() == expected, "\(format)",
            sourceLocation: sourceLocation)
    }

    @Test("bind a list of 10,000 numbers, texts, blobs or objects as one parameter")
    func packed() throws {
        let numbers = (0..<10_000).map { NSNumber(value: $0 * 2) }
        try expectAgreement("age IN %@", [numbers])
        try expectAgreement("NOT age IN %@", [numbers])
        let texts =
            LibraryValues.strings.filter { !$0.contains("\u{0}") } + (0..<10_000).map { "text \($0) \"\\\n\u{1}" }
        try expectAgreement("name IN %@", [texts])
        try expectAgreement("name IN[cd] %@", [texts])
        try expectAgreement("photo IN %@", [LibraryValues.blobs + (0..<10_000).map { Data("\($0)".utf8) }])
        try expectAgreement("NOT photo IN %@", [LibraryValues.blobs + (0..<10_000).map { Data("\($0)".utf8) }])
        try expectAgreement("ident IN %@", [LibraryValues.identifiers + (0..<10_000).map { _ in UUID() }])
        let artist = library.entity("Artist")
        let objects = (0..<10_000).map { LibraryObject(artist, key: 1_000 + $0) } + library.artists.prefix(9)
        try expectAgreement("idol IN %@", [objects])
        let plan = try library.translator.statement(library.query("Artist", .parse("idol IN %@", arguments: [objects])))
        expectEqual(plan.bindings.count, 1)
    }

    @Test("find the exact members of lists of 10,000 dates, reals, numbers of all types and texts with a NUL")
    func exactly() throws {
        let dates = LibraryValues.dates + (0..<10_000).map { Date(timeIntervalSinceReferenceDate: Double($0) / 7 + 1) }
        try expectAgreement("born IN %@", [dates])
        try expectAgreement("NOT born IN %@", [dates])
        try expectAgreement("score IN %@", [[0.5] + (0..<10_000).map { Double($0) * 0.3 + 100 }])
        try expectAgreement("price IN %@", [[0.5, 40, 1e9, -1.5] + (0..<10_000).map { Double($0) * 0.3 + 100 }])
        try expectAgreement(
            "age IN %@",
            [[NSNumber(value: 2.0), NSNumber(value: 40.5)] + (0..<10_000).map { NSNumber(value: $0 + 40) }])
        try expectAgreement("name IN %@", [LibraryValues.strings + (0..<10_000).map { "x\($0)" }])
        let plan = try library.translator.statement(library.query("Artist", .parse("born IN %@", arguments: [dates])))
        expectEqual(plan.bindings.count, 1)
    }

    @Test("find members of a list of 100,000")
    func hundredThousand() throws {
        let artist = library.entity("Artist")
        let lists: [(String, [Any])] = [
            ("age", (0..<100_000).map { NSNumber(value: $0) }),
            ("score", (0..<100_000).map { NSNumber(value: Double($0) / 2) }),
            ("name", (0..<100_000).map { "text \($0)" } + ["a"]),
            ("idol", (0..<100_000).map { LibraryObject(artist, key: Int64($0) + 3) }),
        ]
        for (key, list) in lists {
            let keys = try library.keys(library.query("Artist", NSPredicate.parse("%K IN %@", arguments: [key, list])))
            let members = Set(list.map { ($0 as? LibraryObject).map { "\($0.key)" } ?? "\($0)" })
            let expected = library.artists.filter { artist in
                let value = artist.value(forKey: key)
                return value.map { members.contains(($0 as? LibraryObject).map { "\($0.key)" } ?? "\($0)") } ?? false
            }
            expectEqual(keys.sorted(), expected.map(\.key), "\(key)")
        }
    }

    @Test("throw for more values than a statement accepts")
    func tooMany() throws {
        let parts = (0..<40_000).map { NSPredicate(format: "age != %@", NSNumber(value: $0)) }
        let predicate = NSCompoundPredicate(type: .and, subpredicates: parts)
        let error = thrownError { _ = try library.translator.statement(library.query("Artist", predicate)) }
        expectEqual(error?.code, 134060)
        expectEqual(error?.localizedDescription.contains("40000"), true)
    }

    @Test("join thousands of conditions", arguments: [NSCompoundPredicate.LogicalType.or, .and])
    func chains(type: NSCompoundPredicate.LogicalType) throws {
        let parts = (0..<TestRun.quick(2_000, long: 10_000)).map {
            NSPredicate(
                format: type == .or ? "age == %@ OR name == nil" : "age != %@ AND name != nil", NSNumber(value: $0 + 3))
        }
        let predicate = NSCompoundPredicate(type: type, subpredicates: parts)
        let expected = library.artists.filter { predicate.asInSQL.evaluate(with: $0) }.map(\.key)
        try expectEqual(library.keys(library.query("Artist", predicate)).sorted(), expected)
    }

    @Test("nest 3,000 conditions of one type")
    func growing() throws {
        var predicate = NSPredicate(format: "name == nil")
        for number in 0..<3_000 {
            predicate = NSCompoundPredicate(
                type: .or, subpredicates: [predicate, NSPredicate(format: "age == %@", NSNumber(value: number))])
        }
        let expected = library.artists.filter {
            $0.values["name"] == nil || ($0.values["age"] as? NSNumber)?.intValue ?? -1 >= 0
        }
        try expectEqual(library.keys(library.query("Artist", predicate)).sorted(), expected.map(\.key))
    }

    /// Nested levels, with the inner one last or first.
    private func nested(_ depth: Int, innerFirst: Bool) -> NSPredicate {
        var predicate = NSPredicate(format: "age > 2")
        for level in 0..<depth {
            let other = NSPredicate(format: level.isMultiple(of: 2) ? "name != 'a'" : "score < 1")
            predicate = NSCompoundPredicate(
                type: level.isMultiple(of: 2) ? .and : .or,
                subpredicates: innerFirst ? [predicate, other] : [other, predicate])
        }
        return predicate
    }

    @Test("nest AND and OR 400 levels deep", arguments: [3, 20, 60, 400], [true, false])
    func nesting(depth: Int, innerFirst: Bool) throws {
        let predicate = nested(depth, innerFirst: innerFirst)
        for predicate in [predicate, NSCompoundPredicate(type: .not, subpredicates: [predicate])] {
            let expected = library.artists.filter { predicate.asInSQL.evaluate(with: $0) }.map(\.key)
            try expectEqual(library.keys(library.query("Artist", predicate)).sorted(), expected)
        }
    }

    @Test("contain several deeply nested parts")
    func deepParts() throws {
        let parts = [nested(40, innerFirst: true), nested(39, innerFirst: false), nested(38, innerFirst: true)]
        var predicate: NSPredicate = NSCompoundPredicate(type: .or, subpredicates: parts)
        for level in 0..<30 {
            predicate = NSCompoundPredicate(
                type: level.isMultiple(of: 2) ? .and : .or,
                subpredicates: [nested(30 + level % 3, innerFirst: false), predicate])
        }
        let expected = library.artists.filter { predicate.asInSQL.evaluate(with: $0) }.map(\.key)
        try expectEqual(library.keys(library.query("Artist", predicate)).sorted(), expected)
    }
}
