import CoreDataPredicates
import Testing

/// `%@` in `String(format:)`: as on Apple's platforms, it prints the description of objects and values.
@Suite struct FormattedStringTests {
    final class Song: NSObject {
        let title: String
        init(title: String) { self.title = title }
        override var description: String { "Song \(title)" }
    }

    @Test func valuesPrintTheirDescriptions() {
        let uuid = UUID()
        expectEqual(String(format: "%@", Date(timeIntervalSince1970: 0)), "1970-01-01 00:00:00 +0000")
        expectEqual(String(format: "%@", uuid), uuid.uuidString)
        expectEqual(String(format: "%@", URL(string: "https://example.org/a?b=c")!), "https://example.org/a?b=c")
        expectEqual(String(format: "%@", Decimal(string: "19.990")!), "19.99")
        expectEqual(String(format: "%@", Data([1, 2, 255])), "{length = 3, bytes = 0x0102ff}")
        expectEqual(String(format: "%@", Data()), "{length = 0, bytes = 0x}")
        expectEqual(
            String(format: "%@", Data(0..<26)),
            "{length = 26, bytes = 0x00010203 04050607 08090a0b 0c0d0e0f ... 12131415 16171819 }")
    }

    @Test func objectsPrintTheirDescriptions() {
        expectEqual(String(format: "%@", Song(title: "Blackbird")), "Song Blackbird")
        expectEqual(String(format: "%@ %@", NSNumber(value: 3), NSNumber(value: 1.5)), "3 1.5")
        expectEqual(String(format: "%@", NSDecimalNumber(string: "12.5")), "12.5")
        expectEqual(String(format: "%@", NSNull()), "<null>")
        expectEqual(String(format: "%@", "text" as NSString), "text")
        expectEqual(String(format: "%@", NSPredicate(format: "a == %d", 1)), "a == 1")
        expectEqual(String(format: "%@", NSExpression(forKeyPath: "a.b")), "a.b")
    }

    @Test func collectionsPrintTheirElements() {
        expectEqual(String(format: "%@", [1, 2]), "(\n    1,\n    2\n)")
        expectEqual(String(format: "%@", ["a b", "c"]), "(\n    \"a b\",\n    c\n)")
        expectEqual(String(format: "%@", [Song(title: "Blackbird")]), "(\n    \"Song Blackbird\"\n)")
        expectEqual(String(format: "%@", Set(["a"])), "{(\n    a\n)}")
        expectEqual(String(format: "%@", ["key": 1]), "{\n    key = 1;\n}")
        expectEqual(String(format: "%@", [Int]()), "(\n)")
        expectEqual(
            String(format: "%@", [[1], [Int]()] as [Any]),
            "(\n        (\n        1\n    ),\n        (\n    )\n)")
        expectEqual(
            String(format: "%@", ["b": "ä", "a": [1]] as [String: Any]),
            "{\n    a =     (\n        1\n    );\n    b = \"\\U00e4\";\n}")
        expectEqual(
            String(format: "%@", [NSNull(), Data([1]), 1.5, true] as [Any]),
            "(\n    \"<null>\",\n    {length = 1, bytes = 0x01},\n    \"1.5\",\n    1\n)")
        expectEqual(String(format: "%@", NSSet(object: "a")), "{(\n    a\n)}")
    }

    @Test func valuesStandBesideNumbersStringsAndObjects() {
        let text = String(
            format: "%d %@ %.2f %@ %@ %ld %@", 7, Date(timeIntervalSince1970: 1), 2.5, "text", Song(title: "Help"),
            9, URL(string: "a:b")!)
        expectEqual(text, "7 1970-01-01 00:00:01 +0000 2.50 text Song Help 9 a:b")
    }

    @Test func argumentsLiveAsLongAsTheArgumentList() {
        // Temporary objects of the other tasks overwrite released ones.
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            for round in 0..<500 {
                let seconds = Double(worker * 1_000 + round)
                let date = Date(timeIntervalSince1970: seconds)
                let uuid = UUID()
                let number = Decimal(round)
                let text = String(
                    format: "%@|%@|%@|%@|%@|%@", date, uuid, number, URL(string: "x:\(worker)/\(round)")!,
                    [worker, round], Song(title: "\(round)"))
                let expected =
                    "\(date.description)|\(uuid.uuidString)|\(round)|x:\(worker)/\(round)"
                    + "|(\n    \(worker),\n    \(round)\n)|Song \(round)"
                guard text == expected else {
                    Issue.record("\(text) is not \(expected)")
                    return
                }
            }
        }
    }

    @Test func predicatesTakeTheSameArguments() {
        let date = Date(timeIntervalSince1970: 0)
        let predicate = NSPredicate(format: "a == %@ AND b IN %@ AND c == %@", date, [1, 2], NSNumber(value: 3))
        expectTrue(predicate.evaluate(with: ["a": date, "b": 2, "c": 3] as [String: Any]))
        expectFalse(predicate.evaluate(with: ["a": date, "b": 4, "c": 3] as [String: Any]))
        let expression = NSExpression(format: "a + %@", Decimal(2))
        #expect(expression.expressionValue(with: ["a": 1], context: nil) as? NSNumber == 3)
    }
}
