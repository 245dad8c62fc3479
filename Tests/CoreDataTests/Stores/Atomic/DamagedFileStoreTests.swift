import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@Suite("Damaged files of binary and XML stores")
struct DamagedFileStoreTests {
    @Test("a damaged file throws or opens, and never crashes", arguments: FileStoreTests.kinds)
    func mutants(_ kind: StoreKind) throws {
        var generator = SeededGenerator(seed: TestRun.seed(for: "DamagedFileStoreTests"))
        let stack = try TestStack(kind)
        try on(stack.context) {
            let author = stack.context.make("Author", "Ada", ["age": 36])
            let tag = stack.context.make("Tag", "x")
            for number in 1...4 {
                let book = stack.context.make("Book", "Book \(number)", ["author": author, "price": 1.5])
                book.setValue(NSOrderedSet(array: [stack.context.make("Chapter", "1")]), forKey: "chapters")
                book.setValue(Set([tag]), forKey: "tags")
                book.setValue(stack.context.make("Cover", "c"), forKey: "cover")
            }
            try stack.context.save()
        }
        let original = try Data(contentsOf: stack.url)
        let folder = try TemporaryFolder()
        for round in 0..<TestRun.quick(150, long: 5000) {
            let url = folder.file("\(round).store")
            try Self.mutant(of: original, &generator).write(to: url)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
            do {
                try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url, options: nil)
                try readAll(coordinator)
            } catch let error as NSError {
                expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
            }
            try FileManager.default.removeItem(at: url)
        }
    }

    @Test("a file without room for further keys is refused", arguments: FileStoreTests.kinds)
    func lastKey(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        try stack.coordinator.remove(stack.store)
        var bytes = try Data(contentsOf: stack.url)
        if kind == .xml {
            let old = try requireValue(bytes.range(of: Data("<nextObjectID>102</nextObjectID>".utf8)))
            bytes.replaceSubrange(old, with: Data("<nextObjectID>\(Int64.max)</nextObjectID>".utf8))
        } else {
            let list = try PropertyListSerialization.propertyList(from: bytes, options: .mutableContainers, format: nil)
            var root = try requireValue(list as? [String: Any])
            root["nextKey"] = Int64.max
            bytes = try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
        }
        try bytes.write(to: stack.url)
        let error = thrownError {
            try stack.coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: stack.url, options: nil)
        }
        expectEqual(error?.code, CocoaError.fileReadCorruptFile.rawValue)
    }

    @Test("a date that is no number is refused")
    func date() throws {
        let event = entity("Event", [attribute("date", .dateAttributeType)])
        let stack = try TestStack(.xml, model: model([event]))
        try on(stack.context) {
            stack.context.make("Event").setValue(Date(timeIntervalSinceReferenceDate: 1234.5), forKey: "date")
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.store)
        let text = try String(contentsOf: stack.url, encoding: .utf8)
        let altered = text.replacingOccurrences(of: ">1234.5<", with: ">nan<")
        try #require(altered != text)
        try Data(altered.utf8).write(to: stack.url)
        let error = thrownError { try stack.coordinator.addPersistentStore(type: .xml, at: stack.url) }
        expectEqual(error?.code, CocoaError.fileReadCorruptFile.rawValue)
    }

    @Test(
        "an identifier that object IDs can't contain is refused, in a file and in metadata",
        arguments: FileStoreTests.kinds)
    func identifier(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let uuid = try requireValue(stack.store.identifier)
        try stack.coordinator.remove(stack.store)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: kind.type, at: stack.url, options: nil)
        let refused = #expect(throws: CocoaError.self) {
            try NSPersistentStoreCoordinator.setMetadata(
                metadata.merging([NSStoreUUIDKey: "a b"]) { $1 }, forPersistentStoreOfType: kind.type, at: stack.url,
                options: nil)
        }
        expectEqual(refused?.code.rawValue, NSPersistentStoreOperationError)
        var bytes = try Data(contentsOf: stack.url)
        while let range = bytes.range(of: Data(uuid.utf8)) {
            bytes.replaceSubrange(range, with: Data(repeating: UInt8(ascii: " "), count: uuid.utf8.count))
        }
        try bytes.write(to: stack.url)
        let error = #expect(throws: CocoaError.self) {
            try stack.coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: stack.url, options: nil)
        }
        expectEqual(error?.code, .fileReadCorruptFile)
    }

    private func readAll(_ coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            for entity in coordinator.managedObjectModel.entities {
                for object in try context.all(entity.name ?? "") {
                    for key in entity.propertiesByName.keys {
                        let value = object.value(forKey: key)
                        _ = (value as? NSSet)?.count
                        _ = (value as? NSOrderedSet)?.count
                        (value as? NSManagedObject)?.willAccessValue(forKey: nil)
                    }
                }
            }
            for book in try context.all("Book") { context.delete(book) }
            try context.save()
        }
    }

    private static func mutant(of data: Data, _ generator: inout SeededGenerator) -> Data {
        var bytes = [UInt8](data)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let at = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[at] = .random(in: 0...255, using: &generator)
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + .random(in: 1...40, using: &generator)))
            case 3:
                let from = Int.random(in: 0..<bytes.count, using: &generator)
                bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + 40)], at: at)
            case 4: bytes[at] = UInt8(ascii: "0") + .random(in: 0..<10, using: &generator)
            default: bytes.removeSubrange(at...)
            }
            if bytes.isEmpty { break }
        }
        return Data(bytes)
    }
}
