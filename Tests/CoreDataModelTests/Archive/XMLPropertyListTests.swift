import CoreDataModel
import CoreDataPredicates
import Testing

@Suite("XML property lists")
struct XMLPropertyListTests {
    private func read(_ body: String) throws -> PropertyListValue {
        try PropertyListReader.read(
            Data(#"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0">\#(body)</plist>"#.utf8))
    }

    @Test("A dictionary with only the key CF$UID is a reference")
    func references() throws {
        try expectEqual(read("<array><dict><key>CF$UID</key><integer>7</integer></dict></array>"), .array([.uid(7)]))
    }

    @Test("Every element is read")
    func elements() throws {
        let value = try read(
            """
            <dict><key>s</key><string> a &amp; b </string><key>i</key><integer>-3</integer><key>r</key><real>1e3</real>
            <key>t</key><true/><key>d</key><data>
            AQID
            </data><key>w</key><date>2001-01-01T00:00:10Z</date><key>e</key><string></string></dict>
            """)
        expectEqual(
            value,
            .dictionary([
                "s": .string(" a & b "), "i": .integer(-3), "r": .real(1000), "t": .boolean(true),
                "d": .data(Data([1, 2, 3])),
                "w": .date(10), "e": .string(""),
            ]))
    }

    @Test(
        "Malformed lists are refused with their position",
        arguments: [
            "<dict><key>a</key></dict>", "<dict><string>a</string></dict>", "<array><integer>x</integer></array>",
            "<array>", "<unknown/>", "<string>a</string><string>b</string>", "<key>a</key>", "",
            String(repeating: "<array>", count: 300) + String(repeating: "</array>", count: 300),
        ])
    func malformed(body: String) {
        let error = #expect(throws: CocoaError.self) { try read(body) }
        expectEqual(error?.code, .propertyListReadCorrupt)
    }

    @Test("Exponentially nested entities are refused")
    func entities() {
        var text = #"<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a0 "aaaaaaaaaaaaaaaa">"#
        for level in 1...12 {
            text += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        text += "]><plist><string>&a12;</string></plist>"
        #expect(throws: (any Error).self) { try PropertyListReader.read(Data(text.utf8)) }
    }

    @Test("Names that are not UTF-8 are an error")
    func namesOutsideUTF8() {
        let head = Array(#"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><"#.utf8)
        for hostile: [UInt8] in [[0xFF, 0xFE, 0x61], [0x61, 0xC3], [0xE2, 0x28, 0xA1], [0x64, 0x00, 0x69]] {
            let data = Data(head + hostile + Array("/></plist>".utf8))
            #expect(throws: (any Error).self) { try PropertyListReader.read(data) }
        }
    }

    @Test("Damaged lists give an error or a value")
    func damaged() {
        let sound = Array(
            #"""
            <?xml version="1.0" encoding="UTF-8"?><plist \#
            version="1.0"><dict><key>name</key><array><string>é</string></array></dict></plist>
            """#
            .utf8)
        let seed = TestRun.seed(for: "Damaged property list")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                guard case .dictionary? = try PropertyListReader.read(Data(bytes)) as PropertyListValue? else {
                    Issue.record("a list without its dictionary was read, seed \(seed)")
                    continue
                }
            } catch let error as NSError {
                expectEqual(error.domain, NSCocoaErrorDomain, "seed \(seed)")
            }
        }
    }
}
