import Testing

@testable import CoreDataPredicates

/// An object with values for keys, like a managed object.
final class Thing: NSObject, KeyValueCoding {
    var values: [String: Any]

    init(_ values: [String: Any]) {
        self.values = values
    }

    func value(forKey key: String) -> Any? { values[key] }
}

@Suite("Predicates are evaluated as in Core Data")
struct EvaluationTests {
    static func song(_ title: String?, _ length: Int) -> Thing {
        Thing(["title": title as Any, "length": length])
    }

    /// A new object for each use: Foundation's objects aren't Sendable.
    static var artist: Thing {
        Thing([
            "name": "Björk Guðmundsdóttir", "born": Date(timeIntervalSinceReferenceDate: 1000), "rating": 4.5,
            "plays": 7,
            "price": NSDecimalNumber(string: "9.99"), "active": true, "big": UInt64.max,
            "songs": NSSet(array: [song("Army of Me", 234), song("Hyperballad", 321), song(nil, 10)]),
            "albums": [
                Thing(["songs": Set([song("One", 1), song("Two", 2)])]),
                Thing(["songs": NSOrderedSet(array: [song("Three", 3)])]),
            ],
            "tags": ["pop", "ice"], "empty": NSSet(),
            "id": UUID(uuidString: "00000000-0000-0000-0000-000000000001") as Any,
            "berlin": ["latitude": 52.52, "longitude": 13.405], "paris": ["latitude": 48.8566, "longitude": 2.3522],
            "bands": [
                Thing(["albums": [Thing(["songs": NSSet(array: [song("Three", 3)])])]]), Thing(["albums": [Any]()]),
            ],
            "dictionary": ["a": 1], "null": NSNull(), "path": "a\\b",
        ])
    }

