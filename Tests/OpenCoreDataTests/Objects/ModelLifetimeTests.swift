import CoreDataPredicates
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Models, their layouts, and what keeps them.
@Suite("The lifetime of models and layouts", .serialized)
struct ModelLifetimeTests {
    /// A model with subentities, relationships both ways, a transformable value, defaults and a unique attribute.
    static func makeModel() -> NSManagedObjectModel {
        let artist = AlbumModel.entity("LifetimeArtist")
        let album = AlbumModel.entity("LifetimeAlbum")
        let live = AlbumModel.entity("LifetimeLive")
        let albums = AlbumModel.toMany("albums", album)
        let toArtist = AlbumModel.toOne("artist", artist)
        albums.inverseRelationship = toArtist
        toArtist.inverseRelationship = albums
        let title = AlbumModel.attribute("title", .stringAttributeType)
        title.defaultValue = "a title that is longer than fifteen bytes"
        artist.properties = [AlbumModel.attribute("name", .stringAttributeType), albums]
        album.properties = [title, AlbumModel.transformable("cover"), toArtist]
        live.properties = [AlbumModel.attribute("year", .integer64AttributeType)]
        album.subentities = [live]
        artist.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel()
        model.entities = [artist, album, live]
        return model
    }

    /// Weak references to the parts of one stack.
    private struct Parts {
        weak var model: NSManagedObjectModel?
        weak var layouts: ModelLayout?
        weak var layout: EntityLayout?
        weak var entity: NSEntityDescription?
        weak var container: NSPersistentContainer?
        weak var coordinator: NSPersistentStoreCoordinator?
        weak var context: NSManagedObjectContext?
        weak var store: NSPersistentStore?
        weak var object: NSManagedObject?

        var living: [String] {
            [
                model.map { _ in "model" }, layouts.map { _ in "layouts" }, layout.map { _ in "layout" },
                entity.map { _ in "entity" }, container.map { _ in "container" },
                coordinator.map { _ in "coordinator" }, context.map { _ in "context" }, store.map { _ in "store" },
                object.map { _ in "object" },
            ].compactMap { $0 }
        }
    }

