import CoreData

/// The sample model as a bundle of two versions, the second one current.
enum VersionedSample {
    static let second = SampleModel.source
        .replacingOccurrences(of: #"name="owner" optional="YES""#, with: #"name="owner""#)
        .replacingOccurrences(
            of: #"name="Person" representedClassName"#, with: #"name="Human" elementID="Person" representedClassName"#
        )
        .replacingOccurrences(of: #"destinationEntity="Person""#, with: #"destinationEntity="Human""#)
        .replacingOccurrences(of: #"inverseEntity="Person""#, with: #"inverseEntity="Human""#)

    /// Writes the bundle into the folder, and returns its path.
    static func write(to folder: TemporaryFolder) throws -> String {
        let bundle = folder.url.appendingPathComponent("Cars.xcdatamodeld")
        for (name, text) in [("Cars", SampleModel.source), ("Cars 2", second)] {
            try writeModel(text, to: bundle.appendingPathComponent(name + ".xcdatamodel"))
        }
        try Data(
            """
            <plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Cars \
            2.xcdatamodel</string></dict></plist>
            """
            .utf8
        )
        .write(to: bundle.appendingPathComponent(".xccurrentversion"))
        return bundle.path
    }

    @discardableResult
    static func writeModel(_ text: String, to url: URL) throws -> String {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        return url.path
    }

    /// A model whose names have markup, control characters, or more than a line.
    static let hostileNames = [
        "<script>alert(1)</script>", "a\u{1b}[31mred", "b\u{202e}txt", "\"quoted\" & 'more' %%{init}%%", "日本語の名前",
        "]]>--><!--",
        String(repeating: "long", count: 40),
    ]

    static var hostile: String {
        // XML doesn't allow some control characters.
        let names = hostileNames.map { $0.replacingOccurrences(of: "\u{1b}", with: "\u{9b}") }
        func escaped(_ text: String) -> String {
            text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
                .replacingOccurrences(of: "\"", with: "&quot;")
        }
        let entities = names.map { name in
            "<entity name=\"\(escaped(name))\">"
                + names.map { "<attribute name=\"\(escaped($0))\" attributeType=\"String\"/>" }.joined()
                    + """
                    <relationship name=\"to\(escaped(name))\" destinationEntity=\"\(escaped(names[0]))\" \
                    maxCount=\"1\"/></entity>
                    """
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><model>\(entities.joined())</model>"
    }
}
