import CoreDataModel
import Testing

@Suite("Hostile texts are refused in short time, or read")
struct HostileNotationTests {
    private let url = URL(fileURLWithPath: "/Hostile.coredata")

    private func refusal(_ data: Data) throws -> String {
        let error = try #require(throws: CocoaError.self) { try TextNotation.read(data, from: url) }
        expectEqual(error.code, .fileReadCorruptFile)
        #expect(error.localizedDescription.count < 600)
        return error.localizedDescription
    }

    @Test("Deep nesting", arguments: ["{", "[", "A {", "A { user-info { a: ", "A { x: string {", "a: { "])
    func nesting(opening: String) throws {
        let text = String(repeating: opening, count: 10_000)
        _ = try refusal(Data(text.utf8))
        expectContains(try refusal(Data(("A { user-info { k: " + text).utf8)), "line 1")
        expectContains(try refusal(Data(("A { x: undefined, default: " + text).utf8)), "line 1")
    }

    @Test("Tokens of a megabyte")
    func longTokens() throws {
        let size = TestRun.quick(1 << 17, long: 1 << 20)
        let long = String(repeating: "x", count: size)
        try expectEqual(TextNotation.read(Data("\(long) {}".utf8), from: url).entities.count, 1)
        _ = try refusal(Data(long.utf8))
        _ = try refusal(Data("A { \(long): \(long) }".utf8))
        _ = try refusal(Data("A { attribute x: string, \(long) }".utf8))
        _ = try refusal(Data("\"\(long)".utf8))
        _ = try refusal(Data(("#" + String(repeating: "#", count: size)).utf8))
        _ = try refusal(Data(String(repeating: "(", count: size).utf8))
        _ = try refusal(Data(("A {" + String(repeating: ";", count: size)).utf8))
    }

    @Test(
        "Bytes that are not UTF-8",
        arguments: [
            [0x41, 0xFF], [0xC3], [0xE2, 0x82], [0xF8, 0x80], [0xED, 0xA0, 0x80], [0x22, 0xC0, 0x80], [0x80],
        ])
    func badBytes(bytes: [UInt8]) throws { _ = try refusal(Data(bytes)) }

    @Test("A zero byte", arguments: ["\u{0}", "A \u{0}{}", "A { \u{0}x: string }"])
    func zero(text: String) throws { expectContains(try refusal(Data(text.utf8)), "\\u{0}") }

    @Test("Truncated and changed texts are refused or read")
    func mutants() throws {
        let seed = TestRun.seed(for: "Damaged text")
        var random = SeededGenerator(seed: seed)
        let text = Array(try TextNotation.text(of: LibraryModel.make()).utf8)
        for _ in 0..<TestRun.quick(200, long: 2_000) {
            var bytes = text
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            case 1: bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random))
            default:
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 1..<40, using: &random))
                bytes.insert(contentsOf: text[start..<end], at: Int.random(in: 0..<bytes.count, using: &random))
            }
            do {
                _ = try TextNotation.read(Data(bytes), from: url)
            } catch let error as CocoaError {
                expectEqual(error.code, .fileReadCorruptFile)
            }
        }
    }

    @Test("Very many entities are read and written")
    func manyEntities() throws {
        let count = TestRun.isLong ? 20_000 : 2_000
        var text = ""
        for number in 0..<count {
            text +=
                """
                E\(number) { x: string; to-one next: E\((number + 1) % count), inverse: last\n to-one last: \
                E\((number + count - 1) % count), inverse: next }\n
                """
        }
        let model = try TextNotation.read(Data(text.utf8), from: url)
        expectEqual(model.entities.count, count)
        #expect(try TextNotation.text(of: model).utf8.count > text.utf8.count)
    }
}