    /// Makes a container with a new model, saves, fetches and changes objects, and releases everything.
    private func useContainer(_ type: String, in folder: URL, number: Int) throws -> Parts {
        var parts = Parts()
        let model = Self.makeModel()
        let container = NSPersistentContainer(name: "Lifetime\(number)", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("\(number).sqlite"))
        description.type = type
        container.persistentStoreDescriptions = [description]
        var problem: (any Error)?
        container.loadPersistentStores { problem = $1 }
        if let problem { throw problem }
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let artist = NSManagedObject(entity: model.entitiesByName["LifetimeArtist"]!, insertInto: context)
            artist.setValue("Abba", forKey: "name")
            for year in 1974...1976 {
                let album = NSEntityDescription.insertNewObject(forEntityName: "LifetimeLive", into: context)
                album.setValue(year, forKey: "year")
                album.setValue(artist, forKey: "artist")
            }
            try context.save()
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "LifetimeAlbum")
            request.predicate = NSPredicate(format: "artist.name == %@", "Abba")
            request.relationshipKeyPathsForPrefetching = ["artist"]
            let albums = try context.fetch(request)
            expectEqual(albums.count, 3)
            #expect(albums.allSatisfy { !$0.objectID.isTemporaryID })
            albums[0].setValue(nil, forKey: "artist")
            context.delete(albums[1])
            try context.save()
            parts.object = albums[2]
        }
        parts.model = model
        parts.layouts = container.persistentStoreCoordinator.layouts
        parts.layout = parts.layouts?.layouts.first
        parts.entity = model.entities.first
        parts.container = container
        parts.coordinator = container.persistentStoreCoordinator
        parts.context = context
        parts.store = container.persistentStoreCoordinator.persistentStores.first
        if let store = parts.store { try container.persistentStoreCoordinator.remove(store) }
        return parts
    }

    /// The resident memory of the process, in megabytes.
    private static var residentMegabytes: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? Int(fields[1])! * 4096 >> 20 : 0
    }

    @Test(
        "a released container leaves neither model nor layouts behind, however many there were",
        arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func containersAreReleased(type: String) throws {
        let folder = try TemporaryFolder()
        let count = TestRun.quick(40, long: 10_000)
        var warm = 0
        for number in 0..<count {
            if number == count / 10 { warm = Self.residentMegabytes }
            let parts = try useContainer(type, in: folder.url, number: number)
            // The monitor of remote changes holds a store while it looks at its file, on a queue of its own.
            var turns = 0
            while !parts.living.isEmpty, turns < 1_000_000 {
                sched_yield()
                turns += 1
            }
            expectEmpty(parts.living, "of container \(number): \(parts.living)")
            if !parts.living.isEmpty { return }
            if type == NSSQLiteStoreType {
                for suffix in ["", "-wal", "-shm"] {
                    try? FileManager.default.removeItem(
                        at: folder.url.appendingPathComponent("\(number).sqlite\(suffix)"))
                }
            }
        }
        // Other suites run at the same time and take memory too. What a container leaves behind would be many times
        // this bound: 9,000 containers with a model of three entities.
        if TestRun.isLong { #expect(Self.residentMegabytes - warm < 100, "MB, after \(warm) MB") }
    }

    @Test("an object ID keeps its model, and so does an object without context that was used")
    func keeping() throws {
        weak var weakModel: NSManagedObjectModel?
        var id: NSManagedObjectID?
        var object: NSManagedObject?
        do {
            let model = Self.makeModel()
            weakModel = model
            let made = NSManagedObject(entity: model.entitiesByName["LifetimeLive"]!, insertInto: nil)
            made.setValue(1977, forKey: "year")
            object = made
        }
        #expect(weakModel != nil)
        #expect(object?.value(forKey: "year") as? Int == 1977)
        #expect(object?.entity.managedObjectModel === weakModel)
        id = object?.objectID
        object = nil
        #expect(weakModel != nil)
        expectEqual(id?.entity.name, "LifetimeLive")
        id = nil
        expectEqual(weakModel, nil)
    }

    @Test("an object keeps the model of its context, also when everything else is released")
    func objectOfContext() throws {
        weak var weakModel: NSManagedObjectModel?
        var object: NSManagedObject?
        do {
            let model = Self.makeModel()
            weakModel = model
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            _ = try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.performAndWait {
                object = NSEntityDescription.insertNewObject(forEntityName: "LifetimeAlbum", into: context)
            }
        }
        #expect(weakModel != nil)
        expectEqual(object?.entity.name, "LifetimeAlbum")
        expectEqual((object?.value(forKey: "title") as? String)?.hasPrefix("a title"), true)
        object = nil
        expectEqual(weakModel, nil)
    }

    @Test("an entity that outlives its model has no layout")
    func entityAlone() throws {
        var entity: NSEntityDescription?
        do {
            let model = Self.makeModel()
            entity = model.entitiesByName["LifetimeArtist"]
            _ = ModelLayout.of(model)
            #expect(entity?.layoutAddress.load(ordering: .acquiring) != 0)
        }
        expectEqual(entity?.layoutAddress.load(ordering: .acquiring), 0)
        expectEqual(entity?.owningModel, nil)
    }

    @Test("a number that is used again means the new model's property, also where the old one was remembered")
    func reusedNumbers() throws {
        // Positions of `year` differ between the two models.
        func model(_ names: [String]) -> NSManagedObjectModel {
            let entity = AlbumModel.entity("LifetimeReused")
            entity.properties = names.map { AlbumModel.attribute($0, .integer64AttributeType) }
            let model = NSManagedObjectModel()
            model.entities = [entity]
            return model
        }
        let property = ManagedProperty<Int64>("year")
        var numbers: Set<UInt32> = []
        for round in 0..<200 {
            let names = round % 2 == 0 ? ["a", "b", "year"] : ["year", "z"]
            let model = model(names)
            let layout = try requireValue(ModelLayout.of(model).layouts.first)
            numbers.insert(layout.number)
            let object = NSManagedObject(entity: model.entities[0], insertInto: nil)
            for (value, name) in names.enumerated() { object.setValue(Int64(value), forKey: name) }
            expectEqual(object[property], Int64(names.firstIndex(of: "year")!))
        }
        #expect(numbers.count < 200)
    }

    @Test("layouts are complete when a thread first sees them")
    func publishing() {
        for _ in 0..<40 {
            let model = Self.makeModel()
            nonisolated(unsafe) let entities = model.entitiesByName
            let failures = Locked<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                let album = NSManagedObject(entity: entities["LifetimeLive"]!, insertInto: nil)
                let artist = NSManagedObject(entity: entities["LifetimeArtist"]!, insertInto: nil)
                // An incomplete layout has no inverse, so that the artist would have no album.
                album.setValue(artist, forKey: "artist")
                album.setValue(1980 + thread, forKey: "year")
                let albums = artist.value(forKey: "albums") as? NSSet
                if albums?.count != 1 || album.value(forKey: "year") as? Int != 1980 + thread {
                    failures.withLock { $0.append("thread \(thread): \(albums?.count ?? -1) albums") }
                }
            }
            expectEqual(failures.withLock { $0 }, [])
        }
    }
}
