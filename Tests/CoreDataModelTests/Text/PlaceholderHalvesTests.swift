import CoreDataModel
import Testing

@Suite("A model in two halves, as text")
struct PlaceholderHalvesTests {
    private static let songs = """
        Song {
            title: string
            duration: float
            to-one artist: Artist, inverse: songs
        }
        Artist {
            to-many songs: Song, inverse: artist, delete: cascade
            user-info { IsPlaceholder: YES }
        }
        """
    private static let artists = """
        Artist {
            name: string
            to-many songs: Song, inverse: artist, delete: cascade
        }
        Song {
            to-one artist: Artist, inverse: songs
            user-info { IsPlaceholder: YES }
        }
        """

    private func halves() throws -> [NSManagedObjectModel] {
        let folder = try TemporaryFolder()
        return [
            try ModelFile.load(at: folder.write(Self.songs, to: "Songs.coredata")),
            try ModelFile.load(at: folder.write(Self.artists, to: "Artists.coredata")),
        ]
    }

    @Test("Each half is a model with a placeholder for the other's entity")
    func placeholders() throws {
        for model in try halves() {
            expectEqual(model.entities.count, 2)
            let marks = model.entities.map { $0.userInfo?["IsPlaceholder"] as? String }
            expectContains(marks, "YES")
            expectContains(marks, nil)
        }
    }

    @Test("Copies of the entities that are not placeholders form the complete model")
    func merged() throws {
        let whole = NSManagedObjectModel()
        whole.entities = try halves().flatMap(\.entities).filter { $0.userInfo?["IsPlaceholder"] == nil }
            .compactMap { $0.copy() as? NSEntityDescription }
        let song = try requireValue(whole.entitiesByName["Song"])
        let artist = try requireValue(whole.entitiesByName["Artist"])
        expectEqual(song.attributesByName["duration"]?.attributeType, .floatAttributeType)
        #expect(song.relationshipsByName["artist"]?.destinationEntity === artist)
        #expect(song.relationshipsByName["artist"]?.inverseRelationship === artist.relationshipsByName["songs"])
        expectEqual(artist.relationshipsByName["songs"]?.deleteRule, .cascadeDeleteRule)
        #expect(whole.firstProblem() == nil)
    }
}
