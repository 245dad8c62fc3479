import Testing

@testable import CoreDataModel

@Suite("Models in the text notation, written and read again")
struct NotationRoundTripTests {
    private let url = URL(fileURLWithPath: "/Model.coredata")

    private func read(_ text: String) throws -> NSManagedObjectModel {
        try TextNotation.read(Data(text.utf8), from: url)
    }

    @Test(
        "Every real source model is the same model, with the same hashes and the same XML, after a way through text",
        .enabled(if: Corpus.isPresent, "the corpus is not here"))
    func corpus() throws {
        var count = 0
        let bundles = ["chat/zmessaging.xcdatamodeld", "shop/SampleModel.xcdatamodeld", "recipes/Recipes.xcdatamodeld"]
        var files = try bundles.flatMap { try SourceModelBundle(at: Corpus.url($0)).versions.map(\.url).sampled() }
        files.append(try Corpus.url("tweets/RKTwitterCoreData.xcdatamodel"))
        for file in files {
            let model = try ModelFile.load(at: file)
            let text = try TextNotation.text(of: model)
            let again = try read(text)
            expectTrue(again.isEqual(model), "\(file.lastPathComponent)")
            expectEqual(again.entityVersionHashesByName, model.entityVersionHashesByName, "\(file.lastPathComponent)")
            expectEqual(again.versionChecksum, model.versionChecksum, "\(file.lastPathComponent)")
            try expectEqual(
                SourceModelWriter.xml(of: again), SourceModelWriter.xml(of: model), "\(file.lastPathComponent)")
            try expectEqual(TextNotation.text(of: again), text, "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count >= TestRun.quick(9, long: 95))
    }

    @Test("All features of a source model are decompiled without a change")
    func everything() throws {
        let folder = try TemporaryFolder()
        let model = try ModelFile.load(at: folder.write(FullSourceModel.xml, to: "Full.xcdatamodel/contents"))
        let text = try TextNotation.text(of: model)
        let again = try read(text)
        expectTrue(again.isEqual(model))
        expectEqual(String(decoding: try SourceModelWriter.xml(of: again), as: UTF8.self), FullSourceModel.xml)
        try expectEqual(TextNotation.text(of: again), text)
    }

    @Test("Features that only models made in code can have are written and read")
    func library() throws {
        let model = LibraryModel.make()
        let text = try TextNotation.text(of: model)
        let again = try read(text)
        expectTrue(again.isEqual(model))
        try expectEqual(TextNotation.text(of: again), text)
    }

    @Test("The index of an element is written, though an attribute of the same name has a fetch index")
    func indexedElement() throws {
        let city = LibraryModel.attribute("city", .stringAttributeType)
        city.setHasLegacyIndex(true)
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.elements = [city]
        let person = NSEntityDescription()
        person.name = "Person"
        person.properties = [LibraryModel.attribute("city", .stringAttributeType), address]
        person.indexes = [
            NSFetchIndexDescription(
                name: "byCity",
                elements: [
                    NSFetchIndexElementDescription(property: person.properties[0], collationType: .binary)
                ])
        ]
        let model = NSManagedObjectModel()
        model.entities = [person]
        let again = try read(try TextNotation.text(of: model))
        expectTrue(again.isEqual(model))
    }

    @Test("Random models are read as equal models in the same order, with the same text")
    func randomModels() throws {
        let seed = TestRun.seed(for: "Random models")
        var models = RandomModels(seed: seed)
        for number in 0..<TestRun.quick(60, long: 300) {
            let model = models.make()
            let text = try TextNotation.text(of: model)
            let again = try read(text)
            let differences = ModelComparison(from: model, to: again).differences
            expectTrue(again.isEqual(model), "seed \(seed), model \(number): \(differences)\n\(text)")
            expectEqual(again.versionChecksum, model.versionChecksum, "seed \(seed), model \(number)\n\(text)")
            expectEqual(again.localizationDictionary, model.localizationDictionary)
            expectEqual(again.entities.map(\.name), model.entities.map(\.name))
            for (one, other) in zip(again.entities, model.entities) {
                expectEqual(one.ownProperties.map(\.name), other.ownProperties.map(\.name))
                expectEqual(one.sourceAttributes, other.sourceAttributes)
                for (one, other) in zip(one.ownProperties, other.ownProperties) {
                    expectEqual(
                        one.sourceAttributes["usesScalarValueType"], other.sourceAttributes["usesScalarValueType"])
                    expectEqual(one.sourceAttributes["syncable"], other.sourceAttributes["syncable"])
                }
            }
            let rewritten = try TextNotation.text(of: again)
            let changed = zip(rewritten.split(separator: "\n"), text.split(separator: "\n")).first { $0 != $1 }
            expectEqual(rewritten, text, "seed \(seed), model \(number): \(String(describing: changed))")
        }
    }

    @Test("Different composites of one name keep their elements")
    func composites() throws {
        let model = NSManagedObjectModel()
        model.entities = ["A", "B"].map { name in
            let entity = CarModel.entity(name)
            let composite = NSCompositeAttributeDescription()
            composite.name = "place"
            composite.elements = [CarModel.attribute("in\(name)", .double)]
            entity.properties = [composite]
            return entity
        }
        expectTrue(try read(TextNotation.text(of: model)).isEqual(model))
        let folder = try TemporaryFolder()
        try expectEqual(
            ModelFile.load(at: folder.write(SourceModelWriter.xml(of: model), to: "C.xcdatamodel/contents"))
                .entities.map { ($0.ownProperties[0] as? NSCompositeAttributeDescription)?.elements.map(\.name) },
            [
                ["inA"], ["inB"],
            ])
    }
}
