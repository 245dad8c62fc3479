import CoreData
import Testing

/// URLs of servers in place of those of files: Apple's framework stops the program.
@Suite("URLs that aren't those of files")
struct UnsupportedURLTests {
    private let folder: TemporaryFolder
    private let coordinator = NSPersistentStoreCoordinator()

    init() throws { folder = try TemporaryFolder() }

    @Test("a URL that isn't one of a file names no store in a file, whatever its path is")
    func otherURL() throws {
        let stack = try TestStack(.sqlite, folder: folder)
        try on(stack.context) {
            stack.context.make("Book", "Emma")
            try stack.context.save()
        }
        let other = try requireValue(URL(string: "https://example.org\(stack.url.path)"))
        func expectUnsupported(_ body: () throws -> Void) {
            let error = #expect(throws: CocoaError.self, performing: body)
            expectEqual(error?.code, .fileReadUnsupportedScheme)
        }
        expectUnsupported { try coordinator.destroyPersistentStore(at: other, type: .sqlite) }
        expectUnsupported {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: other)
        }
        expectUnsupported { try NSPersistentStoreCoordinator.setMetadata([:], type: .sqlite, at: other) }
        expectUnsupported { _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: other) }
        try on(stack.context) {
            stack.context.reset()
            try expectEqual(stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")), 1)
        }
    }

    @Test("an error about a URL of an unknown type has no password")
    func password() throws {
        let url = try requireValue(
            URL(string: "postgresql://app:secret@host/store?sslpassword=secret&password=secret&a=b"))
        let error = #expect(throws: CocoaError.self) {
            try coordinator.destroyPersistentStore(at: url, type: .sqlite)
        }
        let text = "\(String(describing: error)) \(error?.userInfo ?? [:])"
        expectFalse(text.contains("secret"), "\(text)")
        expectContains(text, "app@host")
    }
}
