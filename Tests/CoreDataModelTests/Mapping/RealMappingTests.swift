import CoreDataModel
import Testing

@Suite("Real mapping models", .enabled(if: Corpus.isPresent))
struct RealMappingTests {
    private func compiled() throws -> NSMappingModel { try MappingModelFile.load(at: Corpus.url("shop/V2toV3.cdm")) }

    @Test("A mapping model that Apple's compiler wrote is read completely")
    func reading() throws {
        let model = try compiled()
        expectEqual(
            model.entityMappings.map(\.name),
            [
                "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
            ])
        expectEqual(model.entityMappings.map(\.mappingType.rawValue), [1, 1, 4, 1, 2])
        let car = try requireValue(model.entityMappingsByName["CarToCar"])
        expectEqual(car.entityMigrationPolicyClassName, "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
        let source = try requireValue(car.sourceExpression as? NSFetchRequestExpression)
        expectFalse(source.isCountOnlyRequest)
        expectEqual(
            source.description,
            """
            FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Car\", \
            \"TRUEPREDICATE\"), 
            """
                + "$manager.sourceContext, NO)")
        expectEqual(car.attributeMappings?.compactMap(\.name), ["markedForDeletionAsOf", "model", "numberPlate"])
        expectEqual(car.attributeMappings?.first?.valueExpression?.description, "$source.markedForDeletionAsOf")
        expectEqual(
            car.relationshipMappings?[1].valueExpression?.description,
            """
            FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \
            \"PersonToPerson\", $source.owner)
            """
        )
        let maker = try requireValue(model.entityMappingsByName["Maker"])
        expectEqual(maker.sourceEntityName, nil)
        expectEqual(maker.sourceEntityVersionHash, nil)
        expectEqual(maker.sourceExpression, nil)
    }

    @Test("A written mapping model is read as an equal one, which has the same bytes")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let first = folder.url.appendingPathComponent("First.cdm")
        let second = folder.url.appendingPathComponent("Second.cdm")
        let model = try compiled()
        try MappingModelFile.write(model, to: first)
        let again = try MappingModelFile.load(at: first)
        expectEqual(MappingText.text(of: again), MappingText.text(of: model))
        try MappingModelFile.write(again, to: second)
        try expectEqual(Data(contentsOf: first), Data(contentsOf: second))
    }

    @Test("With the copies of the models, the source compiles to the output of Apple's compiler")
    func compilingAlone() throws {
        let folder = try TemporaryFolder()
        let source = folder.url.appendingPathComponent("V2toV3.xcmappingmodel")
        try FileManager.default.copyItem(at: Corpus.url("shop/V2toV3.xcmappingmodel"), to: source)
        try expectEqual(MappingText.text(of: MappingModelFile.load(at: source)), MappingText.text(of: compiled()))
    }

    @Test("With the models of the project, the source compiles to the same output")
    func compilingInProject() throws {
        let folder = try TemporaryFolder()
        let source = folder.url.appendingPathComponent("Mappings/V2toV3.xcmappingmodel")
        try FileManager.default.createDirectory(
            at: source.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Corpus.url("shop/V2toV3.xcmappingmodel"), to: source)
        let tests = folder.url.appendingPathComponent("Tests")
        try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Corpus.url("shop/SampleModel.xcdatamodeld"),
            to: tests.appendingPathComponent("SampleModel.xcdatamodeld"))
        try expectEqual(MappingText.text(of: MappingModelFile.load(at: source)), MappingText.text(of: compiled()))
    }

    @Test("A mapping model is found by the hashes of its two models")
    func fitting() throws {
        let versions = try ["SampleModel", "SampleModel2", "SampleModel3"].map {
            try ModelFile.load(at: Corpus.url("shop/SampleModel.momd/\($0).mom"))
        }
        let model = try compiled()
        expectTrue(model.matches(from: versions[1], to: versions[2]))
        expectFalse(model.matches(from: versions[0], to: versions[2]))
        expectFalse(model.matches(from: versions[2], to: versions[1]))
        expectFalse(NSMappingModel().matches(from: versions[1], to: versions[2]))
    }
}
