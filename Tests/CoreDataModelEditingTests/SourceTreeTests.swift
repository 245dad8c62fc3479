import Testing

@testable import CoreDataModelEditing

@Suite("Source models as trees that keep every byte")
struct SourceTreeTests {
    @Test("Each source model of the corpus is written byte by byte", .enabled(if: Corpus.isPresent, "no corpus here"))
    func corpus() throws {
        var count = 0
        for file in try EditedFiles.corpus() {
            let data = try Data(contentsOf: file)
            let written = try SourceTreeDocument(data, from: file).data
            expectEqual(written, data, "\(file.path)")
            count += 1
        }
        #expect(count >= 93)
    }

    @Test(
        "A change of one attribute changes one line of each source model of the corpus",
        .enabled(if: Corpus.isPresent, "no corpus here"))
    func oneLine() throws {
        for file in try EditedFiles.corpus() {
            let data = try Data(contentsOf: file)
            let document = try SourceTreeDocument(data, from: file)
            let entity = try requireValue(document.root.child(named: "entity"))
            let attribute = try requireValue(
                document.root.children.lazy.filter { $0.name == "entity" }.compactMap { entity in
                    entity.child(named: "attribute").map {
                        ModelPath.entity(entity["name"] ?? "").child("attribute", $0["name"] ?? "")
                    }
                }.first)
            let edits: [ModelEdit] = [
                .set(.entity(entity["name"] ?? ""), attribute: "versionHashModifier", value: "x<y"),
                .set(
                    attribute, attribute: "optional",
                    value: document.root.element(at: attribute)?.isTrue("optional") == true ? "NO" : "YES"),
            ]
            for edit in edits {
                var changed = document
                changed.root = try ModelEditing.apply(edit, to: document.root).root
                expectEqual(EditedFiles.differences(data, changed.data), 1, "\(file.path) \(edit)")
            }
        }
    }

    @Test("Comments, unknown elements, quotes, entities and odd white space stay")
    func oddities() throws {
        let text = """
            <?xml version="1.0"?><!-- first -->
            <model  type='com.apple' future="a&amp;b&#10;c" >\r
              <!-- an <entity> in a comment -->
            \t<entity name="Größe&quot;" ><unknown  a="1"/></entity  >
              <entity name="B"></entity><![CDATA[ <x> ]]><?tool data?>
            </model>
            <!-- last -->

            """
        let document = try SourceTreeDocument(Data(text.utf8), from: URL(fileURLWithPath: "/contents"))
        expectEqual(String(decoding: document.data, as: UTF8.self), text)
        expectEqual(document.root["future"], "a&b\nc")
        expectEqual(document.root.children.map { $0["name"] }, ["Größe\"", "B"])
        var changed = document
        changed.root = try ModelEditing.apply(
            .set(.entity("B"), attribute: "elementID", value: "A&"), to: document.root
        ).root
        let expected = text.replacingOccurrences(
            of: "<entity name=\"B\">", with: "<entity name=\"B\" elementID=\"A&amp;\">")
        expectEqual(String(decoding: changed.data, as: UTF8.self), expected)
    }

    @Test("An element that moves to its place after a renaming keeps its comments and its white space")
    func move() throws {
        let text = """
            <model>
                <entity name="A"><!-- first -->
                  <attribute name="x"/>
                    <!-- last --></entity>
                <entity name="B"/>
            </model>
            """
        var document = try SourceTreeDocument(Data(text.utf8), from: URL(fileURLWithPath: "/contents"))
        document.root = try ModelEditing.apply(
            .rename(.entity("A"), to: "C", keepsValues: false), to: document.root
        ).root
        let expected = """
            <model>
                <entity name="B"/>
                <entity name="C"><!-- first -->
                  <attribute name="x"/>
                    <!-- last --></entity>
            </model>
            """
        expectEqual(String(decoding: document.data, as: UTF8.self), expected)
    }

    @Test(
        "Damaged files are refused with the line",
        arguments: [
            ("<model>\n<<<<<<< HEAD\n<entity name=\"A\"/>\n=======\n>>>>>>> other\n</model>", "merge conflict"),
            ("<model>\n<entity>\n</model>", "line 3"), ("<plist/>", "not a model"),
            ("<!DOCTYPE model SYSTEM \"x\"><model/>", "document type"), ("", "element"),
            ("<model a=\"1\" a=\"2\"/>", "twice"),
        ])
    func damaged(text: String, part: String) throws {
        do {
            _ = try SourceTreeDocument(Data(text.utf8), from: URL(fileURLWithPath: "/x/contents"))
            Issue.record("no error")
        } catch {
            expectContains(error.localizedDescription, part, "\(error.localizedDescription)")
        }
    }

    @Test("An edit that is undone by the opposite edit leaves the same bytes")
    func thereAndBack() throws {
        let data = Data(FullSourceModel.xml.utf8)
        let document = try SourceTreeDocument(data, from: URL(fileURLWithPath: "/contents"))
        let entity = try requireValue(document.root.child(named: "entity")?["name"])
        var root = document.root
        root = try ModelEditing.apply(
            .add(to: .entity(entity), kind: "attribute", name: "zzz", attributes: [:]), to: root
        ).root
        #expect(root != document.root)
        root = try ModelEditing.apply(.remove(ModelPath.entity(entity).child("attribute", "zzz")), to: root).root
        var changed = document
        changed.root = root
        expectEqual(changed.data, data)
    }
}

/// Files that tests of edits read, and how they differ afterwards.
enum EditedFiles {
    /// The file of each source model of the corpus in XML.
    static func corpus() throws -> [URL] {
        try ["chat/zmessaging.xcdatamodeld", "shop/SampleModel.xcdatamodeld"].flatMap { bundle in
            try SourceModelBundle(at: Corpus.url(bundle)).versions.map { $0.url.appendingPathComponent("contents") }
        }
    }

    /// How many lines were replaced, removed or added.
    static func differences(_ one: Data, _ other: Data) -> Int {
        let (old, new) = (one.split(separator: 10), other.split(separator: 10))
        let changes = new.difference(from: old)
        return max(changes.insertions.count, changes.removals.count)
    }
}
