import CoreDataSyncWire
import Foundation
import TestExpectations
import Testing

@Suite("A value in a message")
struct SyncValueTests {
    private func roundTrip(_ value: SyncValue) throws -> SyncValue {
        try JSONDecoder().decode(SyncValue.self, from: JSONEncoder().encode(value))
    }

    private static let values: [SyncValue] = [
        .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .integer(.min), .integer(.max),
        .double(0), .double(-0.0), .double(0.1), .double(1), .double(.greatestFiniteMagnitude),
        .double(.leastNonzeroMagnitude), .double(.infinity), .double(-.infinity), .double(.nan),
        .decimal(0), .decimal(Decimal(string: "12345678901234567890123456789012345678")!),
        .decimal(Decimal(string: "-0.00000000000000000000000000000000000001")!), .decimal(.nan),
        .text(""), .text("true"), .text("null"), .text("\u{0}\u{1F600}\"\\/"), .text("e\u{301}"), .text("\u{e9}"),
        .date(0), .date(.nan), .date(-63_114_076_800), .date(700_000_000.123_456_7), .date(.infinity),
        .uuid(UUID()), .uri("https://example.org/ä?b=c"), .uri(""), .data(Data()), .data(Data([0, 255, 10])),
        .object(UUID()), .objects([]), .objects([UUID(), UUID()]),
        .composite(["a": .integer(1), "b": .composite(["f": .double(.nan)])]), .composite([:]),
    ]

    @Test("reads back as it was, with its type", arguments: values)
    func roundTrip(value: SyncValue) throws {
        expectEqual(try roundTrip(value), value)
        expectEqual(try roundTrip(.composite(["f": value])), .composite(["f": value]))
    }

    @Test("equals no value of another type or another spelling")
    func equality() {
        for (index, one) in Self.values.enumerated() {
            for (other, second) in Self.values.enumerated() { expectEqual(one == second, index == other) }
        }
    }

    @Test(
        "is refused in another form",
        arguments: [
            "{}", "[]", "[1]", "1.5", "{\"f\":\"x\"}", "{\"f\":1}", "{\"n\":\"\"}", "{\"n\":\"1x\"}",
            "{\"n\":\"1e999\"}", "{\"t\":\"yesterday\"}", "{\"u\":\"1\"}", "{\"d\":\"*\"}", "{\"o\":null}",
            "{\"os\":{}}", "{\"c\":[]}", "{\"f\":\"1\",\"t\":\"1\"}", "{\"x\":1}", "9223372036854775808",
        ])
    func malformed(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SyncValue.self, from: Data(json.utf8)) }
    }

    @Test(
        "of a change reads back as it was",
        arguments: [
            SyncPropertyChange.Change.value(.null), .value(.double(.nan)), .difference(.integer(-1)),
            .members(added: [UUID()], removed: []), .members(added: [], removed: []), .moves([]),
            .moves([SyncMove(object: UUID(), predecessors: [UUID()])]),
        ])
    func change(change: SyncPropertyChange.Change) throws {
        let property = SyncPropertyChange(base: .max, change: change)
        expectEqual(
            try JSONDecoder().decode(SyncPropertyChange.self, from: JSONEncoder().encode(property)), property)
    }

    @Test(
        "of a change is refused in another form",
        arguments: [
            "{}", "{\"b\":1}", "{\"v\":1}", "{\"b\":1,\"v\":1,\"d\":1}", "{\"b\":1,\"a\":[]}", "{\"b\":1.5,\"v\":1}",
            "{\"b\":1,\"a\":[],\"r\":[],\"m\":[]}", "{\"b\":1,\"m\":1}", "[]",
        ])
    func malformedChange(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SyncPropertyChange.self, from: Data(json.utf8))
        }
    }

    @Test("that is nested 10,000 deep is refused")
    func depth() {
        let json = String(repeating: "{\"c\":{\"a\":", count: 10_000) + "1" + String(repeating: "}}", count: 10_000)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SyncValue.self, from: Data(json.utf8)) }
    }
}
