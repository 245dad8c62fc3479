// Describes a model in code: attributes, a relationship with its inverse, rules.
// snippet.setup
import CoreData
// snippet.end
// snippet.hide
import MusicLibrary

let folder = temporaryFolder()
// snippet.show

// snippet.entities
let artist = NSEntityDescription()
artist.name = "Artist"
let song = NSEntityDescription()
song.name = "Song"

let name = NSAttributeDescription()
name.name = "name"
name.attributeType = .stringAttributeType
name.isOptional = false

let rating = NSAttributeDescription()
rating.name = "rating"
rating.attributeType = .integer16AttributeType
rating.defaultValue = 0
// snippet.end

// snippet.relationships
let songs = NSRelationshipDescription()
songs.name = "songs"
songs.destinationEntity = song
songs.minCount = 0
songs.maxCount = 0  // to-many: no limit
songs.deleteRule = .cascadeDeleteRule

let songArtist = NSRelationshipDescription()
songArtist.name = "artist"
songArtist.destinationEntity = artist
songArtist.minCount = 0
songArtist.maxCount = 1  // to-one
songArtist.deleteRule = .nullifyDeleteRule

songs.inverseRelationship = songArtist
songArtist.inverseRelationship = songs

artist.properties = [name, songs]
song.properties = [rating, songArtist]
// snippet.end

// snippet.rules
rating.setValidationPredicates(
    [NSPredicate(format: "SELF BETWEEN {0, 5}")],
    withValidationWarnings: ["A rating is from 0 to 5."])
artist.uniquenessConstraints = [["name"]]
artist.indexes = [
    NSFetchIndexDescription(
        name: "byName",
        elements: [NSFetchIndexElementDescription(property: name, collationType: .binary)])
]
// snippet.end

// snippet.model
let model = NSManagedObjectModel()
model.entities = [artist, song]
// snippet.end
// snippet.hide
let context = try makeMusicContainer(model: model, file: folder.appendingPathComponent("A.sqlite")).viewContext
let first = NSManagedObject(entity: artist, insertInto: context)
first.setValue("Miles Davis", forKey: "name")
let other = NSManagedObject(entity: song, insertInto: context)
other.setValue(first, forKey: "artist")
expect((first.value(forKey: "songs") as? Set<NSManagedObject>)?.count == 1)
try context.save()
other.setValue(7, forKey: "rating")
do {
    try context.save()
    fatalError("The rating was saved.")
} catch { expect((error as NSError).code == 1550) }
// snippet.show
