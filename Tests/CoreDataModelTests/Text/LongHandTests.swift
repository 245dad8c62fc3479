import CoreDataModel
import Testing

@Suite("A model in two halves, in the older syntax")
struct LongHandTests {
    private static let songs = """
        Song = {
            attribute title : string;
            attribute duration : float;
            to-one-relationship artist : Artist, inverse : songs, delete-rule : nullify;
        };

        Artist = {
            to-many-relationship songs : Song, inverse : artist, delete-rule : cascade;
            userInfo = { IsPlaceholder = YES; };
        };
        """
    private static let artists = """
        Artist = {
            attribute name : string;
            to-many-relationship songs : Song, inverse : artist, delete-rule : cascade, min-count : 0;
        };

        Song = {
            to-one-relationship artist : Artist, inverse : songs, delete-rule : nullify;
            userInfo = { IsPlaceholder = YES; };
        };
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

    @Test("The older syntax is written in the current syntax")
    func terse() throws {
        try expectEqual(
            TextNotation.text(of: try halves()[0]),
            """
            entity Song {
                attribute title: string
                attribute duration: float
                to-one artist: Artist, inverse: songs, delete: nullify
            }

            entity Artist {
                to-many songs: Song, inverse: artist, delete: cascade

                user-info {
                    IsPlaceholder: "YES"
                }
            }

            """)
    }

    @Test("In the older syntax the options of an entity can be in its block")
    func entityDetails() throws {
        let folder = try TemporaryFolder()
        let model = try ModelFile.load(
            at: folder.write("Item = { abstract = YES; class = Thing; }; Song = { parent = Item; };", to: "a.coredata"))
        expectEqual(model.entitiesByName["Song"]?.superentity?.isAbstract, true)
        expectEqual(model.entitiesByName["Item"]?.managedObjectClassName, "Thing")
    }
}
