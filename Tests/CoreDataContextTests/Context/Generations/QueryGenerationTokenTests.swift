import CoreData
import Testing

@Suite("Query generation tokens")
struct QueryGenerationTokenTests {
    private func token(of library: PinnedLibrary) throws -> NSQueryGenerationToken {
        try library.pin()
        return try requireValue(library.pinned.performAndWait { library.pinned.queryGenerationToken })
    }

    private func archived(_ token: NSQueryGenerationToken) throws -> NSQueryGenerationToken? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)
    }

    @Test("are equal if they name the same generation")
    func equality() throws {
        let first = try token(of: PinnedLibrary())
        let second = try token(of: PinnedLibrary())
        #expect(first != second)
        #expect(first != .current)
        expectEqual(NSQueryGenerationToken.current, NSQueryGenerationToken.current)
        let copy = first.copy() as? NSQueryGenerationToken
        expectEqual(copy, first)
        expectEqual(copy?.hash, first.hash)
    }

    @Test("can be archived while their generation exists")
    func coding() throws {
        let library = try PinnedLibrary()
        let token = try token(of: library)
        try expectEqual(archived(token), token)
        try expectEqual(archived(.current), .current)
    }

    @Test("of a generation that has ended can't be read from an archive")
    func endedGeneration() throws {
        let library = try PinnedLibrary()
        let data = try NSKeyedArchiver.archivedData(withRootObject: token(of: library), requiringSecureCoding: true)
        try on(library.pinned) { try library.pinned.setQueryGenerationFrom(nil) }
        expectEqual((try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)), nil)
    }

    @Test("of another coordinator throw an error, and do not change the context")
    func foreignToken() throws {
        let library = try PinnedLibrary()
        try library.pin()
        let foreign = try token(of: PinnedLibrary())
        try on(library.pinned) {
            let before = library.pinned.queryGenerationToken
            let error = thrownError { try library.pinned.setQueryGenerationFrom(foreign) }
            expectEqual(error?.domain, NSCocoaErrorDomain)
            expectEqual(error?.code, NSCoreDataError)
            expectEqual(library.pinned.queryGenerationToken, before)
        }
    }

    @Test("of a removed store can't be read")
    func removedStore() throws {
        let library = try PinnedLibrary()
        let token = try token(of: library)
        try library.stack.coordinator.remove(library.stack.store)
        expectEqual(library.openFileCount, 0)
        let store = try library.stack.coordinator.addPersistentStore(
            ofType: library.stack.kind.type, configurationName: nil, at: library.stack.url, options: nil)
        let context = library.stack.newContext()
        try on(context) {
            try context.setQueryGenerationFrom(token)
            // The new store is not part of the token's generation.
            try expectEqual(context.names("Tag"), ["old"])
            try #expect(context.one("Tag", "old").objectID.persistentStore === store)
        }
    }

    @Test("keep the write-ahead log until the last one is released")
    func checkpoint() throws {
        let library = try PinnedLibrary(.sqlite)
        var token: NSQueryGenerationToken? = try token(of: library)
        try library.change(.context)
        try on(library.pinned) { try library.pinned.setQueryGenerationFrom(nil) }
        try #expect(library.checkpoint() > 0)
        #expect(token != nil)
        token = nil
        try expectEqual(library.checkpoint(), 0)
    }

    @Test("of a hundred consecutive generations are all closed")
    func manyGenerations() throws {
        let library = try PinnedLibrary(.sqlite)
        let context = library.pinned
        let writer = library.stack.newContext()
        for index in 1...100 {
            try on(writer) {
                writer.make("Tag", "\(index)")
                try writer.save()
            }
            try on(context) {
                try context.setQueryGenerationFrom(.current)
                try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")), index + 1)
            }
            #expect(library.openFileCount <= 2)
        }
        try on(context) { try context.setQueryGenerationFrom(nil) }
        try expectEqual(library.checkpoint(), 0)
    }

    @Test("end when their contexts are deallocated")
    func contextGoes() throws {
        let library = try PinnedLibrary(.sqlite)
        var context: NSManagedObjectContext? = library.stack.newContext()
        try on(context!) {
            try context!.setQueryGenerationFrom(.current)
            try expectEqual(context!.names("Tag"), ["old"])
        }
        try library.change(.coordinator)
        try #expect(library.checkpoint() > 0)
        context = nil
        try expectEqual(library.checkpoint(), 0)
    }
}
