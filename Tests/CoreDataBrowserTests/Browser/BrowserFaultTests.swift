import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse: damaged and changing stores, hostile names")
struct BrowserFaultTests {
    private static let paths = ["/", "/model", "/history", "/e/Item", "/count/Item", "/o/Item/p1", "/export/Item/csv"]

    @Test("A damaged store gives pages or messages, whichever part is damaged")
    func damage() throws {
        let folder = try TemporaryFolder()
        let path = try BrowserSample.makeStore(in: folder, count: 200, hasHistory: true)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let session = try BrowserSession(path: path)
        for start in stride(from: 0, to: whole.count, by: 8_192) {
            var damaged = whole
            damaged.replaceSubrange(start..<min(start + 4_096, whole.count), with: repeatElement(0x5a, count: 4_096))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: damaged)
            try file.close()
            let comparison = "/compare?with=\(PercentEncoding.encoded(path))"
            for target in Self.paths + ["/e/Item?sort=name", "/e/Note", comparison] {
                let response = session.get(target)
                expectContains([200, 404, 409, 500], response.status, "\(target)")
                _ = try? response.data()
            }
            try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), damaged)
        }
    }

    @Test("A file that is no store ends the command with a message")
    func noStore() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("Text.sqlite")
        try Data("no store".utf8).write(to: URL(fileURLWithPath: path))
        let run = try await CommandRun("store", "browse", path)
        expectEqual(run.status, 1)
        expectEmpty(run.output)
        expectContains(run.errors, "Text.sqlite")
    }

    @Test("A store that is replaced while it is open is opened again")
    func replacement() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        let path = try BrowserSample.makeStore(in: folder, count: 5)
        let session = try BrowserSession(path: path)
        try expectEqual(session.text("/count/Item"), "5")
        let replacement = try BrowserSample.makeStore(in: other, count: 9)
        expectEqual(rename(replacement, path), 0)
        try expectEqual(session.text("/count/Item"), "9")
        expectContains(try session.text("/e/Item"), "item 8")
    }

    @Test("A store that is removed while it is open gives a message")
    func removal() throws {
        let folder = try TemporaryFolder()
        let path = try BrowserSample.makeStore(in: folder, count: 5)
        let session = try BrowserSession(path: path)
        try FileManager.default.removeItem(atPath: path)
        for target in Self.paths { expectContains([200, 404, 500], session.get(target).status, "\(target)") }
        expectFalse(FileManager.default.fileExists(atPath: path))
    }

    @Test("A store that is migrated while it is open is opened again, with its new model")
    func migration() throws {
        let folder = try TemporaryFolder()
        let path = try BrowserSample.makeStore(in: folder, count: 5)
        let session = try BrowserSession(path: path)
        expectEqual(session.get("/e/Item").status, 200)
        let model = BrowserSample.model()
        let place = NSAttributeDescription()
        place.name = "place"
        place.attributeType = .stringAttributeType
        place.isOptional = true
        model.entitiesByName["Item"]?.properties.append(place)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                NSSQLitePragmasOption: ["journal_mode": "DELETE"],
            ])
        try coordinator.remove(store)
        expectContains(try session.text("/e/Item"), "Sort by place")
    }

    @Test("Hostile names of entities and properties are shown as texts")
    func hostileNames() throws {
        let folder = try TemporaryFolder()
        let names = ["\u{202e}live", "größe\u{2066}", "\u{200f}"]
        let model = NSManagedObjectModel()
        model.entities = names.map { name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = names.map { name in
                let attribute = NSAttributeDescription()
                attribute.name = name
                attribute.attributeType = .stringAttributeType
                attribute.isOptional = true
                return attribute
            }
            return entity
        }
        let path = folder.path("Hostile.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for name in names {
                let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                for key in names { object.setValue(name, forKey: key) }
            }
            try context.save()
        }
        let session = try BrowserSession(path: path)
        for target in ["/", "/model", "/history"] + names.map({ BrowserRoute.table(entity: $0).path() }) {
            let page = try session.text(target)
            #expect(!page.unicodeScalars.contains { ["\u{202e}", "\u{2066}", "\u{200f}"].contains($0) })
            for link in BrowserSession.links(in: page) where link != "/favicon.ico" {
                #expect(session.get(link).status < 400, "\(link)")
            }
        }
    }

    @Test("Markup in the names of a model is shown as text")
    func markupInNames() throws {
        let folder = try TemporaryFolder()
        let bundle = folder.url.appendingPathComponent("Hostile.xcdatamodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let name = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;onclick=&quot;b"
        let source = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="\(name)"><attribute name="\(name)" optional="YES" attributeType="String"/></entity>
            </model>
            """
        try Data(source.utf8).write(to: bundle.appendingPathComponent("contents"))
        let page = try BrowserSession().text("/compare?with=\(PercentEncoding.encoded(bundle.path))")
        expectContains(page, "&lt;script&gt;alert(1)")
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("\"onclick="))
    }

    @Test(
        "Predicates that no store can evaluate are messages",
        arguments: [
            String(repeating: "NOT ", count: 20_000) + "TRUEPREDICATE",
            (0..<5_000).map { "name == '\($0)'" }.joined(separator: " OR "),
            String(repeating: "notes.item.", count: 300) + "name == 'a'",
            "SUBQUERY(notes, $n, SUBQUERY($n.item.notes, $m, $m.nothing == 1).@count > 0).@count > 0",
            "FUNCTION('a', 'system', 'b') == 1", "name MATCHES '('", "name LIKE '\\'",
            "year == 99999999999999999999999",
            "name == nil.x", "cover == 'a'", "notes == 3", "ANY notes == 'x'", "name BETWEEN 3", "year IN 'x'",
            "CAST(name, 'Nothing') == 1", "SELF IN {1, 2}", "name == '\u{0}'", "\u{202e}", "%@ == 1", "name == %K",
        ])
    func predicates(text: String) throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(path: BrowserSample.makeStore(in: folder, count: 3))
        for path in ["/e/Item?p=", "/check/Item?p=", "/count/Item?p="] {
            let status = session.get(path + PercentEncoding.encoded(text)).status
            #expect(status == 200 || status == 400, "\(path)")
        }
    }

    @Test("Ordering by an attribute without an index is a question where it would take long")
    func longSorts() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(path: BrowserSample.makeStore(in: folder, count: 10))
        try session.browser.store.read { reader in
            let table = try TableQuery("Item", FormValues([("sort", "name")]), reader: reader)
            try expectEqual(table.longSortKey(), nil)
            try expectEqual(table.longSortKey(limit: 5), "name")
        }
    }
}