    @Test(
        "True",
        arguments: [
            "name == 'Björk Guðmundsdóttir'", "name ==[cd] 'bjork guðmundsdottir'", "name BEGINSWITH 'Bj'",
            "name BEGINSWITH[cd] 'BJORK'", "name ENDSWITH[d] 'dottir'", "name CONTAINS[c] 'ÖRK'", "name LIKE 'Bj?rk*'",
            "name LIKE[cd] '*MUNDS*'", "name MATCHES 'Bj.rk .*'", "name MATCHES[c] 'b|bj.*'",
            "name MATCHES[cd] 'bjork .+'",
            "'ö' IN name", "name IN {'x', 'Björk Guðmundsdóttir'}",
            "name IN[cd] {'BJORK GUDMUNDSDOTTIR', 'BJORK GUÐMUNDSDOTTIR'}",
            "missing == nil", "nil == missing", "null == nil", "name != nil", "missing != 'x'", "NOT missing == 'x'",
            "plays == 7", "plays == 7.0", "plays < 7.5", "plays BETWEEN {7, 8}", "rating BETWEEN {4, 5}",
            "plays IN {1, 7}",
            "price == 9.99", "price > 9.98", "active == YES", "active == 1", "big == 18446744073709551615",
            "big > 9223372036854775807",
            "9007199254740993 > 9007199254740992.0", "born < CAST(1001, 'NSDate')", "born == CAST(1000, 'NSDate')",
            "id == CAST('00000000-0000-0000-0000-000000000001', 'NSUUID')",
            "ANY songs.title == 'Hyperballad'", "ANY songs.length > 300", "ALL songs.length > 5",
            "NONE songs.length > 1000",
            "ANY songs.title == nil", "ANY albums.songs.title == 'Three'", "ALL albums.songs.length < 4",
            "NOT ANY empty.title == 'x'", "ALL empty.title == 'x'", "NOT ANY missing.title == nil",
            "songs.@count == 3", "albums.@count == 2", "empty.@count == 0", "missing.@count == 0",
            "songs.@sum.length == 565", "songs.@max.length == 321", "songs.@min.length == 10",
            "songs.@avg.length > 188",
            "SUBQUERY(songs, $s, $s.length > 100).@count == 2",
            "SUBQUERY(songs, $s, $s.title BEGINSWITH 'A' AND $s.length < plays * 100).@count == 1",
            "SUBQUERY(missing, $s, $s.length > 100).@count == 0", "count(songs) == 3", "songs[SIZE] == 3",
            "tags CONTAINS 'pop'", "'ice' IN tags", "ANY tags BEGINSWITH 'i'", "tags[0] == 'pop'",
            "tags[LAST] == 'ice'",
            "dictionary.a == 1", "dictionary['a'] == 1", "path == 'a\\\\b'", "path LIKE 'a\\\\\\\\b'",
            "plays + 3 == 10", "plays * 2 - 4 == 10", "plays / 2 == 3", "plays / 2.0 == 3.5", "2 ** 3 == 8",
            "(plays & 4) == 4",
            "modulus:by:(plays, 2) == 1", "uppercase(name) BEGINSWITH 'BJ'", "length(path) == 3", "abs(-3) == 3",
            "name.length == 20", "TERNARY(plays > 3, 'many', 'few') == 'many'", "{1, 2} == {1, 2}",
            "sum({1, 2, 3}) == 6",
            "median({1, 2, 10}) == 2", "average({1, 2}) == 1.5", "stddev({2, 4, 4, 4, 5, 5, 7, 9}) == 2",
            "mode({1, 1, 2}) == {1}",
            "ceiling(1.2) == 2", "floor(-1.2) == -2", "trunc(-1.7) == -1", "sqrt(9) == 3", "log(100) == 2",
            "ln(exp(1)) == 1",
            "onesComplement(0) == -1", "1 << 3 == 8", "canonical('ÄB') == 'ab'", "CAST('3', 'NSNumber') == 3",
            "now() > CAST(0, 'NSDate')",
            "{1, 2} UNION {3} CONTAINS 3", "count({1, 2} INTERSECT {2, 3}) == 1", "count({1, 2} MINUS {2}) == 1",
            "FUNCTION(name, 'lowercaseString') BEGINSWITH 'b'", "SELF == SELF", "'B' < 'a'", "'a' <[c] 'B'",
            "TRUEPREDICATE",
            "'Three' IN albums.songs.title", "albums.songs.title CONTAINS 'One'",
            "SUBQUERY(bands, $b, 'Three' IN $b.albums.songs.title).@count == 1",
            "NOT 'x' IN albums.songs.title", "random() >= 0", "random(1) == 0", "randomn(1) == 0",
            "distanceToLocation:fromLocation:(berlin, paris) BETWEEN {870000, 885000}",
            "distanceToLocation:fromLocation:(berlin, berlin) == 0",
            "dictionary.@count == 1", "dictionary.@allKeys CONTAINS 'a'", "dictionary.@allValues == {1}",
            "CAST('AP8=', 'NSData') == CAST('AP8=', 'NSData')", "7.0 / 2 == 3.5",
            "plays IN {20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7.0, 6}",
            "NOT 'x' IN {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'}",
            "price IN {20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9.99, 8, 7.0, 6}",
            "name IN[cd] {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'BJORK GUÐMUNDSDOTTIR'}",
            "count(albums.@unionOfArrays.songs) == 3", "count(albums.@distinctUnionOfSets.songs) == 3",
        ])
    func holds(text: String) throws {
        expectTrue(try NSPredicate.parse(text).evaluate(with: Self.artist))
    }

    @Test(
        "False",
        arguments: [
            "name == 'björk guðmundsdóttir'", "missing < 5", "missing > 5", "missing <= nil", "5 > missing",
            "missing CONTAINS 'x'",
            "missing LIKE '*'", "missing IN {1, nil}", "missing BETWEEN {1, 2}", "plays == '7'", "plays < 'x'",
            "name < 5",
            "name LIKE 'Bj'", "name MATCHES 'Bj'", "name MATCHES 'örk'", "name LIKE '?'", "plays IN {}",
            "ANY empty.x == nil",
            "ALL songs.length > 100", "NONE songs.length > 300", "plays BETWEEN {8, 9}", "active == 0",
            "9007199254740993 == 9007199254740992.0",
            "path LIKE 'a?'", "FALSEPREDICATE", "id == nil", "'abc' LIKE 'a\\\\*'", "rating == 4",
        ])
    func fails(text: String) throws {
        expectFalse(try NSPredicate.parse(text).evaluate(with: Self.artist))
    }

