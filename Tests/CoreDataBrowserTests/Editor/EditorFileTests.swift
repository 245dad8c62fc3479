import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata model edit: files and versions")
struct EditorFileTests {
    private static let setHash =
        #"{"kind": "set", "path": "entity:Song", "attribute": "versionHashModifier", "value": "2"}"#

    @Test(
        "Each bundle of the corpus that is opened, whose versions are looked at and saved keeps its bytes",
        .enabled(if: Corpus.isPresent, "no corpus here"),
        arguments: ["chat/zmessaging.xcdatamodeld", "shop/SampleModel.xcdatamodeld"])
    func corpus(name: String) throws {
        let folder = try TemporaryFolder()
        let copy = folder.file("Model.xcdatamodeld")
        try FileManager.default.copyItem(at: Corpus.url(name), to: copy)
        let session = try EditorSession(EditorFiles(copy.path))
        let versions = try session.snapshot(of: nil, isChecked: false).versions
        for version in versions { _ = try session.snapshot(of: version, isChecked: false) }
        func perform(_ json: String, _ version: String) throws {
            let command = try JSONDecoder().decode(EditorCommand.self, from: Data(json.utf8))
            _ = try session.perform(command, seen: session.poll().revision, version: version)
        }
        try perform(#"{"kind": "save"}"#, versions[0])
        try expectEqual(changedLines(copy, Corpus.url(name)), [:])
        for version in versions {
            let entity = try session.snapshot(of: version, isChecked: false).entityNames[0]
            try perform(
                #"{"kind": "set", "path": "entity:\#(entity)", "attribute": "isAbstract", "value": "YES"}"#, version)
        }
        try perform(#"{"kind": "save"}"#, versions[0])
        let changed = try changedLines(copy, Corpus.url(name))
        #expect(changed.values.allSatisfy { $0 == 1 })
        #expect(changed.count >= versions.count - 60)
        for _ in changed { try perform(#"{"kind": "undo"}"#, versions[0]) }
        try perform(#"{"kind": "save"}"#, versions[0])
        try expectEqual(changedLines(copy, Corpus.url(name)), [:])
    }

    /// How many lines of each file differ between two folders.
    private func changedLines(_ one: URL, _ other: URL) throws -> [String: Int] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: one.path).sorted()
        try expectEqual(names, FileManager.default.subpathsOfDirectory(atPath: other.path).sorted())
        var result: [String: Int] = [:]
        for name in names where !name.hasSuffix(".xcdatamodel") {
            let (new, old) = try (
                Data(contentsOf: one.appendingPathComponent(name)), Data(contentsOf: other.appendingPathComponent(name))
            )
            guard new != old else { continue }
            result[name] = new.split(separator: 10).difference(from: old.split(separator: 10)).insertions.count
        }
        return result
    }

    @Test("A file that another program changes is read again; with unsaved changes the editor asks")
    func outside() throws {
        let session = try EditorTestSession()
        let theirs = MusicSourceModel.contents.replacingOccurrences(of: "name=\"length\"", with: "name=\"duration\"")
        try Data(theirs.utf8).write(to: session.file)
        expectEqual(session.editor.session.poll().outside, nil)
        expectContains(try session.text("/?at=entity%3ASong"), "duration")

        try session.edit(Self.setHash)
        try Data(MusicSourceModel.contents.utf8).write(to: session.file)
        expectEqual(session.editor.session.poll().outside?.contains("Another program has changed ‘Music’"), true)
        expectContains(try session.text("/"), "drop my changes")
        let refused = try session.edit(#"{"kind": "save"}"#)
        expectEqual(refused.status, 409)
        try expectEqual(session.contents, MusicSourceModel.contents)
        try expectEqual(session.edit(#"{"kind": "keep"}"#).status, 200)
        try expectEqual(session.edit(#"{"kind": "save"}"#).status, 200)
        expectContains(try session.contents, "versionHashModifier")
        expectContains(try session.contents, "duration")
    }

    @Test(
        "A file or a bundle that another program deletes is made again",
        arguments: ["Music.xcdatamodeld", "Music.xcdatamodeld/Music.xcdatamodel", "Music.coredata"], [true, false])
    func deleted(path: String, isChanged: Bool) throws {
        let text = "entity Song {\n    title: string\n}\n"
        let session =
            try path.hasSuffix(".coredata")
            ? EditorTestSession(["Music.coredata": text], open: "Music.coredata") : EditorTestSession()
        if isChanged { try session.edit(Self.setHash) }
        try FileManager.default.removeItem(atPath: session.folder.path(path))
        #expect(session.editor.session.poll().outside != nil)
        try expectEqual(session.edit(#"{"kind": "save"}"#).status, 409)
        try expectEqual(session.edit(#"{"kind": "keep"}"#).status, 200)
        expectEqual(session.editor.session.poll().outside, nil)
        try expectEqual(session.edit(#"{"kind": "save"}"#).status, 200)
        expectFalse(session.editor.session.hasUnsavedChanges)
        let again = try EditorSession(EditorFiles(session.path))
        expectContains(try again.snapshot(of: nil, isChecked: true).entityNames, "Song")
        expectEqual(session.editor.session.poll().outside, nil)
    }

    @Test("Reading again drops the unsaved changes, and the steps")
    func reload() throws {
        let session = try EditorTestSession()
        try session.edit(Self.setHash)
        try session.edit(#"{"kind": "reload"}"#)
        expectContains(try session.text("/state"), #""isChanged":false"#)
        try expectEqual(session.edit(#"{"kind": "undo"}"#).status, 409)
    }

    @Test("A file with the marks of a merge conflict is refused with the line, at the start and later")
    func conflict() throws {
        let conflicted = MusicSourceModel.contents.replacingOccurrences(
            of: "    <entity name=\"Song\"", with: "<<<<<<< HEAD\n    <entity name=\"Song\"")
        var message = ""
        do {
            _ = try EditorTestSession(["A.xcdatamodel/contents": conflicted], open: "A.xcdatamodel")
        } catch { message = error.localizedDescription }
        expectContains(message, "merge conflict")
        expectContains(message, "line 7")
        let session = try EditorTestSession()
        try Data(conflicted.utf8).write(to: session.file)
        let outside = session.editor.session.poll().outside
        expectEqual(outside?.contains("merge conflict"), true)
        expectContains(try session.text("/?at=entity%3ASong"), "merge conflict")
    }

    @Test("A version is added, becomes the current one, and is compared with the former")
    func versions() throws {
        let session = try EditorTestSession()
        try expectEqual(session.edit(#"{"kind": "addVersion", "name": ""}"#).status, 200)
        try expectEqual(session.edit(#"{"kind": "setCurrent", "name": "Music 2"}"#).status, 200)
        try session.edit(
            #"{"kind": "rename", "path": "entity:Song/attribute:length", "name": "seconds", "keepsValues": true}"#,
            view: "version=Music+2")
        let page = try session.text("/?tab=versions&version=Music%202")
        expectContains(page, "The mapping can be inferred (lightweight migration).")
        expectContains(page, "The steps of the migration in SQLite")
        expectContains(page, "ZSECONDS")
        try session.edit(#"{"kind": "save"}"#)
        let bundle = try String(
            contentsOfFile: session.folder.path("Music.xcdatamodeld/.xccurrentversion"), encoding: .utf8)
        expectContains(bundle, "<string>Music 2.xcdatamodel</string>")
        try expectEqual(session.contents, MusicSourceModel.contents)
        let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: session.path))
        #expect(model?.entitiesByName["Song"]?.attributesByName["seconds"] != nil)
        for name in ["Music", "music 2", "../x", "a/b", "a\\u0000b", ".hidden"] {
            try expectEqual(session.edit(#"{"kind": "addVersion", "name": "\#(name)"}"#).status, 422, "\(name)")
        }
    }

    @Test("With a store the page of versions migrates a copy, and leaves the store as it is")
    func trial() throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let model = SampleModel.source.replacingOccurrences(
            of: "<attribute name=\"maker\"", with: "<attribute name=\"brand\" elementID=\"maker\"")
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let session = try EditorTestSession(["New.xcdatamodel/contents": model], open: "New.xcdatamodel", store: store)
        expectContains(try session.text("/?tab=versions"), "Dry run")
        let page = try session.text("/?tab=versions&try=1")
        expectContains(page, "The copy was migrated in")
        expectContains(page, #"<bdi>Person</bdi></th><td class="number">2</td><td class="number">2</td>"#)
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: store)), before)
        // An edit doesn't migrate again.
        let answer = try session.edit(
            #"{"kind": "set", "path": "entity:Person", "attribute": "versionHashModifier", "value": "2"}"#,
            view: "tab=versions&try=1")
        expectEqual(answer.path, "/?tab=versions&at=entity%3APerson")
        expectEqual(answer.parts["main"]?.html.contains("The copy was migrated in"), false)
    }

    @Test("A dry run names the values that go, and only the click on it runs one")
    func losses() throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let model = SampleModel.source.replacingOccurrences(
            of: "<attribute name=\"maker\"", with: "<attribute name=\"brand\"")
        let session = try EditorTestSession(["New.xcdatamodel/contents": model], open: "New.xcdatamodel", store: store)
        let page = try session.text("/?tab=versions&try=1")
        expectContains(page, "<bdi>Car.maker: 4 values</bdi>")
        expectContains(page, "data-path=\"/?tab=versions\"")
        // A save keeps what is shown, and an edit takes it away.
        try session.edit(#"{"kind": "save"}"#)
        expectContains(try session.text("/view?tab=versions"), "Car.maker: 4 values")
        try session.edit(#"{"kind": "add", "path": "", "element": "entity", "name": "Genre"}"#)
        #expect(try !session.text("/view?tab=versions").contains("Car.maker: 4 values"))
    }

    @Test("The version that made the store is marked, and a version with errors is named")
    func maker() throws {
        let folder = try TemporaryFolder()
        let store = try SampleModel.makeStore(in: folder)
        let session = try EditorTestSession(
            ["Cars.xcdatamodeld/Cars.xcdatamodel/contents": SampleModel.source], open: "Cars.xcdatamodeld",
            store: store)
        try session.edit(#"{"kind": "addVersion", "name": "Cars 2"}"#)
        let name = URL(fileURLWithPath: store).lastPathComponent
        let page = try session.text("/?tab=versions&version=Cars%202")
        expectContains(page, "<bdi>Cars</bdi></a> <span class=\"badge\">made <bdi>\(name)</bdi></span>")
        expectEqual(page.components(separatedBy: "class=\"badge\">made").count, 2)
        try session.edit(#"{"kind": "remove", "path": "entity:Car"}"#, view: "version=Cars")
        let broken = try session.text("/?tab=versions&version=Cars%202")
        expectContains(broken, "The version <bdi>Cars</bdi> has errors")
        expectContains(broken, "href=\"/?tab=problems&amp;version=Cars\"")
    }

    @Test("An attribute that goes and one that comes may be a rename")
    func rename() throws {
        let session = try EditorTestSession()
        try session.edit(#"{"kind": "addVersion", "name": "Music 2"}"#)
        try session.edit(
            #"{"kind": "rename", "path": "entity:Song/attribute:length", "name": "seconds"}"#, view: "version=Music+2")
        expectContains(try session.text("/?tab=versions&version=Music%202"), "A rename? Set the")
        try session.edit(
            #"{"kind": "set", "path": "entity:Song/attribute:seconds", "attribute": "elementID", "value": "length"}"#,
            view: "version=Music+2")
        #expect(try !session.text("/?tab=versions&version=Music%202").contains("A rename?"))
    }

    @Test("A text keeps its comments and its layout where nothing changes")
    func text() throws {
        let text = """
            // Songs of a shop.
            entity Song {
                title: string   // as printed
                length: double


                // Unused:
                rating: int16
            }

            """
        let session = try EditorTestSession(["Music.coredata": text], open: "Music.coredata")
        try session.edit(#"{"kind": "save"}"#)
        try expectEqual(String(contentsOf: session.folder.file("Music.coredata"), encoding: .utf8), text)
        try session.edit(#"{"kind": "rename", "path": "entity:Song/attribute:length", "name": "seconds"}"#)
        try session.edit(#"{"kind": "save"}"#)
        let saved = try String(contentsOf: session.folder.file("Music.coredata"), encoding: .utf8)
        expectEqual(saved, text.replacingOccurrences(of: "length: double", with: "seconds: double"))
    }

    @Test("What can't be edited is named with the remedy")
    func others() throws {
        let folder = try TemporaryFolder()
        func message(_ path: String) -> String {
            do {
                _ = try EditorFiles(path)
                return ""
            } catch { return error.localizedDescription }
        }
        expectContains(message(folder.path("No.xcdatamodeld")), "coredata model new")
        expectContains(message(try SampleModel.makeStore(in: folder)), "is a store")
        try folder.write("x", to: "a.txt")
        expectContains(message(folder.path("a.txt")), "can't be edited")
        #expect(!message(folder.path("store")).isEmpty)
    }

    @Test("A file that can't be written stays as it was, and the error names it")
    func unwritable() throws {
        let session = try EditorTestSession()
        try session.edit(Self.setHash)
        // The folder of the version becomes a file, as after a checkout of another branch.
        let version = session.folder.file("Music.xcdatamodeld/Music 2.xcdatamodel")
        try session.edit(#"{"kind": "addVersion", "name": "Music 2"}"#)
        try Data("x".utf8).write(to: version)
        let answer = try session.edit(#"{"kind": "keep"}"#)
        expectEqual(answer.error, nil)
        let saved = try session.edit(#"{"kind": "save"}"#)
        let error = try requireValue(saved.error)
        expectContains(error, "can't be written", "\(error)")
        expectContains(error, "Music 2.xcdatamodel", "\(error)")
        try expectEqual(String(contentsOf: version, encoding: .utf8), "x")
    }
}
