import CoreData
import Testing

/// Batch requests to stores that can't be written, and the stores after failed requests.
@Suite("A batch request that fails")
struct BatchFailureTests {
    private static let kinds = ["insert", "update", "delete"]

    private func request(_ kind: String) -> NSPersistentStoreRequest {
        switch kind {
        case "insert": return NSBatchInsertRequest(entityName: "Tag", objects: [["name": "b"]])
        case "update":
            let update = NSBatchUpdateRequest(entityName: "Tag")
            update.propertiesToUpdate = ["name": "b"]
            return update
        default: return NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Tag"))
        }
    }

    private func externalFiles(_ stack: TestStack) throws -> [String] {
        let folder = stack.folder.file(".store_SUPPORT").appendingPathComponent("_EXTERNAL_DATA")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test("throws what a save throws while another connection writes, and succeeds afterwards", arguments: kinds)
    func locked(_ kind: String) throws {
        let stack = try TestStack(.sqlite, options: [NSPersistentStoreTimeoutOption: 0.05])
        try on(stack.context) {
            stack.context.make("Tag", "a")
            try stack.context.save()
            let writer = try SQLiteFile(creating: stack.url)
            try writer.run("BEGIN IMMEDIATE")
            stack.context.make("Cover", "cover")
            let code = thrownError { try stack.context.save() }?.code
            #expect(code != nil)
            expectEqual(thrownError { try stack.context.execute(request(kind)) }?.code, code)
            try writer.run("ROLLBACK")
            try inFreshContext(stack) { try expectEqual($0.names("Tag"), ["a"]) }
            try stack.context.execute(request(kind))
            let expected = ["insert": ["a", "b"], "update": ["b"], "delete": []]
            try inFreshContext(stack) { try expectEqual($0.names("Tag"), expected[kind]) }
        }
    }

    @Test("changes nothing in a store that was opened read-only", arguments: kinds)
    func readOnly(_ kind: String) throws {
        let folder = try TemporaryFolder()
        do {
            let stack = try TestStack(.tables, folder: folder)
            try on(stack.context) {
                stack.context.make("Tag", "a")
                try stack.context.save()
            }
        }
        let stack = try TestStack(.tables, folder: folder, options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        try on(stack.context) {
            expectEqual(
                thrownError { try stack.context.execute(request(kind)) }?.code,
                CocoaError.fileWriteNoPermission.rawValue)
            try expectEqual(stack.context.names("Tag"), ["a"])
        }
    }

    @Test("leaves no file of external data behind")
    func externalData() throws {
        try withStack(.sqlite, model: AlbumModel.make()) { stack in
            let big = Data(repeating: 7, count: 300_000)
            let good: [String: Any] = ["photo": big]
            let request = NSBatchInsertRequest(entityName: "Scrap", objects: [good, good, ["int": "no number"]])
            #expect(throws: (any Error).self) { try stack.context.execute(request) }
            try expectEmpty(externalFiles(stack))
            try stack.context.execute(NSBatchInsertRequest(entityName: "Scrap", objects: [good, good]))
            try expectEqual(externalFiles(stack).count, 2)
            try inFreshContext(stack) { context in
                try #expect(context.all("Scrap").allSatisfy { $0.value(forKey: "photo") as? Data == big })
            }
        }
    }

    @Test("inserts nothing if a block sets a wrong value after many rows")
    func wrongValueInTheMiddle() throws {
        try withStack(.tables) { stack in
            var count = 0
            let request = NSBatchInsertRequest(
                entityName: "Book",
                dictionaryHandler: { (dictionary: NSMutableDictionary) -> Bool in
                    count += 1
                    dictionary["pages"] = count < 5000 ? count as Any : "many"
                    return false
                })
            #expect(throws: (any Error).self) { try stack.context.execute(request) }
            expectEqual(count, 5000)
            try inFreshContext(stack) { try expectEmpty($0.all("Book")) }
        }
    }
}
