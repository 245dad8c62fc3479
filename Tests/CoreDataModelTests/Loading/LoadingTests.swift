import CoreDataModel
import Testing

@Suite("Loading models")
struct LoadingTests {
    @Test(
        "A compiled model is recognised by its content, whatever its name",
        arguments: ["Model.mom", "anything", "x.xml"])
    func compiled(name: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(try ModelArchive.encode(CarModel.make(), as: .compiled), to: name)
        let model = try requireValue(NSManagedObjectModel(contentsOf: file))
        expectEqual(model.entityVersionHashesByName, CarModel.make().entityVersionHashesByName)
        #expect(model.entities.allSatisfy { $0.managedObjectModel === model })
    }

    @Test("A strings file beside the model becomes the localization dictionary")
    func localization() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(FullSourceModel.xml, to: "My.xcdatamodel/contents").deletingLastPathComponent()
        try folder.write(
            """
            /* names */
            "Entity/Part" = "Teil"; // of a whole
            "Property/number" = "N\\u00fcmmer \\"1\\"\\n";
            plain = word;
            """, to: "en.lproj/MyModel.strings")
        let model = try requireValue(NSManagedObjectModel(contentsOf: file))
        expectEqual(
            model.localizationDictionary,
            [
                "Entity/Part": "Teil", "Property/number": "Nümmer \"1\"\n", "plain": "word",
            ])
    }

    @Test("A damaged strings file is an error that names the file")
    func badStrings() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(FullSourceModel.xml, to: "My.xcdatamodel/contents").deletingLastPathComponent()
        try folder.write("\"a\" = \"b", to: "MyModel.strings")
        let error = try #require(throws: CocoaError.self) { try NSManagedObjectModel.load(contentsOf: file) }
        expectContains(error.localizedDescription, "MyModel.strings")
    }

    @Test("The models of a bundle are found once each and merged")
    func bundles() throws {
        let folder = try TemporaryFolder()
        try folder.write(try ModelArchive.encode(CarModel.make(), as: .compiled), to: "Cars.mom")
        try folder.write("<model><entity name=\"Car\"/></model>", to: "Cars.xcdatamodel/contents")
        try folder.write("<model><entity name=\"Road\"/></model>", to: "Roads.xcdatamodeld/Roads.xcdatamodel/contents")
        let bundle = try requireValue(Bundle(url: folder.url))
        expectEqual(ModelSearch.modelFiles(in: [bundle]).map(\.lastPathComponent), ["Cars.mom", "Roads.xcdatamodeld"])
        let model = try requireValue(NSManagedObjectModel.mergedModel(from: [bundle]))
        expectEqual(model.entitiesByName.keys.sorted(), ["Car", "ExpensiveSportCar", "Person", "Road", "SportCar"])
        let metadata: [String: Any] = ["NSStoreModelVersionHashes": CarModel.make().entityVersionHashesByName]
        expectEqual(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)?.entities.count, 4)
        expectEqual(NSManagedObjectModel.mergedModel(from: []), nil)
    }

    @Test("Of a compiled bundle only the version of a store is read")
    func versionOfAStore() throws {
        let folder = try TemporaryFolder()
        let (model, newer) = (CarModel.make(), CarModel.make())
        for entity in newer.entities { entity.versionHashModifier = "2" }
        try CompiledModelBundle.write(["A": newer, "B": model], current: "A", to: folder.file("Cars.momd"))
        try folder.write("damaged", to: "Cars.momd/A.mom")
        let bundle = try requireValue(Bundle(url: folder.url))
        let metadata: [String: Any] = ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
        let found = try requireValue(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata))
        expectEqual(found.entityVersionHashesByName, model.entityVersionHashesByName)
    }

    @Test(
        "A compiled bundle of Apple's and its source say the same",
        .enabled(if: Corpus.isPresent, "the corpus is not here"))
    func sourceAndCompiled() throws {
        let compiled = try ModelFile.load(at: Corpus.url("shop/SampleModel.momd"))
        let source = try ModelFile.load(at: Corpus.url("shop/SampleModel.xcdatamodeld"))
        expectEqual(compiled.entityVersionHashesByName, source.entityVersionHashesByName)
        try expectEqual(
            NSManagedObjectModel.checksumsForVersionedModel(at: Corpus.url("shop/SampleModel.momd")),
            NSManagedObjectModel.checksumsForVersionedModel(at: Corpus.url("shop/SampleModel.xcdatamodeld")))
        for entity in source.entities {
            let twin = try requireValue(compiled.entitiesByName[entity.name ?? ""])
            // The value class of Car.color was added to the source after the bundle was compiled.
            for (name, property) in entity.propertiesByName where name != "color" {
                expectEqual(twin.propertiesByName[name]?.isEqual(property), true, "\(entity.name ?? "").\(name)")
            }
        }
    }
}
