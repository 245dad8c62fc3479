import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// The checks of invariants that other tests call: sound structures pass, damaged ones are described.
@Suite("Invariants of objects, relationships and identity tables")
struct InvariantTests {
    private func withObjects(
        _ body: (NSManagedObjectContext, _ artist: NSManagedObject, _ albums: [NSManagedObject]) throws -> Void
    ) throws {
        let container = NSPersistentContainer(name: "Invariants", managedObjectModel: ModelLifetimeTests.makeModel())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { #expect($1 == nil) }
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let artist = NSEntityDescription.insertNewObject(forEntityName: "LifetimeArtist", into: context)
            let albums = (0..<4).map { number in
                let album = NSEntityDescription.insertNewObject(forEntityName: "LifetimeLive", into: context)
                album.setValue(number, forKey: "year")
                album.setValue(artist, forKey: "artist")
                return album
            }
            try body(context, artist, albums)
        }
    }

    private func violations(_ objects: [NSManagedObject]) -> [String] {
        objects.flatMap { $0.checkInvariants() + ($0.table?.checkInvariants() ?? []) }
    }

    @Test("objects are sound through inserts, changes, saves, faults and deletions")
    func sound() throws {
        try withObjects { context, artist, albums in
            let objects = [artist] + albums
            expectEqual(violations(objects), [])
            try context.save()
            expectEqual(violations(objects), [])
            context.refresh(artist, mergeChanges: false)
            albums[0].setValue(nil, forKey: "artist")
            artist.mutableSetValue(forKey: "albums").remove(albums[1])
            expectEqual(violations(objects), [])
            albums[1].setValue(artist, forKey: "artist")
            context.delete(albums[2])
            context.processPendingChanges()
            expectEqual(violations(objects), [])
            try context.save()
            expectEqual(violations(objects), [])
            expectEqual((artist.value(forKey: "albums") as? NSSet)?.isEqual(to: [albums[1], albums[3]]), true)
        }
    }

    @Test("a reference that differs from the destination is found")
    func wrongReference() throws {
        try withObjects { _, _, albums in
            let slot = try requireValue(albums[0].layout.slot(named: "artist"))
            albums[0].cells.setReference(4711, layout: 1, at: slot.cell)
            #expect(albums[0].checkInvariants().contains { $0.contains("the cell refers to 1.4711") })
        }
    }

    @Test("contents whose inverse disagrees are found")
    func wrongInverse() throws {
        try withObjects { _, artist, albums in
            let slot = try requireValue(albums[0].layout.slot(named: "artist"))
            albums[0].cells.setEmpty(slot.cell)
            albums[0].setLink(nil, slot.link)
            #expect(artist.checkInvariants().contains { $0.contains("the inverse of the added") })
        }
    }

    @Test("an object whose key or position its table doesn't know is found")
    func wrongIdentity() throws {
        try withObjects { context, artist, _ in
            let table = try requireValue(artist.table)
            let key = artist.primaryKey
            artist.unindexedPosition += 7
            #expect(!table.checkInvariants().isEmpty)
            artist.unindexedPosition -= 7
            #expect(table[key] === artist)
            expectEqual(table.checkInvariants(), [])
            artist.primaryKey = key - 1_000_000
            #expect(table.checkInvariants().contains { $0.contains("is indexed as \(key)") })
            artist.primaryKey = key
        }
    }

    @Test("the layout of cells is the one that the framework rests on")
    func cells() {
        expectTrue(Cells.hasExpectedLayout)
    }
}
