import CoreData

/// A store of playlists, whose songs have an order, for tests of the browser.
enum BrowserSongs {
    static func model() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType, isOptional: Bool = true) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = isOptional
            return attribute
        }
        func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = properties
            return entity
        }
        func relationship(_ name: String, to entity: NSEntityDescription, isOrdered: Bool) -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = entity
            relationship.maxCount = 0
            relationship.isOrdered = isOrdered
            relationship.deleteRule = .nullifyDeleteRule
            return relationship
        }
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.isOptional = true
        place.elements = [attribute("city", .stringAttributeType), attribute("extra", .binaryDataAttributeType)]
        let song = entity(
            "Song",
            [
                attribute("title", .stringAttributeType, isOptional: false),
                attribute("isrc", .stringAttributeType), attribute("notes", .stringAttributeType),
                attribute("data", .binaryDataAttributeType), place,
            ])
        song.uniquenessConstraints = [["isrc"]]
        let list = entity("Play/list", [attribute("title", .stringAttributeType)])
        let songs = relationship("songs", to: song, isOrdered: true)
        let lists = relationship("lists", to: list, isOrdered: false)
        (songs.inverseRelationship, lists.inverseRelationship) = (lists, songs)
        list.properties.append(songs)
        song.properties.append(lists)
        let model = NSManagedObjectModel()
        model.entities = [song, list]
        return model
    }

    /// The pages on a store with songs, which they change.
    static func session(in folder: TemporaryFolder, titles: [String] = ["One"]) throws -> BrowserSession {
        try BrowserSession(path: makeStore(in: folder, titles: titles), isEditable: true)
    }

    /// Makes a store with one playlist and songs with these titles, of which the list has the first three.
    static func makeStore(
        in folder: TemporaryFolder, titles: [String], data: Data? = nil, hasHistory: Bool = false
    ) throws -> String {
        let path = folder.path("Songs.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
            options: hasHistory ? [NSPersistentHistoryTrackingKey: true] : nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            var songs: [NSManagedObject] = []
            for (index, title) in titles.enumerated() {
                let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
                song.setValue(title, forKey: "title")
                song.setValue("DE-\(index)", forKey: "isrc")
                song.setValue("{\"key\":[1,2.50]}", forKey: "notes")
                song.setValue(data, forKey: "data")
                song.setValue(["city": "Köln", "extra": Data("{\"zip\":50667}".utf8)], forKey: "place")
                songs.append(song)
                // Keys in the order of the insertion.
                try context.save()
            }
            let list = NSEntityDescription.insertNewObject(forEntityName: "Play/list", into: context)
            list.setValue("Evening", forKey: "title")
            list.setValue(NSOrderedSet(array: Array(songs.prefix(3))), forKey: "songs")
            try context.save()
        }
        try coordinator.remove(store)
        return path
    }
}
