import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse --edit")
struct BrowserEditTests {
    /// The page of an object with the fields of its form.
    private func seen(_ session: BrowserSession, _ path: String) throws -> String {
        try requireValue(BrowserSession.text(in: session.text(path), from: "name=\"seen\" value=\"", to: "\""))
    }

    @Test("A form changes an object, and undo takes it back")
    func change() throws {
        let session = try BrowserSession(isEditable: true)
        let path = try session.object("Car", predicate: "maker == 'Alfa'")
        let fields = [("seen", try seen(session, path)), ("v.maker", "Alfa <Romeo>"), ("v.numberPlate", "A 0")]
        expectEqual(session.post(path, fields).status, 303)
        expectContains(try session.text(path), "Alfa &lt;Romeo&gt;")
        expectEqual(session.post("/undo", []).status, 303)
        try expectEqual(session.text("/count/Car?p=maker+%3D%3D+'Alfa'"), "1")
        expectEqual(session.post("/undo", []).status, 409)
    }

    @Test("A value of another type, and what validation refuses, change nothing")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(path: BrowserSample.makeStore(in: folder, count: 3), isEditable: true)
        for value in ["soon", "4000", "99999999999999"] {
            let response = session.post("/o/Item/p2", [("v.year", value)])
            expectEqual(response.status, 422)
        }
        try expectEqual(session.text("/count/Item?p=year+%3D%3D+1"), "1")
        expectEqual(session.post("/undo", []).status, 409)
        expectEqual(session.post("/o/Item/p2", [("v.year", "7"), ("v.name", "")]).status, 303)
        try expectEqual(session.text("/count/Item?p=year+%3D%3D+7"), "1")
    }

    @Test(
        "A form leaves texts as they are that it shows in another way",
        arguments: ["live\u{200f}", "a\u{0}b\u{7}", "one\r\ntwo\r\n\tthree", "one\r\ntwo\nthree", "\r"])
    func hiddenCharacters(name: String) throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(
            path: BrowserSample.makeStore(in: folder, count: 2, name: name), isEditable: true)
        let bytes = { try session.get("/b/Item/p2/name").data() }
        let before = try bytes()
        // As a browser sends what the page shows.
        let shown = HTML.shown(name.replacingOccurrences(of: "\r\n", with: "\n"))
            .replacingOccurrences(of: "\n", with: "\r\n")
        expectEqual(session.post("/o/Item/p2", [("v.name", shown), ("v.year", "7")]).status, 303)
        try expectEqual(bytes(), before)
        expectEqual(before, Data(name.utf8))
        try expectEqual(session.text("/count/Item?p=year+%3D%3D+7"), "1")
        let isField = try session.text("/o/Item/p2").contains("name=\"v.name\"")
        expectEqual(isField, name.hasPrefix("one"))
    }

    @Test("A form that was shown before another change is refused")
    func conflict() throws {
        let session = try BrowserSession(isEditable: true)
        let path = try session.object("Car", predicate: "maker == 'Alfa'")
        let seen = try seen(session, path)
        expectEqual(session.post(path, [("seen", seen), ("v.maker", "A")]).status, 303)
        expectEqual(session.post(path, [("seen", seen), ("v.maker", "B")]).status, 409)
    }

    @Test("A deletion shows what goes with it, and can be undone")
    func deletion() throws {
        let folder = try TemporaryFolder()
        let writer = try BrowserSample.Writer(in: folder, count: 2)
        let session = try BrowserSession(path: writer.path, isEditable: true)
        let page = try session.text("/delete/Item/p1")
        expectContains(page, "1 object would be deleted with it")
        expectContains(page, "note of item 0")
        try expectEqual(session.text("/count/Note"), "2")
        let deletion = session.post("/delete/Item/p1", [])
        let text = String(decoding: try deletion.data(), as: UTF8.self)
        expectEqual(deletion.status, 303, "\(text)")
        try expectEqual(session.text("/count/Item"), "1")
        try expectEqual(session.text("/count/Note"), "1")
        expectEqual(session.post("/undo", []).status, 303)
        try expectEqual(session.text("/count/Item"), "2")
        try expectEqual(session.text("/count/Note"), "2")
    }

    /// A store of books, whose copies go with them unless they have loans.
    private func library(in folder: TemporaryFolder) throws -> String {
        func relationship(_ name: String, _ rule: NSDeleteRule, isToMany: Bool) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.maxCount = isToMany ? 0 : 1
            relationship.deleteRule = rule
            relationship.isOptional = true
            return relationship
        }
        func join(
            _ one: NSRelationshipDescription, _ first: NSEntityDescription, _ other: NSRelationshipDescription,
            _ second: NSEntityDescription
        ) {
            (one.destinationEntity, other.destinationEntity) = (second, first)
            (one.inverseRelationship, other.inverseRelationship) = (other, one)
            first.properties.append(one)
            second.properties.append(other)
        }
        let entities = ["Book", "Copy", "Loan"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }
        join(
            relationship("copies", .cascadeDeleteRule, isToMany: true), entities[0],
            relationship("book", .nullifyDeleteRule, isToMany: false), entities[1])
        join(
            relationship("loans", .denyDeleteRule, isToMany: true), entities[1],
            relationship("lent", .nullifyDeleteRule, isToMany: false), entities[2])
        let model = NSManagedObjectModel()
        model.entities = entities
        let path = folder.path("Library.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let objects = ["Book", "Copy", "Loan"].map {
                NSEntityDescription.insertNewObject(forEntityName: $0, into: context)
            }
            objects[1].setValue(objects[0], forKey: "book")
            objects[2].setValue(objects[1], forKey: "lent")
            try context.save()
        }
        try coordinator.remove(store)
        return path
    }

    @Test("A deletion that an object further on refuses is announced, and refused with its name and the way back")
    func denied() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(path: library(in: folder), isEditable: true)
        let page = try session.text("/delete/Book/p1")
        expectContains(page, "<li>Copy p1</li>")
        expectContains(page, "<li>Copy p1: loans: ")
        let response = session.post("/delete/Book/p1", [])
        expectEqual(response.status, 422)
        let refusal = String(decoding: try response.data(), as: UTF8.self)
        expectContains(refusal, "<h1>This can’t be deleted</h1>")
        expectContains(refusal, "Nothing was saved. Copy p1: loans: ")
        expectContains(refusal, "<a href=\"/o/Book/p1\">Back</a>")
        try expectEqual(session.text("/count/Book"), "1")
        // The version identifier of such a model is empty.
        #expect(try !session.text("/").contains("<strong></strong>"))
    }

    @Test("There is no icon, which is no error")
    func icon() throws {
        try expectEqual(BrowserSession().get("/favicon.ico").status, 204)
        try expectEqual(EditorTestSession().get("/favicon.ico").status, 204)
    }
}
