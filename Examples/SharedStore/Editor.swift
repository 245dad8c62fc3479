import CoreData

/// The second process: inserts, changes and deletes songs, with one save for each change.
enum Editor {
    /// The titles at the end.
    static let result = ["Blackbird", "Hey Jude", "Julia"]

    static func run(_ url: URL) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try Playlist.coordinator(at: url)
        context.transactionAuthor = "editor"
        try context.performAndWait {
            var songs: [NSManagedObject] = []
            for title in ["Julia", "Yesterday", "Hey Jules"] {
                let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
                song.setValue(title, forKey: "title")
                songs.append(song)
                try context.save()
            }
            songs[2].setValue("Hey Jude", forKey: "title")
            try context.save()
            context.delete(songs[1])
            try context.save()
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue("Blackbird", forKey: "title")
            try context.save()
        }
    }
}
