import Testing

@testable import CoreDataModel

@Suite("Models that can't be merged")
struct MergeConflictTests {
    private static func model(_ change: (NSEntityDescription) -> Void = { _ in }) -> NSManagedObjectModel {
        let song = CarModel.entity("Song")
        let others = CarModel.entity("Artist")
        let artist = NSRelationshipDescription()
        artist.name = "artist"
        artist.maxCount = 1
        artist.destinationEntity = others
        song.properties = [CarModel.attribute("title", .string), CarModel.attribute("duration", .float), artist]
        change(song)
        let model = NSManagedObjectModel()
        model.entities = [song, others]
        return model
    }

    private static func difference(_ change: (NSEntityDescription) -> Void) throws -> String {
        let error = try #require(throws: CocoaError.self) {
            try NSManagedObjectModel.merging([model(), model(change)])
        }
        expectEqual(error.code.rawValue, 134060)
        #expect(error.userInfo["entity"] as? String == "Song")
        expectTrue(error.localizedDescription.hasPrefix("Can't merge models with two different entities named 'Song'"))
        return error.localizedDescription
    }

    @Test("The message contains the first difference of the entities")
    func differences() throws {
        expectContains(
            try Self.difference { $0.managedObjectClassName = "Track" },
            "class is not set in the first and Track in the second")
        expectContains(
            try Self.difference { $0.isAbstract = true }, "abstract is no in the first and yes in the second")
        expectContains(
            try Self.difference { $0.userInfo = ["IsPlaceholder": "YES"] },
            "user info “IsPlaceholder” is not set in the first and YES in the second")
        expectContains(
            try Self.difference { $0.uniquenessConstraints = [["title"]] },
            "constraint (title) is not set in the first and yes in the second")
        expectContains(
            try Self.difference { $0.properties.removeLast() }, "relationship 'artist' is only in the first")
        expectContains(
            try Self.difference { $0.properties.append(CarModel.attribute("genre", .string)) },
            "attribute 'genre' is only in the second")
        expectContains(
            try Self.difference { $0.attributesByName["title"]?.isOptional = false },
            "of 'title', optional is yes in the first and no in the second")
        expectContains(
            try Self.difference { $0.attributesByName["duration"]?.defaultValue = 1.5 },
            "of 'duration', default is not set in the first and 1.5 in the second")
        expectContains(
            try Self.difference { $0.relationshipsByName["artist"]?.deleteRule = .cascadeDeleteRule },
            "of 'artist', delete rule is")
        expectContains(
            try Self.difference {
                $0.attributesByName["title"]?.setValidationPredicates(
                    [NSPredicate(value: true)], withValidationWarnings: ["w"])
            }, "of 'title', limit TRUEPREDICATE “w” is not set in the first")
        expectContains(
            try Self.difference { song in
                song.indexes = [
                    NSFetchIndexDescription(
                        name: "i",
                        elements: [NSFetchIndexElementDescription(property: song.properties[0], collationType: .binary)]
                    )
                ]
            }, "index i is not set in the first")
    }

    @Test("The message names the files, or the version identifiers or entities of both models")
    func origins() throws {
        let folder = try TemporaryFolder()
        let first = try folder.write(try ModelArchive.encode(Self.model(), as: .compiled), to: "a/Songs.mom")
        let second = try folder.write(
            try ModelArchive.encode(Self.model { $0.isAbstract = true }, as: .compiled), to: "b/Music.mom")
        let models = try [first, second].map { try NSManagedObjectModel.load(contentsOf: $0) }
        let files = try #require(throws: CocoaError.self) { try NSManagedObjectModel.merging(models) }
        expectContains(files.localizedDescription, first.path)
        expectContains(files.localizedDescription, second.path)
        #expect(files.userInfo[NSFilePathErrorKey] as? String == second.path)
        let coded = Self.model { $0.isAbstract = true }
        let mixed = try #require(throws: CocoaError.self) { try NSManagedObjectModel.merging([models[0], coded]) }
        expectContains(mixed.localizedDescription, "a model made in code (entities: Song, Artist)")
        coded.versionIdentifiers = ["v2"]
        let identified = try #require(throws: CocoaError.self) { try NSManagedObjectModel.merging([models[0], coded]) }
        expectContains(identified.localizedDescription, "the model with version identifier 'v2'")
        // A copy of a loaded model has the origin of the model.
        let copy = try requireValue(models[1].copy() as? NSManagedObjectModel)
        expectEqual(copy.origin, second)
    }

    @Test("An outdated compiled form beside a renamed model is named in the message")
    func renamed() throws {
        let folder = try TemporaryFolder()
        let old = try folder.write(try ModelArchive.encode(Self.model(), as: .compiled), to: "OldName.mom")
        try folder.write(try ModelArchive.encode(Self.model { $0.isAbstract = true }, as: .compiled), to: "NewName.mom")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -1000)], ofItemAtPath: old.path)
        let bundle = try requireValue(Bundle(url: folder.url))
        let error = try #require(throws: CocoaError.self) { try NSManagedObjectModel.merged(from: [bundle]) }
        expectContains(
            error.localizedDescription, "OldName.mom is probably the old file", "\(error.localizedDescription)"
        )
        expectEqual(NSManagedObjectModel.mergedModel(from: [bundle]), nil)
        try FileManager.default.removeItem(at: old)
        try expectEqual(NSManagedObjectModel.merged(from: [bundle]).entities.count, 2)
    }

    @Test("Different templates of one name can't be merged")
    func templates() throws {
        let models = [1, 2].map { limit in
            let model = Self.model()
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Song")
            request.fetchLimit = limit
            model.setFetchRequestTemplate(request, forName: "First")
            return model
        }
        let error = try #require(throws: CocoaError.self) { try NSManagedObjectModel.merging(models) }
        expectContains(error.localizedDescription, "two different fetch request templates named 'First'")
        #expect(error.userInfo["key"] as? String == "First")
    }

    @Test("A source model merges with its compiled form")
    func sourceAndCompiled() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(FullSourceModel.xml, to: "Full.xcdatamodel/contents").deletingLastPathComponent()
        let model = try NSManagedObjectModel.load(contentsOf: source)
        let compiled = try folder.write(try ModelArchive.encode(model, as: .compiled), to: "Other.mom")
        let merged = try NSManagedObjectModel.merging([model, NSManagedObjectModel.load(contentsOf: compiled)])
        expectEqual(merged.entities.count, model.entities.count)
    }
}
