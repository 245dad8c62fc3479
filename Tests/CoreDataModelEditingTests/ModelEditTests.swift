import Testing

@testable import CoreDataModelEditing

@Suite("Edits of a model")
struct ModelEditTests {
    static let music = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Album" representedClassName="Album" syncable="YES">
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="songs" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Song" \
        inverseName="album" inverseEntity="Song"/>
            </entity>
            <entity name="Song" representedClassName="Song" syncable="YES">
                <attribute name="length" optional="YES" attributeType="Double" defaultValueString="0.0" \
        usesScalarValueType="YES"/>
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="album" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Album" \
        inverseName="songs" inverseEntity="Album"/>
                <fetchIndex name="byTitle">
                    <fetchIndexElement property="title" type="Binary" order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="title"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <fetchRequest name="Long" entity="Song" predicateString="length &gt; 300"/>
            <configuration name="Cloud">
                <memberEntity name="Song"/>
            </configuration>
            <elements>
                <element name="Album" positionX="0" positionY="0" width="128" height="73"/>
                <element name="Song" positionX="200" positionY="0" width="128" height="89"/>
            </elements>
        </model>
        """

    private func document() throws -> SourceTreeDocument {
        try SourceTreeDocument(Data(Self.music.utf8), from: URL(fileURLWithPath: "/contents"))
    }

    /// The lines of the file that an edit removes and adds.
    private func lines(_ edits: ModelEdit...) throws -> (removed: [String], added: [String], ModelEditOutcome) {
        var document = try document()
        let before = String(decoding: document.data, as: UTF8.self).split(separator: "\n").map(String.init)
        var outcome = ModelEditOutcome(label: "", touched: [])
        for edit in edits { (document.root, outcome) = try ModelEditing.apply(edit, to: document.root) }
        // The written file is read again.
        let again = try SourceTreeDocument(document.data, from: URL(fileURLWithPath: "/contents"))
        expectEqual(again.data, document.data)
        let after = String(decoding: document.data, as: UTF8.self).split(separator: "\n").map(String.init)
        let changes = after.difference(from: before)
        func text(_ change: CollectionDifference<String>.Change) -> String {
            switch change {
            case .insert(_, let line, _), .remove(_, let line, _): line.trimmingCharacters(in: .whitespaces)
            }
        }
        return (changes.removals.map(text), changes.insertions.map(text), outcome)
    }

    private func refusal(_ edit: ModelEdit) throws -> ModelEditError {
        let root = try document().root
        do {
            _ = try ModelEditing.apply(edit, to: root)
        } catch let error as ModelEditError {
            return error
        }
        Issue.record("no refusal of \(edit)")
        return ModelEditError("")
    }

    private let song = ModelPath.entity("Song")

    @Test("An attribute gets its place in Xcode's order, a line of its own, and Xcode's settings of its type")
    func addAttribute() throws {
        let lines = try lines(
            .add(to: song, kind: "attribute", name: "rating", attributes: ["attributeType": "Integer 16"]))
        expectEqual(lines.removed, [])
        expectEqual(
            lines.added,
            [
                #"""
                <attribute name="rating" optional="YES" attributeType="Integer 16" defaultValueString="0" \#
                usesScalarValueType="YES"/>
                """#
            ])
        expectEqual(lines.2.selection, song.child("attribute", "rating"))
    }

    @Test("An entity without contents has one line, between its neighbours")
    func addEntity() throws {
        let lines = try lines(.add(to: .model, kind: "entity", name: "Genre", attributes: [:]))
        expectEqual(
            lines.added,
            [
                #"<entity name="Genre" representedClassName="Genre" syncable="YES" codeGenerationType="class"/>"#
            ])
    }

    @Test("Another type takes away what it can't have")
    func changeType() throws {
        let lines = try lines(
            .set(song.child("attribute", "length"), attribute: "minValueString", value: "1.5"),
            .set(song.child("attribute", "length"), attribute: "attributeType", value: "Date"))
        expectEqual(
            lines.added, [#"<attribute name="length" optional="YES" attributeType="Date" usesScalarValueType="NO"/>"#]
        )
    }

    @Test("A renamed entity is renamed wherever it is named")
    func renameEntity() throws {
        let lines = try lines(.rename(song, to: "Track", keepsValues: true))
        expectEqual(lines.added.count, 5)
        #expect(
            lines.added.contains {
                $0.hasPrefix(#"<entity name="Track" representedClassName="Track" elementID="Song""#)
            })
        #expect(
            lines.added.contains {
                $0.contains(#"destinationEntity="Track" inverseName="album" inverseEntity="Track""#)
            })
        #expect(lines.added.contains { $0.contains(#"<fetchRequest name="Long" entity="Track""#) })
        expectContains(lines.added, #"<memberEntity name="Track"/>"#)
        #expect(lines.added.contains { $0.hasPrefix(#"<element name="Track" positionX="200""#) })
        expectEqual(lines.2.selection, .entity("Track"))
    }

    @Test("A renamed property is renamed in inverses, indexes and constraints, and moves to its place")
    func renameProperty() throws {
        let title = try lines(.rename(song.child("attribute", "title"), to: "caption", keepsValues: false))
        expectEqual(title.added.count, 3)
        expectContains(title.added, #"<constraint value="caption"/>"#)
        let album = try lines(.rename(song.child("relationship", "album"), to: "record", keepsValues: false))
        #expect(album.added.contains { $0.contains(#"inverseName="record""#) })
        let length = try lines(.rename(song.child("attribute", "length"), to: "seconds", keepsValues: false))
        expectEqual(length.2.note?.contains("Long"), true)
    }

    @Test("A drawn relationship brings its inverse along, under names made from the entities")
    func relate() throws {
        var relation = ModelEdit.Relation(source: "Album", destination: "Song")
        relation.inverseIsToMany = true
        let lines = try lines(.relate(relation))
        expectEqual(
            lines.added,
            [
                #"""
                <relationship name="song" optional="YES" maxCount="1" deletionRule="Nullify" \#
                destinationEntity="Song" inverseName="albums" inverseEntity="Song"/>
                """#,
                #"""
                <relationship name="albums" optional="YES" toMany="YES" deletionRule="Nullify" \#
                destinationEntity="Album" inverseName="song" inverseEntity="Album"/>
                """#,
            ])
    }

    @Test("A name made from an entity is none that a class can't have")
    func relateToCopy() throws {
        let root = try ModelEditing.apply(
            .rename(.entity("Album"), to: "Copy", keepsValues: false), to: document().root
        )
        .root
        let related = try ModelEditing.apply(.relate(.init(source: "Song", destination: "Copy")), to: root).root
        #expect(related.element(at: ModelPath.entity("Song").child("relationship", "songCopy")) != nil)
    }

    @Test("A relationship of an entity to itself can have an inverse")
    func relateToItself() throws {
        var relation = ModelEdit.Relation(source: "Album", destination: "Album")
        relation.name = "next"
        relation.inverse = "former"
        let root = try ModelEditing.apply(.relate(relation), to: document().root).root
        expectEqual(root.element(at: ModelPath.entity("Album").child("relationship", "next"))?["inverseName"], "former")
        expectEqual(root.element(at: ModelPath.entity("Album").child("relationship", "former"))?["inverseName"], "next")
    }

    @Test("Removing an entity takes its references away and says which relationships lack a destination")
    func removeEntity() throws {
        let lines = try lines(.remove(song))
        expectEqual(lines.2.note, "Without a destination now: Album.songs.")
        #expect(!lines.removed.isEmpty)
        expectEqual(
            lines.added,
            [
                #"<relationship name="songs" optional="YES" toMany="YES" deletionRule="Cascade"/>"#,
                #"<configuration name="Cloud"/>"#,
            ])
    }

    @Test("Removing an attribute removes the indexes and constraints that consist of it")
    func removeAttribute() throws {
        let lines = try lines(.remove(song.child("attribute", "title")))
        expectEqual(lines.added, [])
        expectEqual(lines.removed.count, 9)
    }

    @Test("An inverse is set and removed on both sides")
    func inverse() throws {
        let removed = try lines(.set(song.child("relationship", "album"), attribute: "inverseName", value: nil))
        expectEqual(removed.added.count, 2)
        #expect(removed.added.allSatisfy { !$0.contains("inverseName") })
        let again = try lines(
            .set(song.child("relationship", "album"), attribute: "inverseName", value: nil),
            .set(song.child("relationship", "album"), attribute: "inverseName", value: "songs"))
        expectEqual(again.added, [])
    }

    @Test("User info, constraints, index elements and members change only the lines of what changed")
    func lists() throws {
        let info = try lines(.setUserInfo(song, [.init(key: "a", value: "1\n2"), .init(key: "b", value: "<")]))
        expectEqual(
            info.added,
            [
                "<userInfo>", #"<entry key="a" value="1&#10;2"/>"#, #"<entry key="b" value="&lt;"/>"#, "</userInfo>",
            ])
        let constraints = try lines(.setConstraints(entity: "Song", [["title"], ["album", "length"]]))
        expectEqual(constraints.removed, [])
        expectEqual(constraints.added.count, 4)
        let none = try lines(.setConstraints(entity: "Song", []))
        expectEqual(none.removed.count, 5)
        var spatial = ModelEdit.IndexElement(property: "length")
        spatial.isDescending = true
        let index = try lines(.setIndex(song.child("fetchIndex", "byTitle"), [.init(property: "title"), spatial]))
        expectEqual(index.added, [#"<fetchIndexElement property="length" type="Binary" order="descending"/>"#])
        let members = try lines(.setMembers(configuration: "Cloud", ["Song", "Album"]))
        expectEqual(members.added, [#"<memberEntity name="Album"/>"#])
    }

    @Test("A moved box changes its line in the file; the first drawing adds the element of the drawing")
    func place() throws {
        let lines = try lines(.place(["Song": .init(x: -5, y: 7)]))
        expectEqual(lines.added, [#"<element name="Song" positionX="-5" positionY="7" width="128" height="89"/>"#])
    }

    @Test("The text notation changes only what differs")
    func text() throws {
        let text = try EditedModel.text(of: document().root, isText: false)
        let same = try lines(.setText(text))
        #expect(same.added == [] && same.removed == [])
        let changed = try lines(.setText(text.replacingOccurrences(of: "length: double", with: "duration: double")))
        expectEqual(
            changed.added,
            [
                #"""
                <attribute name="duration" optional="YES" attributeType="Double" defaultValueString="0.0" \#
                usesScalarValueType="YES"/>
                """#
            ])
        expectEqual(changed.removed.count, 1)
        expectContains(try refusal(.setText("entity Song {")).message, "Line 1")
    }

    @Test(
        "Edits that make no sense are refused with a sentence",
        arguments: [
            (ModelEdit.set(.entity("Song"), attribute: "parentEntity", value: "Song"), "inherit from itself"),
            (.set(.entity("None"), attribute: "isAbstract", value: "YES"), "There is no entity ‘None’"),
            (.set(.entity("Song"), attribute: "colour", value: "red"), "has no setting colour"),
            (.rename(.entity("Song"), to: "Album", keepsValues: false), "There is already an entity ‘Album’"),
            (.rename(.entity("Song"), to: "  ", keepsValues: false), "A name is missing"),
            (.rename(.entity("Song"), to: "a\u{1}b", keepsValues: false), "characters"),
            (
                .set(ModelPath.entity("Song").child("attribute", "length"), attribute: "maxValueString", value: "long"),
                "‘long’ is no Double."
            ),
            (
                .set(
                    ModelPath.entity("Song").child("attribute", "title"), attribute: "regularExpressionString",
                    value: "("), "regular expression"
            ),
            (
                .set(ModelPath([.init("fetchRequest", "Long")]), attribute: "predicateString", value: "length >"),
                "can't be read"
            ),
            (.setConstraints(entity: "Song", [["titel"]]), "Did you mean"),
            (.add(to: .entity("Song"), kind: "entity", name: nil, attributes: [:]), "can't contain"),
            (
                .add(to: .entity("Song"), kind: "relationship", name: "title", attributes: [:]),
                "There is already an attribute"
            ),
            (.remove(.model), "can't be removed"),
        ])
    func refusals(edit: ModelEdit, part: String) throws {
        let message = try refusal(edit).message
        expectContains(message, part, "\(message)")
    }

    @Test(
        "Paths are read from their text",
        arguments: ["", "entity:Song", "entity:a%2Fb%3A%25/attribute:x", "entity:A/fetchIndex:i/fetchIndexElement@2"])
    func paths(text: String) throws {
        let path = try requireValue(ModelPath(text))
        expectEqual(path.text, text)
        expectEqual(ModelPath("entity:A/x@-1"), nil)
        expectEqual(ModelPath("entity"), nil)
    }
}
