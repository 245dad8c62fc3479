// Predicates over attributes, relationships, lists and dates.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
let context = container.viewContext
// snippet.end
// snippet.hide
func songs(_ predicate: NSPredicate) throws -> Int {
    let request = NSFetchRequest<Song>(entityName: "Song")
    request.predicate = predicate
    return try context.count(for: request)
}

func artists(_ predicate: NSPredicate) throws -> Int {
    let request = NSFetchRequest<Artist>(entityName: "Artist")
    request.predicate = predicate
    return try context.count(for: request)
}
// snippet.show

// snippet.strings
let equal = NSPredicate(format: "title == %@", "So What")
let anyCase = NSPredicate(format: "title ==[cd] %@", "so whát")
let beginning = NSPredicate(format: "title BEGINSWITH[c] %@", "f")
let part = NSPredicate(format: "title CONTAINS %@", "in")
let wildcard = NSPredicate(format: "title LIKE %@", "*Free*")
let pattern = NSPredicate(format: "title MATCHES %@", "S[a-z]+man")
// snippet.end
// snippet.hide
try expect([equal, anyCase, beginning, part, wildcard, pattern].map(songs) == [1, 1, 2, 3, 1, 1])
// snippet.show

// snippet.numbers
let long = NSPredicate(format: "duration > %f", 600.0)
let between = NSPredicate(format: "rating BETWEEN {3, 4}")
let oneOf = NSPredicate(format: "rating IN %@", [1, 3, 5])
let computed = NSPredicate(format: "duration / 60 < 6")
// snippet.end
// snippet.hide
try expect([long, between, oneOf, computed].map(songs) == [1, 3, 3, 2])
// snippet.show

// snippet.relationships
let ofArtist = NSPredicate(format: "artist.name == %@", "Nina Simone")
let anySong = NSPredicate(format: "ANY songs.rating == 3")
let allSongs = NSPredicate(format: "ALL songs.rating >= 4")
let many = NSPredicate(format: "songs.@count > 2")
let longOnes = NSPredicate(
    format: "SUBQUERY(songs, $s, $s.duration > 500 AND $s.rating > 3).@count >= 2")
// snippet.end
// snippet.hide
try expect(songs(ofArtist) == 2)
try expect([anySong, allSongs, many, longOnes].map(artists) == [1, 1, 1, 1])
// snippet.show

// snippet.missing
let without = NSPredicate(format: "added == nil")
let lastWeek = Date(timeIntervalSinceNow: -7 * 86_400)
let recent = NSPredicate(format: "added >= %@", lastWeek as NSDate)
// snippet.end
// snippet.hide
try expect([without, recent].map(songs) == [5, 0])
// snippet.show

// snippet.swift
let request = NSFetchRequest<Song>(entityName: "Song")
request.predicate = NSPredicate(
    #Predicate<Song> {
        $0.title.localizedStandardContains("blue") && $0.artist?.name != nil
    })
request.sortDescriptors = [NSSortDescriptor(keyPath: \Song.title, ascending: true)]
// snippet.end
// snippet.hide
try expect(context.fetch(request).map(\.title) == ["Blue in Green"])
// snippet.show

// snippet.compound
let both = NSCompoundPredicate(andPredicateWithSubpredicates: [long, ofArtist])
let template = NSPredicate(format: "rating >= $MINIMUM")
let filled = template.withSubstitutionVariables(["MINIMUM": 5])
// snippet.end
// snippet.hide
try expect([both, filled].map(songs) == [1, 2])
// snippet.show