    @Test("Variables take their values from the evaluation or by substitution")
    func variables() {
        let template = NSPredicate(format: "name == $NAME AND plays > $COUNT")
        expectEqual(template.freeVariables, ["NAME", "COUNT"])
        expectTrue(
            template.evaluate(
                with: Thing(["name": "x", "plays": 2]), substitutionVariables: ["NAME": "x", "COUNT": 1]))
        let predicate = template.withSubstitutionVariables(["NAME": "x", "COUNT": 3])
        expectEqual(predicate.description, #"name == "x" AND plays > 3"#)
        expectFalse(predicate.evaluate(with: Thing(["name": "x", "plays": 2])))
        let inner = NSPredicate(format: "SUBQUERY(songs, $s, $s.length > $min).@count > 0")
        expectEqual(inner.freeVariables, ["min"])
        expectTrue(inner.withSubstitutionVariables(["min": 300, "s": 1]).evaluate(with: Self.artist))
        expectEqual(template.withSubstitutionVariables(["NAME": "y"]).freeVariables, ["COUNT"])
    }

    @Test("Foundation's compounds and blocks mix with the parser's predicates")
    func mixed() {
        let block = NSPredicate { object, bindings in
            (object as? Thing)?.values["plays"] as? Int == bindings?["n"] as? Int
        }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [block, NSPredicate(format: "plays == $n")])
        expectTrue(both.evaluate(with: Thing(["plays": 2]), substitutionVariables: ["n": 2]))
        expectFalse(both.evaluate(with: Thing(["plays": 2]), substitutionVariables: ["n": 3]))
        guard case .compound(.and, let parts) = both.kind, case .block = parts[0].kind, case .comparison = parts[1].kind
        else {
            Issue.record("wrong kinds")
            return
        }
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(value: true))
        expectEqual(not.predicateText, "NOT TRUEPREDICATE")
        expectFalse(not.structurallyEquals(NSPredicate(value: false)))
        guard case .constant(true) = NSPredicate(value: true).kind,
            case .constant(false) = NSPredicate(value: false).kind
        else {
            Issue.record("wrong kinds of constants")
            return
        }
    }

    @Test("Arrays filter by predicates over dictionaries and plain values")
    func filtering() {
        let rows: NSArray = [["a": 1, "b": "x"], ["a": 2, "b": "y"]]
        expectEqual(rows.filtered(using: NSPredicate(format: "a > 1")).count, 1)
        expectEqual(
            (["apple", "pear"] as NSArray).filtered(using: NSPredicate(format: "SELF BEGINSWITH 'a'")).count, 1)
        expectEqual(([1, 2, 3] as NSArray).filtered(using: NSPredicate(format: "SELF IN %@", [1, 3])).count, 2)
        expectEqual(([1, 2, 3] as NSArray).filtered(using: NSPredicate(format: "SELF IN %@", Set([1, 3]))).count, 2)
    }

    @Test("Objects compare by identity where they have one")
    func identity() {
        let one = Thing([:])
        expectTrue(NSPredicate(format: "SELF == %@", one).evaluate(with: one))
        expectFalse(NSPredicate(format: "SELF == %@", one).evaluate(with: Thing([:])))
        expectTrue(NSPredicate(format: "SELF IN %@", [one]).evaluate(with: one))
        expectTrue(NSPredicate(format: "SELF IN %@", NSSet(object: one)).evaluate(with: one))
        let key = NSString("key")
        expectTrue(NSPredicate(format: "a == %@", key).evaluate(with: Thing(["a": Named(identity: key)])))
        expectTrue(
            NSPredicate(format: "a == b").evaluate(
                with: Thing(["a": Named(identity: key), "b": Named(identity: NSString("key"))])))
    }
}

private final class Named: NSObject, ComparableByIdentity {
    let comparisonIdentity: NSObject

    init(identity: NSObject) {
        comparisonIdentity = identity
    }
}
