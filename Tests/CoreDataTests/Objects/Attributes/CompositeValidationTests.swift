import CoreData
import Testing

@Suite("Validation of composite attributes")
struct CompositeValidationTests {
    private func makeModel(optional: Bool = true) -> NSManagedObjectModel {
        let city = attribute("city", .stringAttributeType, optional: false)
        city.setValidationPredicates(
            [NSPredicate(format: "length >= 3")], withValidationWarnings: ["City is too short"])
        let height = attribute("height", .integer16AttributeType)
        height.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")], withValidationWarnings: ["Height is below ground"])
        return model([
            entity(
                "Place",
                [
                    attribute("name", .stringAttributeType),
                    composite(
                        "location",
                        [city, height, composite("inner", [attribute("must", .doubleAttributeType, optional: false)])],
                        optional: optional),
                ])
        ])
    }

    private func error(_ value: Any?, optional: Bool = true) throws -> NSError? {
        var result: NSError?
        try withStack(.sqlite, model: makeModel(optional: optional)) { stack in
            let place = stack.context.make("Place", "p")
            place.setValue(value, forKey: "location")
            result = thrownError { try stack.context.save() }
        }
        return result
    }

    @Test("takes what fits the elements' rules, and nil where the composite is optional")
    func valid() throws {
        try expectEqual(error(["city": "Rome", "height": 3]), nil)
        try expectEqual(error(["city": "Rome", "inner": ["must": 1.5]]), nil)
        try expectEqual(error(nil), nil)
    }

    @Test("refuses nil where the composite is required")
    func required() throws {
        let refusal = try requireValue(try error(nil, optional: false))
        expectEqual(refusal.code, 1570)
        #expect(refusal.userInfo[NSValidationKeyErrorKey] as? String == "location")
    }

    @Test("names the element that breaks a rule by its key path")
    func elements() throws {
        let missing = try requireValue(try error(["height": 3]))
        expectEqual(missing.code, 1570)
        #expect(missing.userInfo[NSValidationKeyErrorKey] as? String == "location.city")
        let short = try requireValue(try error(["city": "Ro"]))
        expectEqual(short.code, 1550)
        expectEqual(short.localizedDescription, "City is too short")
        #expect(short.userInfo[NSValidationValueErrorKey] as? String == "Ro")
        let overflow = try requireValue(try error(["city": "Rome", "height": 40000]))
        expectEqual(overflow.domain, NSCocoaErrorDomain)
        #expect(overflow.userInfo[NSValidationKeyErrorKey] as? String == "location.height")
    }

    @Test("gathers the errors of several elements as those of several properties")
    func several() throws {
        let refusal = try requireValue(try error(["city": "Ro", "height": -1]))
        let details = try requireValue(refusal.userInfo[NSDetailedErrorsKey] as? [NSError])
        expectEqual(refusal.code, 1560)
        expectEqual(details.map(\.localizedDescription).sorted(), ["City is too short", "Height is below ground"])
    }

    @Test("of a value by key checks the elements too")
    func validateValue() throws {
        try withStack(.memory, model: makeModel()) { stack in
            let place = stack.context.make("Place", "p")
            var good: AnyObject? = NSDictionary(dictionary: ["city": "Rome"])
            var bad: AnyObject? = NSDictionary(dictionary: ["city": "R"])
            expectEqual(thrownError { try place.validateValue(&good, forKey: "location") }, nil)
            expectEqual(thrownError { try place.validateValue(&bad, forKey: "location") }?.code, 1550)
        }
    }
}
