import CoreDataModel
import Testing

@Suite("Source mapping models")
struct SourceMappingTests {
    private func load(_ objects: String) throws -> NSMappingModel {
        let source = try SourceMapping(objects)
        return try MappingModelFile.load(at: source.url)
    }

    /// The entities Song and Artist, with the given properties of Song.
    private func songs(
        _ attributes: [String: String] = [:], properties: String = "", attributeIDs: String = "",
        relationshipIDs: String = ""
    ) -> String {
        SourceMapping.model
            + SourceMapping.entity(
                "z2",
                ["sourcename": "Song", "destinationname": "Song", "mappingnumber": "2"].merging(attributes) { $1 },
                ["attributemappings": attributeIDs, "relationshipmappings": relationshipIDs])
            + SourceMapping.entity("z3", ["sourcename": "Artist", "destinationname": "Artist", "mappingnumber": "1"])
            + properties
    }

    private func expressions(_ mappings: [NSPropertyMapping]?) -> [String] {
        (mappings ?? []).map { "\($0.name ?? ""): \($0.valueExpression?.description ?? "-")" }
    }

    @Test("Mappings have the order of their numbers, and default names")
    func order() throws {
        let model = try load(songs())
        expectEqual(model.entityMappings.map(\.name), ["ArtistToArtist", "SongToSong"])
        expectEqual(model.entityMappings.map(\.mappingType), [.copyEntityMappingType, .copyEntityMappingType])
    }

    @Test("Attributes get the values of the same name or renaming identifier; new ones have none")
    func attributes() throws {
        let model = try load(
            songs(
                properties: SourceMapping.attribute("a", ["name": "year"])
                    + SourceMapping.attribute("b", ["name": "name"])
                    + SourceMapping.attribute("c", ["name": "mood"]),
                attributeIDs: "a b c"))
        expectEqual(
            expressions(model.entityMappings[1].attributeMappings),
            [
                "mood: $source.mood", "name: $source.title", "year: -",
            ])
    }

    @Test("Relationships are found by the one mapping of their destination, a named mapping, or a key path")
    func relationships() throws {
        func artist(_ attributes: [String: String]) throws -> [String] {
            let model = try load(
                songs(
                    properties: SourceMapping.relationship("r", ["name": "artist"].merging(attributes) { $1 }),
                    relationshipIDs: "r"))
            return expressions(model.entityMappings[1].relationshipMappings)
        }
        let call = "artist: FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
        try expectEqual(artist([:]), [call + "\"ArtistToArtist\", $source.artist)"])
        try expectEqual(artist(["sourcemappingname": "SongToSong"]), [call + "\"SongToSong\", $source.artist)"])
        try expectEqual(
            artist(["sourcekeypath": "$source.mood.artist"]), [call + "\"ArtistToArtist\", $source.mood.artist)"])
        try expectEqual(artist(["autogenerateexpression": "0"]), ["artist: -"])
    }

    @Test("A policy class, a filter, a name and an added entity are compiled")
    func details() throws {
        let model = try load(
            songs([
                "name": "Songs", "migrationpolicyclassname": "App.SongPolicy",
                "sourcefilterpredicatestring": "mood == \"good\"",
            ]))
        let songs = try requireValue(model.entityMappingsByName["Songs"])
        expectEqual(songs.mappingType, .customEntityMappingType)
        expectEqual(songs.entityMigrationPolicyClassName, "App.SongPolicy")
        expectEqual(songs.sourceExpression?.description.contains("\"mood == \\\"good\\\"\""), true)
        let other = try load(
            SourceMapping.model + SourceMapping.entity("z2", ["destinationname": "Artist"])
                + SourceMapping.entity("z3", ["sourcename": "Draft"]))
        expectEqual(other.entityMappingsByName["Artist"]?.mappingType, .addEntityMappingType)
        expectEqual(other.entityMappingsByName["Artist"]?.sourceExpression, nil)
        expectEqual(other.entityMappingsByName["Draft"]?.mappingType, .removeEntityMappingType)
    }

    @Test("Objects that no mapping refers to are ignored")
    func leftovers() throws {
        let model = try load(songs() + SourceMapping.entity("z99", ["sourcename": "Nobody"]))
        expectEqual(model.entityMappings.count, 2)
    }

    @Test("The models of the project are found by their paths, and determine the hashes")
    func models() throws {
        let source = try SourceMapping(songs())
        let model = try MappingModelFile.load(at: source.url)
        let bundle = source.folder.url.appendingPathComponent("App/Music.xcdatamodeld")
        expectTrue(
            model.matches(
                from: try ModelFile.load(at: bundle.appendingPathComponent("Music.xcdatamodel")),
                to: try ModelFile.load(at: bundle.appendingPathComponent("Music 2.xcdatamodel"))))
    }

