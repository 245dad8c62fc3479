import CoreData
import Testing

@Suite("Story 1: a model in two halves")
struct TwoHalvesStory {
    /// Each half holds its own entity whole, and of the other the bare relationship.
    private static func half(_ whole: String) -> NSManagedObjectModel {
        let song = entity("Song")
        let artist = entity("Artist")
        let toArtist = toOne("artist", artist)
        let songs = toMany("songs", song, rule: .cascadeDeleteRule)
        pair(toArtist, songs)
        song.properties =
            whole == "Song"
            ? [attribute("title", .stringAttributeType), attribute("duration", .floatAttributeType), toArtist]
            : [toArtist]
        artist.properties = whole == "Artist" ? [attribute("name", .stringAttributeType), songs] : [songs]
        (whole == "Song" ? artist : song).userInfo = ["IsPlaceholder": "YES"]
        return model([song, artist])
    }

    private static func isPlaceholder(_ entity: NSEntityDescription) -> Bool {
        entity.userInfo?["IsPlaceholder"] as? String == "YES"
    }

    /// The short function.
    private static func merge(_ models: [NSManagedObjectModel]) -> NSManagedObjectModel {
        let merged = NSManagedObjectModel()
        merged.entities = models.flatMap(\.entities).filter { !isPlaceholder($0) }.compactMap {
            $0.copy() as? NSEntityDescription
        }
        return merged
    }

    @Test("Merging by the framework refuses the halves: two different entities of one name")
    func refusal() {
        expectEqual(NSManagedObjectModel(byMerging: [Self.half("Song"), Self.half("Artist")]), nil)
    }

    @Test("Copies of what is no placeholder make one model, whole and wired, that leaves the halves as they are")
    func byHand() throws {
        let halves = [Self.half("Song"), Self.half("Artist")]
        let merged = Self.merge(halves)
        let song = try requireValue(merged.entitiesByName["Song"])
        let artist = try requireValue(merged.entitiesByName["Artist"])
        expectEqual(merged.entities.count, 2)
        expectEqual(song.attributesByName.keys.sorted(), ["duration", "title"])
        expectEqual(artist.attributesByName.keys.sorted(), ["name"])
        #expect(song.relationshipsByName["artist"]?.destinationEntity === artist)
        #expect(artist.relationshipsByName["songs"]?.destinationEntity === song)
        #expect(song.relationshipsByName["artist"]?.inverseRelationship === artist.relationshipsByName["songs"])
        #expect(
            halves[0].entitiesByName["Song"]?.relationshipsByName["artist"]?.destinationEntity
                === halves[0].entitiesByName["Artist"])
    }

    @Test(
        "The merged model can be given to a coordinator; its relationship has both ends and its rules",
        arguments: StoreKind.allCases)
    func use(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.merge([Self.half("Song"), Self.half("Artist")])) { stack in
            let nina = stack.context.make("Artist", "Nina Simone")
            for title in ["Sinnerman", "Feeling Good"] {
                stack.context.make("Song", nil, ["title": title, "duration": Float(200), "artist": nina])
            }
            stack.context.make("Song", nil, ["title": "Nobody's"])
            try stack.context.save()
            expectEqual(nina.objects("songs").count, 2)
            stack.context.delete(nina)
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.all("Song").map { $0.text("title") }, ["Nobody's"]) }
        }
    }

    @Test("A third entity needs a change in one of the models only")
    func picture() throws {
        let songs = Self.half("Song")
        let artists = Self.half("Artist")
        let artist = try requireValue(artists.entitiesByName["Artist"])
        let picture = entity("Picture")
        let shown = toOne("artist", artist)
        let pictures = toMany("pictures", picture, rule: .cascadeDeleteRule)
        pair(shown, pictures)
        artists.entities.append(picture)
        picture.properties = [attribute("name", .stringAttributeType), shown]
        artist.properties.append(pictures)
        try withStack(.memory, model: Self.merge([songs, artists])) { stack in
            let nina = stack.context.make("Artist", "Nina Simone")
            stack.context.make("Picture", "portrait", ["artist": nina])
            stack.context.make("Song", nil, ["title": "Sinnerman", "artist": nina])
            try stack.context.save()
            expectEqual(nina.names("pictures"), ["portrait"])
            expectEqual(nina.objects("songs").count, 1)
        }
    }
}
