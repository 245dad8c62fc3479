// Reads the history of a store, and follows what others save.
// snippet.models
// snippet.hide
import MusicLibrary
// snippet.show
import SwiftData

@Model
final class Song {
    @Attribute(.preserveValueOnDeletion) var title: String
    var genre: String
    var plays = 0

    init(title: String, genre: String) {
        self.title = title
        self.genre = genre
    }
}
// snippet.end

// snippet.hide
expect(FileManager.default.changeCurrentDirectoryPath(temporaryFolder().path))
// snippet.show
// snippet.history
let file = URL(fileURLWithPath: "Songs.store")
let container = try ModelContainer(for: Song.self, configurations: ModelConfiguration(url: file))
let context = container.mainContext
context.author = "app"
let waltz = Song(title: "Waltz", genre: "Jazz")
context.insert(waltz)
context.insert(Song(title: "Dancing Queen", genre: "Pop"))
try context.save()

let everything = HistoryDescriptor<DefaultHistoryTransaction>()
let token = try context.fetchHistory(everything).last?.token
context.delete(waltz)
try context.save()

var later = everything
if let token {
    later.predicate = #Predicate { $0.token > token && $0.author == "app" }
}
for transaction in try context.fetchHistory(later) {
    for case .delete(let change as DefaultHistoryDelete<Song>) in transaction.changes {
        print("deleted:", change.tombstone[\.title] ?? "a song")
    }
}
// snippet.end
// snippet.hide
try expect(context.fetchHistory(later).count == 1)
// snippet.show

// snippet.observer
let songs = try ResultsObserver(
    filterBy: #Predicate<Song> { $0.plays > 0 },
    sortBy: [SortDescriptor(\.title)],
    sectionBy: \.genre,
    modelContext: context)
withObservationTracking {
    print(songs.sections?.sectionTitles ?? [])
} onChange: {
    print("The songs are about to change.")
}

let queen = try context.fetch(FetchDescriptor<Song>())[0]
queen.plays = 3
context.processPendingChanges()
// snippet.end
// snippet.hide
expect(songs.sections?.sectionTitles == ["Pop"])
try context.save()
// snippet.show

// snippet.aggregates
let groups = try context.aggregates(
    of: FetchDescriptor<Song>(), groupedBy: [\.genre], [.count, .sum(\.plays)])
for group in groups {
    print(group[\.genre] ?? "no genre", group[number: 0], group[number: 1])
}
// snippet.end
// snippet.hide
expect(groups.map { $0[number: 1] } == [3])
// snippet.show

// snippet.snapshots
let snapshot = ModelSnapshot(queen)
let title = await Task.detached { snapshot.title }.value
print(title)
// snippet.end
// snippet.hide
expect(title == "Dancing Queen")
// snippet.show

// snippet.explanation
let popular = FetchDescriptor<Song>(
    predicate: #Predicate { $0.plays > 1 }, sortBy: [SortDescriptor(\.title)])
print(try context.explanation(of: popular))
// snippet.end
