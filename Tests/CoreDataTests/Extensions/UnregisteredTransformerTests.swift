import CoreData
import Testing

@Suite("Transformable attributes whose transformer isn't registered")
struct UnregisteredTransformerTests {
    private static func makeModel(transformer: String?) -> NSManagedObjectModel {
        let thing = attribute("thing", .transformableAttributeType)
        thing.valueTransformerName = transformer
        return model([entity("Box", [attribute("name", .stringAttributeType), thing])])
    }

    /// A store with one value, opened with a model whose transformer isn't registered.
    private static func makeStack(_ transformer: String) throws -> TestStack {
        let folder = try TemporaryFolder()
        let stack = try TestStack(.sqlite, model: makeModel(transformer: nil), folder: folder)
        try on(stack.context) {
            stack.context.make("Box", "b", ["thing": [1, 2]])
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.store)
        return try TestStack(.sqlite, model: makeModel(transformer: transformer), folder: folder)
    }

    @Test("typed reading stops with the names of transformer and attribute, and the remedy")
    func typedReading() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Self.makeStack("PaletteTransformer")
            try on(stack.context) { _ = try stack.context.one("Box", "b")[ManagedProperty<[Int]?>("thing")] }
        }
        let said = errorOutput(result)
        expectContains(said, "value transformer named 'PaletteTransformer' of attribute Box.thing isn't registered")
        expectContains(said, "ValueTransformer.setValueTransformer(_:forName:)")
        #expect(!said.contains("Give the accessor"))
    }

    @Test("the most similar registered names are suggested")
    func suggestion() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ValueTransformer.setValueTransformer(
                NumbersTransformer(), forName: NSValueTransformerName("PaletteTransformer"))
            let stack = try Self.makeStack("PalletteTransformer")
            try on(stack.context) { _ = try stack.context.one("Box", "b")[ManagedProperty<[Int]?>("thing")] }
        }
        expectContains(errorOutput(result), "Did you mean 'PaletteTransformer'?")
    }

    @Test("value(forKey:) gives the stored data, and the log says why")
    func untypedReading() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let stack = try Self.makeStack("PaletteTransformer")
            try on(stack.context) {
                guard try stack.context.one("Box", "b").value(forKey: "thing") is Data else { exit(1) }
            }
        }
        expectContains(
            errorOutput(result), "value transformer named 'PaletteTransformer' of attribute Box.thing isn't registered")
    }

    @Test("a fetch of dictionaries gives the stored data")
    func dictionaries() throws {
        let stack = try Self.makeStack("UnregisteredTransformerTests.None")
        let request = NSFetchRequest<NSDictionary>(entityName: "Box")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["thing"]
        try on(stack.context) { try #expect(stack.context.fetch(request).first?["thing"] is Data) }
    }

    @Test("saving a new value throws an error with the names and the remedy")
    func saving() throws {
        let stack = try Self.makeStack("UnregisteredTransformerTests.None")
        try on(stack.context) {
            try stack.context.one("Box", "b").setValue("text", forKey: "thing")
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.code, 134060)
            let said = "\(error)"
            expectContains(said, "'UnregisteredTransformerTests.None' of attribute Box.thing isn't registered")
            expectContains(said, "setValueTransformer(_:forName:)")
        }
    }

    @Test("another change of the object is validated and saved, and the value survives")
    func otherChange() throws {
        let stack = try Self.makeStack("UnregisteredTransformerTests.None")
        try on(stack.context) {
            let box = try stack.context.one("Box", "b")
            let data = box.value(forKey: "thing") as? Data
            box.setValue("c", forKey: "name")
            try stack.context.save()
            try inFreshContext(stack) { other in
                try #expect(other.one("Box", "c").value(forKey: "thing") as? Data == data)
            }
        }
    }
}
