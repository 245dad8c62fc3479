import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

/// Files of binary and XML stores with each part replaced, removed and doubled.
@Suite("Altered files of binary and XML stores")
struct AlteredFileTests {
    @Test(
        "An altered file is refused with its name, or has values and references of the declared types",
        arguments: [StoreKind.xml, .binary])
    func alteredFiles(kind: StoreKind) throws {
        let stack = try TestStack(kind, model: EveryTypeModel.make())
        try on(stack.context) { try Self.fill(stack.context) }
        try stack.coordinator.remove(stack.store)
        let original = try Data(contentsOf: stack.url)
        let files = kind == .xml ? AlteredXML.all(original) : try AlteredPropertyList.all(original)
        var refused = 0
        var opened = 0
        for (index, file) in files.sampled(120).enumerated() {
            let url = stack.folder.file("\(index).store")
            try file.bytes().write(to: url)
            if try use(url, kind, stack.model, file.name) { opened += 1 } else { refused += 1 }
            try FileManager.default.removeItem(at: url)
        }
        // Both outcomes are frequent.
        #expect(min(refused, opened) > 20, "\(refused) of \(files.count) are refused, \(opened) opened")
    }

    // A new object would get the key later, and then be the one that is referred to.
    @Test("A reference by a key that no object has had yet is refused", arguments: [StoreKind.xml, .binary])
    func keyOfLater(kind: StoreKind) throws {
        let error = try errorAfterAltering(kind) { text in
            text.replacingOccurrences(
                of: "destination=\"TAG\" idrefs=\"z105\"", with: "destination=\"TAG\" idrefs=\"z106\"")
        } binary: { entities in
            entities.setting([106], "Item", "favourite")
        }
        expectEqual(error?.code, CocoaError.Code.fileReadCorruptFile.rawValue)
        expectEqual(error?.localizedFailureReason?.contains("Item.favourite"), true)
    }

    @Test("A relationship of a binary store with a member that is no key is refused")
    func memberOfOtherType() throws {
        for member in ["105", 105.5, true, Data()] as [Any] {
            let error = try errorAfterAltering(.binary) {
                $0
            } binary: {
                $0.setting([member], "Item", "tags")
            }
            expectEqual(error?.code, CocoaError.Code.fileReadCorruptFile.rawValue, "\(member)")
        }
    }

    /// The error of opening a file that was altered.
    private func errorAfterAltering(
        _ kind: StoreKind, _ xml: (String) -> String, binary: (BinaryEntities) -> BinaryEntities
    ) throws -> NSError? {
        let stack = try TestStack(kind, model: EveryTypeModel.make())
        try on(stack.context) { try Self.fill(stack.context) }
        try stack.coordinator.remove(stack.store)
        let bytes = try Data(contentsOf: stack.url)
        let altered =
            kind == .xml
            ? Data(xml(String(decoding: bytes, as: UTF8.self)).utf8) : try binary(BinaryEntities(bytes)).data()
        #expect(altered != bytes)
        try altered.write(to: stack.url)
        return thrownError {
            try stack.coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: stack.url)
        }
    }

    private static func fill(_ context: NSManagedObjectContext) throws {
        let link = try requireValue(URL(string: "https://example.org/?a=b"))
        let item = context.make(
            "Item", "item",
            [
                "short": -3, "int": 70_000, "long": 5_000_000_000, "flag": true, "real": 0.1, "single": Float(1.5),
                "exact": NSDecimalNumber(string: "12.345"), "text": "Grüße", "data": Data([1, 2, 0, 255]),
                "date": Date(timeIntervalSinceReferenceDate: 1.25), "uuid": UUID(), "list": ["a"] as NSArray,
                "photo": Data([9]), "place": ["city": "Rome", "height": 20, "point": ["latitude": 41.9]], "link": link,
            ])
        let special = context.make("SpecialItem", "special", ["extra": "a\u{0}b"])
        let group = context.make("Group", "group")
        let tag = context.make("Tag", "tag")
        group.setValue(NSOrderedSet(array: [special, item]), forKey: "members")
        group.setValue(NSOrderedSet(array: [item, special]), forKey: "ranked")
        item.setValue(NSSet(object: tag), forKey: "tags")
        item.setValue(NSSet(array: [special, item]), forKey: "friends")
        item.setValue(tag, forKey: "favourite")
        item.setValue(NSSet(object: special), forKey: "wishes")
        try context.save()
    }

    /// Opens, reads, changes and reopens a file.
    ///
    /// - Returns: whether it can be opened.
    private func use(_ url: URL, _ kind: StoreKind, _ model: NSManagedObjectModel, _ name: String) throws -> Bool {
        func open() throws -> NSManagedObjectContext {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url, options: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let context: NSManagedObjectContext
        do {
            context = try open()
        } catch let error as NSError {
            expectEqual(error.domain, NSCocoaErrorDomain, "\(name): \(error)")
            let file = error.userInfo[NSFilePathErrorKey] as? String ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
            expectEqual(file, url.path, "\(name): \(error)")
            return false
        }
        var contents: [String: [String: String]] = [:]
        do {
            try on(context) {
                let check = try GraphCheck(context)
                for problem in check.problems { Issue.record("\(name): \(problem)") }
                contents = check.contents
                context.make("Tag", "new")
                try context.save()
            }
            let again = try open()
            try on(again) {
                let check = try GraphCheck(again)
                for problem in check.problems { Issue.record("\(name), saved: \(problem)") }
                expectEqual(check.contents.count, contents.count + 1, "\(name)")
                for (uri, values) in contents {
                    for (key, text) in values where check.contents[uri]?[key] != text {
                        let saved = check.contents[uri]?[key] ?? "missing"
                        Issue.record("\(name): \(key) was \(text.prefix(99)), saved \(saved.prefix(99))")
                    }
                }
            }
        } catch let error as NSError {
            Issue.record("\(name): the file was opened, then \(error)")
        }
        return true
    }
}

/// The objects in the file of a binary store.
private struct BinaryEntities {
    private var root: [String: Any]

    init(_ bytes: Data) throws {
        root = try requireValue(
            PropertyListSerialization.propertyList(from: bytes, options: [], format: nil) as? [String: Any])
    }

    /// The objects with other members of a relationship of the first object of an entity.
    func setting(_ members: [Any], _ entity: String, _ name: String) -> BinaryEntities {
        var result = self
        var entities = root["entities"] as? [String: [[Any]]] ?? [:]
        var relationships = entities[entity]?.first?.last as? [String: Any] ?? [:]
        relationships[name] = members
        entities[entity]?[0][2] = relationships
        result.root["entities"] = entities
        return result
    }

    func data() throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
    }
}
