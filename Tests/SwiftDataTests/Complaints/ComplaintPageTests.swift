import TestSupport

/// The page about complaints names tests that exist.
@Suite struct ComplaintPageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func namedTestsExist() throws {
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("Documentation/SwiftDataComplaints.md"), encoding: .utf8)
        let named = page.matches(of: /`(\w+Tests)\.(\w+)`/).map { (suite: String($0.1), test: String($0.2)) }
        #expect(named.count >= 15)
        var sources: [String] = []
        for target in ["SwiftDataTests", "SwiftDataAppsTests"] {
            let folder = Self.root.appendingPathComponent("Tests/\(target)")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                if file.pathExtension == "swift" { sources.append(try String(contentsOf: file, encoding: .utf8)) }
            }
        }
        for (suite, test) in named {
            #expect(
                sources.contains { $0.contains("struct \(suite)") && $0.contains("func \(test)(") },
                "\(suite).\(test) is no test")
        }
    }
}
