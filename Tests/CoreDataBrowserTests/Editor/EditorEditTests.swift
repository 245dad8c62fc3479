import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata model edit: edits and steps")
struct EditorEditTests {
    private static let setHash =
        #"{"kind": "set", "path": "entity:Song", "attribute": "versionHashModifier", "value": "2"}"#

    @Test("A change of one setting is a change of one line in the saved file, and nothing before the save")
    func oneLine() throws {
        let session = try EditorTestSession()
        try expectEqual(session.edit(Self.setHash).status, 200)
        try expectEqual(session.contents, MusicSourceModel.contents)
        try expectEqual(session.edit(#"{"kind": "save"}"#).note, "Saved.")
        let (old, new) = (MusicSourceModel.contents.split(separator: "\n"), try session.contents.split(separator: "\n"))
        expectEqual(new.difference(from: old).insertions.count, 1)
        expectContains(
            try session.contents, #"<entity name="Song" representedClassName="Song" versionHashModifier="2""#)
    }

    @Test("A model that is opened and saved keeps its bytes, and its date")
    func untouched() throws {
        let session = try EditorTestSession()
        let before = try FileManager.default.attributesOfItem(atPath: session.file.path)[.modificationDate] as? Date
        try session.edit(#"{"kind": "save"}"#)
        try expectEqual(session.contents, MusicSourceModel.contents)
        let after = try FileManager.default.attributesOfItem(atPath: session.file.path)[.modificationDate] as? Date
        expectEqual(after, before)
    }

    @Test("Each step is undone and done again, also across a save")
    func undo() throws {
        let session = try EditorTestSession()
        let commands = [
            Self.setHash, #"{"kind": "add", "path": "", "element": "entity", "name": "Genre"}"#,
            #"{"kind": "rename", "path": "entity:Album", "name": "Record"}"#,
            #"{"kind": "place", "positions": {"Song": {"x": 3, "y": 4}}}"#,
            #"{"kind": "addVersion", "name": "Music 2"}"#,
        ]
        for command in commands { try expectEqual(session.edit(command).status, 200) }
        try session.edit(#"{"kind": "save"}"#)
        let changed = try session.contents
        try expectEqual(session.folder.contents, ["Music.xcdatamodeld"])
        for _ in commands { try expectEqual(session.edit(#"{"kind": "undo"}"#).status, 200) }
        try expectEqual(session.edit(#"{"kind": "undo"}"#).error, "There is nothing to undo.")
        try session.edit(#"{"kind": "save"}"#)
        try expectEqual(session.contents, MusicSourceModel.contents)
        expectFalse(
            FileManager.default.fileExists(atPath: session.folder.path("Music.xcdatamodeld/Music 2.xcdatamodel")))
        for _ in commands { try expectEqual(session.edit(#"{"kind": "redo"}"#).status, 200) }
        try session.edit(#"{"kind": "save"}"#)
        try expectEqual(session.contents, changed)
    }

    @Test("A refused value names its field, and changes nothing")
    func refused() throws {
        let session = try EditorTestSession()
        let answer = try session.edit(
            #"{"kind": "set", "path": "entity:Song/attribute:length", "attribute": "minValueString", "value": "many"}"#)
        expectEqual(answer.status, 422)
        expectEqual(answer.field, "minValueString")
        expectEqual(answer.error, "‘many’ is no Double.")
        expectContains(try session.text("/state"), #""isChanged":false"#)
    }

    @Test(
        "Bodies that are no commands are refused",
        arguments: [
            "", "[]", "{}", #"{"kind": "sing"}"#, #"{"kind": "set"}"#, #"{"kind": "set", "path": "entity"}"#,
            #"{"kind": "add", "path": ""}"#, #"{"kind": "relate"}"#, #"{"kind": "index", "path": "entity:Song"}"#,
        ])
    func broken(command: String) throws {
        let session = try EditorTestSession()
        let body = #"{"revision": 1, "view": "", "command": \#(command)}"#
        let response = session.editor.response(
            to: WebRequest("/edit", method: "POST", headers: session.editHeaders, body: body))
        expectEqual(response.status, 400)
    }

    @Test("Two windows: edits of different parts are both kept, an old edit of the same part is refused")
    func windows() throws {
        let session = try EditorTestSession()
        let seen = session.editor.session.poll().revision
        let first = #"{"kind": "set", "path": "entity:Song/attribute:title", "attribute": "optional", "value": "NO"}"#
        let second = #"{"kind": "set", "path": "entity:Album/attribute:title", "attribute": "optional", "value": "NO"}"#
        try expectEqual(session.edit(first, revision: seen).status, 200)
        try expectEqual(session.edit(second, revision: seen).status, 200)
        let third =
            #"{"kind": "set", "path": "entity:Song/attribute:title", "attribute": "elementID", "value": "name"}"#
        let refused = try session.edit(third, revision: seen)
        expectEqual(refused.status, 409)
        expectEqual(refused.error?.contains("Another window"), true)
        // The answer brings the state of now, so that the next try passes.
        #expect(refused.parts["inspector"] != nil)
        try expectEqual(session.edit(third, revision: refused.revision).status, 200)
    }

    @Test("An element that another window has removed is named in the refusal")
    func removed() throws {
        let session = try EditorTestSession()
        try session.edit(#"{"kind": "remove", "path": "entity:Song"}"#)
        let answer = try session.edit(Self.setHash)
        expectEqual(answer.status, 422)
        expectEqual(answer.error, "There is no entity ‘Song’. Another edit has removed it.")
    }

    @Test("Relations, text, constraints, index elements, user info and members are commands of one step each")
    func kinds() throws {
        let session = try EditorTestSession()
        let commands = [
            #"""
            {"kind": "relate", "relation": {"source": "Song", "destination": "Song", \#
            "name": "next", "inverse": "former"}}
            """#,
            #"{"kind": "add", "path": "entity:Song", "element": "fetchIndex", "name": "byTitle"}"#,
            #"""
            {"kind": "index", "path": "entity:Song/fetchIndex:byTitle", \#
            "elements": [{"expression": "lowercase:(title)", "expressionType": "String", \#
            "isDescending": true}]}
            """#,
            #"{"kind": "constraints", "path": "entity:Song", "lists": [["title"]]}"#,
            #"{"kind": "userInfo", "path": "entity:Song", "entries": [{"key": "a", "value": "b"}]}"#,
            #"{"kind": "add", "path": "", "element": "configuration", "name": "Cloud"}"#,
            #"{"kind": "members", "path": "configuration:Cloud", "names": ["Song"]}"#,
            #"{"kind": "add", "path": "", "element": "composite", "name": "Place"}"#,
            #"{"kind": "add", "path": "composite:Place", "element": "attribute", "name": "street"}"#,
            #"""
            {"kind": "add", "path": "entity:Album", "element": "attribute", "name": "place", \#
            "attributes": {"attributeType": "Composite"}}
            """#,
            #"{"kind": "add", "path": "", "element": "fetchRequest", "name": "All"}"#,
            #"{"kind": "add", "path": "entity:Album", "element": "fetchedProperty", "name": "others"}"#,
        ]
        for command in commands {
            let answer = try session.edit(command)
            expectEqual(answer.status, 200, "\(command): \(answer.error ?? "")")
        }
        try session.edit(#"{"kind": "save"}"#)
        let model = try requireValue(NSManagedObjectModel(contentsOf: session.file.deletingLastPathComponent()))
        let song = try requireValue(model.entitiesByName["Song"])
        expectEqual(song.relationshipsByName["next"]?.inverseRelationship?.name, "former")
        expectEqual(song.uniquenessConstraints.count, 1)
        expectEqual(song.indexes.first?.elements.first?.isAscending, false)
        expectEqual(model.entities(forConfigurationName: "Cloud")?.map(\.name), ["Song"])
        #expect(model.fetchRequestTemplatesByName["All"] != nil)
        let place = model.entitiesByName["Album"]?.attributesByName["place"] as? NSCompositeAttributeDescription
        expectEqual(place?.elements.map(\.name), ["street"])
    }
}
