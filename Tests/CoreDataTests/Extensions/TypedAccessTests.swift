import CoreData
import Testing

@Suite("Typed access")
struct TypedAccessTests {
    @Test("typed access to binary, UUID, URI and decimal attributes", arguments: StoreKind.allCases)
    func typedObjects(_ kind: StoreKind) throws {
        let data = ManagedProperty<Data?>("data")
        let uuid = ManagedProperty<UUID?>("uuid")
        let url = ManagedProperty<URL?>("url")
        let price = ManagedProperty<Decimal?>("price")
        let thing = entity(
            "Thing",
            [
                attribute("data", .binaryDataAttributeType), attribute("uuid", .UUIDAttributeType),
                attribute("url", .URIAttributeType),
                attribute("price", .decimalAttributeType),
            ])
        try withStack(kind, model: model([thing])) { stack in
            let object = stack.context.make("Thing")
            let id = UUID()
            #expect(object[data] == nil)
            #expect(object[uuid] == nil)
            #expect(object[url] == nil)
            #expect(object[price] == nil)
            object[data] = Data([1, 2])
            object[uuid] = id
            object[url] = URL(string: "https://example.com/a")
            object[price] = Decimal(string: "12.34")
            try stack.context.save()
            try inFreshContext(stack) { context in
                let found = try context.all("Thing")[0]
                #expect(found[data] == Data([1, 2]))
                #expect(found[uuid] == id)
                #expect(found[url]?.absoluteString == "https://example.com/a")
                #expect(found[price] == Decimal(string: "12.34"))
                found[data] = nil
                try context.save()
                #expect(found[data] == nil)
                #expect(found.value(forKey: "data") == nil)
                #expect(found.value(forKey: "uuid") as? UUID == id)
            }
        }
    }
}
