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
            expectEqual(object[data], nil)
            expectEqual(object[uuid], nil)
            expectEqual(object[url], nil)
            expectEqual(object[price], nil)
            object[data] = Data([1, 2])
            object[uuid] = id
            object[url] = URL(string: "https://example.com/a")
            object[price] = Decimal(string: "12.34")
            try stack.context.save()
            try inFreshContext(stack) { context in
                let found = try context.all("Thing")[0]
                expectEqual(found[data], Data([1, 2]))
                expectEqual(found[uuid], id)
                expectEqual(found[url]?.absoluteString, "https://example.com/a")
                expectEqual(found[price], Decimal(string: "12.34"))
                found[data] = nil
                try context.save()
                expectEqual(found[data], nil)
                #expect(found.value(forKey: "data") == nil)
                #expect(found.value(forKey: "uuid") as? UUID == id)
            }
        }
    }
}
