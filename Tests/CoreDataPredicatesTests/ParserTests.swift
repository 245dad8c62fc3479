import Testing

@testable import CoreDataPredicates

@Suite("The format language is read and written in Apple's canonical form")
struct ParserTests {
    @Test(
        "A predicate's text comes back in canonical form",
        arguments: [
            ("name = 'x'", #"name == "x""#),
            (
                "name == \"x\" and any songs.title contains[cd] 'y'",
                #"name == "x" AND ANY songs.title CONTAINS[cd] "y""#
            ),
            ("a == 1 AND b == 2 OR c == 3", "(a == 1 AND b == 2) OR c == 3"),
            ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
            ("a == 1 OR b == 2 OR c == 3", "a == 1 OR b == 2 OR c == 3"),
            ("NOT a == 1 AND b == 2", "(NOT a == 1) AND b == 2"),
            ("!(a == 1 && b == 2)", "NOT (a == 1 AND b == 2)"),
            ("(a == 1 || b == 2) && c == 3", "(a == 1 OR b == 2) AND c == 3"),
            ("a => 1", "a >= 1"), ("a =< 1", "a <= 1"), ("a <> 1", "a != 1"),
            ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"),
            ("a in {1, 'b', 2.5}", #"a IN {1, "b", 2.5}"#),
            ("a IN {}", "a IN {}"),
            ("NONE songs.length > 3", "NOT ANY songs.length > 3"),
            ("SOME songs.length > 3", "ANY songs.length > 3"),
            ("ALL songs.length > 3", "ALL songs.length > 3"),
            ("SUBQUERY(songs, $s, $s.x > 1).@count > 0", "SUBQUERY(songs, $s, $s.x > 1).@count > 0"),
            (
                "SUBQUERY(songs, $s, $s.x > 1 AND $s.y == nil)[SIZE] > 0",
                "SUBQUERY(songs, $s, $s.x > 1 AND $s.y == nil)[SIZE] > 0"
            ),
            ("songs.@count == 0", "songs.@count == 0"),
            ("songs.@sum.length > 10", "songs.@sum.length > 10"),
            ("a == nil", "a == nil"), ("a == NULL", "a == nil"), ("a == <null>", "a == <null>"),
            ("a == YES", "a == 1"), ("a == false", "a == 0"),
            ("TRUEPREDICATE", "TRUEPREDICATE"), ("falsepredicate", "FALSEPREDICATE"),
            ("a + b * c > 1", "a + (b * c) > 1"),
            ("(a + b) * c > 1", "(a + b) * c > 1"),
            ("a - b - c == 0", "(a - b) - c == 0"),
            ("2 ** 3 == 8", "2 ** 3 == 8"),
            ("(flags & 4) != 0", "flags & 4 != 0"),
            ("-a > -1", "0 - a > -1"),
            ("SELF.name == 1", "name == 1"), ("SELF == 1", "SELF == 1"),
            ("#size == 1", "#size == 1"), ("a.first == 1", "a.#first == 1"),
            ("name LIKE[c] '?a*'", #"name LIKE[c] "?a*""#),
            ("name MATCHES '[a-z]+'", #"name MATCHES "[a-z]+""#),
            ("CAST(a, 'NSDate') < now()", #"CAST(a, "NSDate") < now()"#),
            ("length(a.b) > 3 AND lowercase:(a) == 'x'", #"length:(a.b) > 3 AND lowercase:(a) == "x""#),
            ("random(5) > random()", "random:(5) > random()"),
            ("a / 2.0 > 7.0", "a / 2.0 > 7"), ("modulus:by:(a, 3.0) == 1.5", "modulus:by:(a, 3.0) == 1.5"),
            ("(-5)[0] == (-a).b", "(-5)[0] == (0 - a).b"), ("ci == caseInsensitive.x", "#ci == #caseInsensitive.x"),
            (
                #"a == "\\ud83d\\ude00\\x41\\U0001F600""#.replacingOccurrences(of: "\\\\", with: "\\"),
                "a == \"\u{1F600}A\u{1F600}\""
            ),
            (#"FUNCTION(SELF, "valueForKeyPath:", "a.b") == 1"#, "a.b == 1"),
            (#"FUNCTION(a.b, "valueForKeyPath:", "c") == 1"#, #"FUNCTION(a.b, "valueForKeyPath:", "c") == 1"#),
            (#"FUNCTION($x, "valueForKey:", "c") == 1"#, #"FUNCTION($x, "valueForKey:", "c") == 1"#),
            ("TERNARY(a > 1, 'x', 'y') == 'x'", #"TERNARY(a > 1, "x", "y") == "x""#),
            ("FUNCTION(a, 'uppercaseString') == 'X'", #"FUNCTION(a, "uppercaseString") == "X""#),
            ("sum(a.b) > 3", "sum:(a.b) > 3"), ("modulus:by:(a, 2) == 0", "modulus:by:(a, 2) == 0"),
            ("a[0] == a[FIRST]", "a[0] == a[FIRST]"),
            ("a UNION b == c", "a UNION b == c"),
            ("$x == $y", "$x == $y"), ("$x.name.first == 1", "$x.name.#first == 1"),
            ("a == 0x1F", "a == 31"), ("a == 0b101", "a == 5"), ("a == 0o17", "a == 15"),
            ("a == 1e3", "a == 1000"), ("a == .5", "a == 0.5"),
            ("a == 18446744073709551615", "a == 18446744073709551615"),
            (#"a == "q\"b\\s\nn\u00e9""#, #"a == "q\"b\\s\nné""#),
            ("größe == 1", "größe == 1"),
            ("'a' BEGINSWITH[c] name", #""a" BEGINSWITH[c] name"#),
        ])
    func canonicalText(text: String, canonical: String) throws {
        let predicate = try NSPredicate.parse(text)
        expectEqual(predicate.predicateText, canonical)
        let again = try NSPredicate.parse(canonical)
        expectTrue(again.structurallyEquals(predicate))
        expectEqual(again.predicateText, canonical)
    }

    @Test("Arguments take the places of their placeholders")
    func arguments() {
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        let predicate = NSPredicate(
            format: """
                %K == %@ AND a.%K > %d AND b < %ld AND c == %lld AND d == %f AND e IN %@ AND f > %@ AND g == %x \
                AND h == '%@'
                """,
            "artist.name", "Ö", "length", 3, 4, Int64(5), 1.5, [1, 2], date, 255)
        expectEqual(
            predicate.description,
            #"""
            artist.name == "Ö" AND a.length > 3 AND b < 4 AND c == 5 AND d == 1.5 AND e IN {1, 2} AND f > \#
            CAST(12.500000, "NSDate") AND g == 255 AND h == "%@"
            """#
        )
        expectEqual(NSPredicate(format: "a == %@", argumentArray: [NSNull()]).description, "a == <null>")
        expectEqual(NSPredicate(format: "a %% 2 == %u", UInt32(1)).description, "modulus:by:(a, 2) == 1")
    }

    @Test(
        "A key that is no name in the language stays a key when the text is read again",
        arguments: [
            "a == 1 OR TRUEPREDICATE", "x y", "", ".", "a..b", "1", "a\"b", "$v", "#size", "%@", "é.ß 1", "a.@count",
            "@", "a.b) || (1",
        ])
    func strangeKeys(key: String) throws {
        for format in ["%K == 1", "$v.%K == 1", "SUBQUERY(a, $b, $b.%K > 1).@count > 0", "a.%K[0] == 1"] {
            let predicate = try NSPredicate.parse(format, arguments: [key])
            let again = try NSPredicate.parse(predicate.predicateText)
            expectTrue(again.structurallyEquals(predicate), "\(predicate)")
        }
        let comparison = try requireValue(NSPredicate(format: "%K == 1", key) as? NSComparisonPredicate)
        expectEqual(comparison.leftExpression.keyPath, key)
    }

    @Test("Predicates of the parser are Apple's classes")
    func classes() throws {
        let comparison = try requireValue(NSPredicate(format: "a == 1") as? NSComparisonPredicate)
        expectEqual(comparison.leftExpression.expressionType, .keyPath)
        expectEqual(comparison.leftExpression.keyPath, "a")
        expectEqual((comparison.rightExpression.constantValue as? NSNumber)?.intValue, 1)
        expectEqual(comparison.predicateOperatorType, .equalTo)
        let compound = try requireValue(NSPredicate(format: "a == 1 AND b == 2 AND c == 3") as? NSCompoundPredicate)
        expectEqual(compound.subpredicates.count, 3)
        expectEqual(compound.compoundPredicateType, .and)
        expectTrue(NSPredicate(format: "a == 1").isEqual(NSPredicate(format: "a = 1")))
        expectFalse(NSPredicate(format: "a == 1").isEqual(NSPredicate(format: "a == 2")))
        expectFalse(NSPredicate(format: "a == 1 AND b == 1").isEqual(NSPredicate(format: "a == 1 OR b == 1")))
    }

    @Test(
        "An error names the text, the position and what was expected",
        arguments: [
            ("", 0, "expected a key path"),
            ("name", 4, "comparison operator"),
            ("name ==", 7, "expected a key path, a value"),
            ("name == 'x", 8, "no closing quote"),
            ("(a == 1", 7, "expected )"),
            ("a == 1 b", 7, "expected AND, OR or the end"),
            ("a == 1 AND", 10, "expected a key path"),
            ("a ==[z] 1", 5, "expected c, d, n or l"),
            ("a == %@", 5, "too few"),
            ("a == %y", 5, "no placeholder"),
            ("foo(a) == 1", 0, "no function foo"),
            ("sum(a, b) == 1", 0, "sum takes 1 argument, not 2"),
            ("a MATCHES '('", 10, "regular expression"),
            ("SUBQUERY(a, b, c == 1).@count > 1", 12, "expected a variable"),
            ("a == 12abc", 7, "letter"),
            ("a == $", 5, "name of a variable"),
            ("CAST(a, 'Foo') == 1", 0, "doesn't know the type"),
            ("a ? b", 2, "isn't allowed here"),
            ("(a == 1) + 2 == 3", 0, "not a predicate"),
            ("and == 1", 0, "#and"),
            ("a == 1e999", 5, "range of a double"),
        ])
    func errors(text: String, position: Int, expected: String) {
        do {
            _ = try NSPredicate.parse(text)
            Issue.record("\(text) was read")
        } catch let error as PredicateFormatError {
            expectEqual(error.position, position, "\(error)")
            expectContains(error.description, expected, "\(error)")
        } catch {
            Issue.record(error)
        }
    }

    /// A part many times over between a head and a tail; its name in reports is short.
    struct HostileText: CustomTestStringConvertible, Sendable {
        let head: String
        let part: String
        let tail: String
        let count: Int

        init(_ head: String, _ part: String = "", _ tail: String = "", count: Int = 10_000) {
            (self.head, self.part, self.tail, self.count) = (head, part, tail, part.isEmpty ? 0 : count)
        }

        var text: String { head + String(repeating: part, count: count) + tail }
        var testDescription: String {
            count == 0 ? head.debugDescription : "\(head)\(count) times \(part.debugDescription)\(tail.prefix(20))"
        }
    }

    @Test(
        "Hostile texts give an error, not a crash",
        arguments: [
            HostileText("", "(", "a == 1" + String(repeating: ")", count: 10_000)),
            HostileText("", "NOT ", "a == 1"), HostileText("", "-", "1 == 1"), HostileText("", "{"),
            HostileText("", "sum("),
            HostileText("", "SUBQUERY("), HostileText("", "1 + ", "1 == 1"), HostileText("a", "[0]", " == 1"),
            HostileText("", "1 ** ("),
            HostileText("", "a == 1 AND ("),
            HostileText("a == \"\\uD800\""), HostileText("a == '\\"), HostileText("%"), HostileText("$"),
            HostileText("@"), HostileText("#"),
            HostileText("\0"), HostileText("a == \u{202E}"), HostileText("a."), HostileText(".a == 1"),
            HostileText("a..b == 1"), HostileText("a == 0x"),
        ])
    func hostile(hostile: HostileText) {
        let text = hostile.text
        #expect(throws: PredicateFormatError.self) { try NSPredicate.parse(text) }
    }

    @Test("The deepest texts that are read can be evaluated, printed and compared")
    func deepest() throws {
        // The canonical text puts each NOT in separate parentheses, which makes three levels of each repetition.
        let count = (PredicateParser.depthLimit - 1) / 3
        let text =
            String(repeating: "NOT (TRUEPREDICATE AND ", count: count) + "1 == 1" + String(repeating: ")", count: count)
        let predicate = try NSPredicate.parse(text)
        _ = predicate.evaluate(with: nil)
        expectTrue(try NSPredicate.parse(predicate.predicateText).structurallyEquals(predicate))
        let sum = try NSExpression.parse(String(repeating: "1 + ", count: PredicateParser.operatorLimit) + "1")
        expectEqual(
            (sum.expressionValue(with: nil, context: nil) as? NSNumber)?.intValue, PredicateParser.operatorLimit + 1)
    }

    @Test("Mangled texts give a predicate or an error")
    func mangled() {
        let seed = TestRun.seed(for: "predicate texts")
        var source = RandomPredicates(seed: seed)
        for _ in 0..<2_000 {
            let text = source.mangle(source.predicate(depth: 3).predicateText)
            do {
                _ = try NSPredicate.parse(text).predicateText
            } catch {
                #expect(error is PredicateFormatError, "seed \(seed): \(text)")
            }
        }
    }

    @Test("Every kind of value can be an argument")
    func argumentKinds() throws {
        let values: [any CVarArg] = [
            Date(), NSDate(), UUID(), Data([1]), Decimal(1), ["a"], Set([1]), ["k": 1], NSNumber(value: 1), NSNull(),
            "s",
            NSString("s"), true, 1.5, Int8(1), URL(fileURLWithPath: "/a"), NSSet(object: 1), NSOrderedSet(object: 1),
        ]
        for value in values {
            let predicate = try requireValue(NSPredicate(format: "SELF == %@", value) as? NSComparisonPredicate)
            expectTrue(predicate.evaluate(with: value), "\(value)")
            expectTrue(predicate.isEqual(NSPredicate(format: "SELF == %@", value)), "\(value)")
        }
    }

    @Test("A long chain of AND is one compound")
    func longChain() throws {
        let predicate = try NSPredicate.parse(Array(repeating: "1 == 1", count: 20_000).joined(separator: " AND "))
        expectEqual((predicate as? NSCompoundPredicate)?.subpredicates.count, 20_000)
        expectTrue(predicate.evaluate(with: nil))
    }
}