    @Test("The search in a bundle finds the matching mapping model, compiled or source")
    func search() throws {
        let source = try SourceMapping(songs())
        let bundle = source.folder.url.appendingPathComponent("App/Music.xcdatamodeld")
        let before = try ModelFile.load(at: bundle.appendingPathComponent("Music.xcdatamodel"))
        let after = try ModelFile.load(at: bundle.appendingPathComponent("Music 2.xcdatamodel"))
        let mappings = source.url.deletingLastPathComponent()
        let resources = try requireValue(Bundle(path: mappings.path))
        expectEqual(
            NSMappingModel(from: [resources], forSourceModel: before, destinationModel: after)?.entityMappings.count,
            2)
        expectEqual(NSMappingModel(from: [resources], forSourceModel: after, destinationModel: before), nil)
        expectEqual(NSMappingModel(from: [resources], forSourceModel: nil, destinationModel: after), nil)
        let compiled = mappings.appendingPathComponent("Other.cdm")
        try MappingModelFile.write(try MappingModelFile.load(at: source.url), to: compiled)
        try FileManager.default.removeItem(at: source.url)
        expectEqual(
            NSMappingModel(from: [resources], forSourceModel: before, destinationModel: after)?.entityMappings.count,
            2)
    }

    // MARK: Bad input

    private func failure(_ objects: String) throws -> CocoaError {
        let error = try requireValue(#expect(throws: CocoaError.self) { try load(objects) })
        expectEqual(error.code, .fileReadCorruptFile)
        expectEqual((error.userInfo[NSFilePathErrorKey] as? String)?.hasSuffix("xcmapping.xml"), true)
        return error
    }

    @Test("Missing, unknown and duplicate parts are errors with the entity and the key")
    func dangling() throws {
        expectContains(try failure("").localizedDescription, "no mapping model")
        #expect(try failure(songs(["sourcename": "Nobody"])).userInfo["entity"] as? String == "Nobody")
        expectContains(try failure(songs(["name": "ArtistToArtist"])).localizedDescription, "two entity mappings")
        #expect(try failure(songs(["mappingnumber": "first"])).userInfo["key"] as? String == "mappingnumber")
        #expect(
            try failure(songs(["sourcefilterpredicatestring": "mood =="])).userInfo["key"] as? String
                == "sourcefilterpredicatestring")
        expectContains(try failure(SourceMapping.model).localizedDescription, "'z3'")
        expectContains(try failure(songs(attributeIDs: "z2")).localizedDescription, "'z2'")
        let unknown = try failure(songs(properties: SourceMapping.attribute("a", ["name": "tempo"]), attributeIDs: "a"))
        #expect(unknown.userInfo["entity"] as? String == "Song")
        #expect(unknown.userInfo["key"] as? String == "tempo")
        let nameless = try failure(songs(properties: SourceMapping.attribute("a", [:]), attributeIDs: "a"))
        #expect(nameless.userInfo["key"] as? String == "name")
        let other = try failure(
            songs(
                properties: SourceMapping.relationship("r", ["name": "artist", "sourcemappingname": "None"]),
                relationshipIDs: "r"))
        expectContains(other.localizedDescription, "'None'")
        let expression = try failure(
            songs(
                properties: SourceMapping.attribute("a", ["name": "mood", "valueexpressiondata": "AAAA"]),
                attributeIDs: "a"))
        #expect(expression.userInfo["key"] as? String == "mood")
    }

    @Test("A source without path and copy of a model has an error of its own")
    func noModels() throws {
        let objects = songs().replacingOccurrences(
            of: "App/Music.xcdatamodeld/Music.xcdatamodel", with: "Elsewhere/Music.xcdatamodel")
        #expect(try failure(objects).userInfo["key"] as? String == "sourcemodeldata")
        let outside = songs().replacingOccurrences(
            of: ">App/Music.xcdatamodeld/Music.xcdatamodel", with: ">../App/Music.xcdatamodeld/Music.xcdatamodel")
        #expect(try failure(outside).userInfo["key"] as? String == "sourcemodeldata")
    }

    @Test(
        "Files that are not mapping models are refused with their name",
        arguments: [
            "", "no XML", "<database>", "<model/>", "<!DOCTYPE d [<!ENTITY a \"b\">]><database>&a;</database>",
            "bplist00", "\u{0}\u{1}",
        ])
    func otherFiles(text: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: "Some.xcmappingmodel/xcmapping.xml")
        #expect(throws: CocoaError.self) { try MappingModelFile.load(at: file) }
        expectEqual(NSMappingModel(contentsOf: file), nil)
    }

    @Test("The result is nil for a missing file, a folder without a mapping model, and a nil URL")
    func nothing() throws {
        let folder = try TemporaryFolder()
        expectEqual(NSMappingModel(contentsOf: nil), nil)
        expectEqual(NSMappingModel(contentsOf: folder.url), nil)
        let error = #expect(throws: CocoaError.self) {
            try MappingModelFile.load(at: folder.url.appendingPathComponent("None.cdm"))
        }
        expectEqual(error?.code, .fileReadNoSuchFile)
    }
}
