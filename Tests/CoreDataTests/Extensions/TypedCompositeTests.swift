import CoreData
import Testing

@Suite("Typed access to composite attributes")
struct TypedCompositeTests {
    @Test("the type of a property is a dictionary")
    func typed() throws {
        let location = ManagedProperty<[String: Any]?>("location")
        try withStack(.sqlite, model: PlaceModel.make()) { stack in
            let place = stack.context.make("Place", "p")
            #expect(place[location] == nil)
            place[location] = ["city": "Rome"]
            #expect(place[location]?["city"] as? String == "Rome")
            expectTrue(place.isInserted)
            place[location] = nil
            #expect(place.value(forKey: "location") == nil)
        }
    }
}
