import CoreData
import TestSupport
import Testing

/// Attributes and their values.
extension WholeMigrationTests {
    @Test("two properties that share a renaming identifier with one of the old model aren't inferred")
    func ambiguousProperties() throws {
        func infer(_ old: [NSPropertyDescription], _ new: [NSPropertyDescription]) -> NSError? {
            thrownError {
                _ = try NSMappingModel.inferredMappingModel(
                    forSourceModel: model([entity("Song", old)]), destinationModel: model([entity("Song", new)]))
            }
        }
        func text(_ name: String, from former: String? = nil) -> NSAttributeDescription {
            let text = attribute(name, .stringAttributeType)
            return former.map { renamed(text, from: $0) } ?? text
        }
        let kept = infer([text("title")], [text("title"), text("caption", from: "title")])
        expectEqual(kept?.code, 134190)
        #expect(kept?.userInfo["attribute"] as? String == "title")
        expectEqual(infer([text("title")], [text("a", from: "title"), text("b", from: "title")])?.code, 134190)
        let elements = infer(
            [composite("c", [text("x")])], [composite("c", [text("x"), text("y", from: "x")])])
        expectEqual(elements?.code, 134190)
        // A new one says so; a name of two versions ago is free again; names are exchanged.
        expectEqual(infer([text("title")], [text("title", from: "new"), text("caption", from: "title")]), nil)
        expectEqual(infer([text("b", from: "a")], [text("b", from: "a"), text("a")]), nil)
        expectEqual(infer([text("a"), text("b")], [text("a", from: "b"), text("b", from: "a")]), nil)
        // An attribute of another type can't have the old values.
        let number = attribute("title", .integer16AttributeType)
        expectEqual(infer([text("title")], [number, text("caption", from: "title")]), nil)
    }

    /// A number that its new type can't have.
    struct Number: Sendable, CustomTestStringConvertible {
        let from: NSAttributeType
        let to: NSAttributeType
        let value: Double
        /// The number in the new type; nil for an error.
        let result: Double?
        var testDescription: String { "\(value) of type \(from.rawValue) to \(to.rawValue)" }
    }

    static let numbers: [Number] = [
        (.doubleAttributeType, .integer64AttributeType, 1e300, nil),
        (.doubleAttributeType, .integer64AttributeType, 0x1p63, nil),
        (.doubleAttributeType, .integer64AttributeType, -0x1p63, -0x1p63),
        (.doubleAttributeType, .integer64AttributeType, .infinity, nil),
        (.doubleAttributeType, .integer32AttributeType, -1e10, nil),
        (.doubleAttributeType, .integer16AttributeType, 2.75, 2),
        (.doubleAttributeType, .floatAttributeType, 1e39, nil),
        (.doubleAttributeType, .floatAttributeType, -3.5e38, nil),
        (.doubleAttributeType, .floatAttributeType, 3e38, 3e38),
        (.doubleAttributeType, .floatAttributeType, .infinity, .infinity),
        (.doubleAttributeType, .decimalAttributeType, 1e200, nil),
        (.doubleAttributeType, .decimalAttributeType, 0.5, 0.5),
        (.doubleAttributeType, .decimalAttributeType, -.infinity, nil),
        (.decimalAttributeType, .integer64AttributeType, 1e20, nil),
        (.decimalAttributeType, .floatAttributeType, 1e60, nil),
        (.decimalAttributeType, .integer16AttributeType, -40_000, nil),
        (.floatAttributeType, .integer64AttributeType, 0x1p70, nil),
        (.integer64AttributeType, .integer16AttributeType, 40_000, nil),
    ].map { Number(from: $0, to: $1, value: $2, result: $3) }

    @Test(
        "a number that its new type can't have is an error with object and attribute", arguments: numbers,
        [false, true])
    func number(_ number: Number, inComposite: Bool) throws {
        func make(_ type: NSAttributeType) -> NSManagedObjectModel {
            let value = attribute("value", type)
            return model([named("N", [inComposite ? composite("c", [value]) : value])])
        }
        let stored: NSNumber =
            number.from == .decimalAttributeType ? NSDecimalNumber(value: number.value) : NSNumber(value: number.value)
        func fill(_ context: NSManagedObjectContext) {
            context.make("N", "one", inComposite ? ["c": ["value": stored]] : ["value": stored])
            context.make("N", "none")
        }
        func value(_ context: NSManagedObjectContext) throws -> Double? {
            let object = try context.one("N", "one")
            let value =
                inComposite ? (object.value(forKey: "c") as? [String: Any])?["value"] : object.value(forKey: "value")
            return (value as? NSNumber)?.doubleValue
        }
        for way in inComposite ? [MigrationWay.inPlace, .xml] : MigrationWay.allCases {
            let folder = try TemporaryFolder()
            if let result = number.result {
                try way.run({ make(number.from) }, { make(number.to) }, in: folder, filling: fill) { context in
                    let found = try requireValue(try value(context))
                    #expect(found == result || abs(found - result) < 1e-6 * abs(result), "\(way)")
                }
            } else {
                let error = try way.refusal({ make(number.from) }, { make(number.to) }, in: folder, filling: fill) {
                    try expectEqual(NSNumber(value: value($0) ?? 0).floatValue, stored.floatValue, "\(way)")
                }
                expectEqual(error?.code, 134110, "\(way)")
                #expect(error?.userInfo["entity"] as? String == "N", "\(way)")
                expectEqual(error?.localizedFailureReason?.contains("N/p"), true, "\(way)")
                let attribute = try requireValue(error?.userInfo["attribute"] as? String, "\(way)")
                expectTrue(attribute.hasPrefix(inComposite ? "c" : "value"), "\(way)")
            }
        }
    }

    @Test("a number becomes a decimal with all its digits", arguments: MigrationWay.allCases)
    func wholeDecimal(_ way: MigrationWay) throws {
        func make(_ type: NSAttributeType, _ real: NSAttributeType) -> NSManagedObjectModel {
            model([named("N", [attribute("whole", type), attribute("real", real)])])
        }
        let old = { make(.integer64AttributeType, .doubleAttributeType) }
        let new = { make(.decimalAttributeType, .decimalAttributeType) }
        try way.run(old, new, in: folder) { context in
            context.make("N", "max", ["whole": Int64.max, "real": 1_000_000_000_000_000.5])
            context.make("N", "odd", ["whole": (Int64(1) << 53) + 1, "real": 1.5e150])
        } checking: { context in
            let (max, odd) = (try context.one("N", "max"), try context.one("N", "odd"))
            #expect(max.value(forKey: "whole") as? NSDecimalNumber == NSDecimalNumber(string: "9223372036854775807"))
            #expect(max.value(forKey: "real") as? NSDecimalNumber == NSDecimalNumber(string: "1000000000000000.5"))
            #expect(odd.value(forKey: "whole") as? NSDecimalNumber == NSDecimalNumber(string: "9007199254740993"))
            expectEqual((odd.value(forKey: "real") as? NSDecimalNumber)?.doubleValue, 1.5e150)
        }
    }

    @Test("a number becomes true unless it is zero", arguments: MigrationWay.allCases)
    func numberToBoolean(_ way: MigrationWay) throws {
        func make(_ type: NSAttributeType) -> NSManagedObjectModel { model([named("N", [attribute("value", type)])]) }
        try way.run({ make(.doubleAttributeType) }, { make(.booleanAttributeType) }, in: folder) { context in
            context.make("N", "part", ["value": 0.25])
            context.make("N", "zero", ["value": 0])
        } checking: { context in
            try #expect(context.one("N", "part").value(forKey: "value") as? Bool == true)
            try #expect(context.one("N", "zero").value(forKey: "value") as? Bool == false)
        }
    }

    @Test("what is no number becomes no integer and no decimal", arguments: [MigrationWay.xml, .binary])
    func notANumber(_ way: MigrationWay) throws {
        func make(_ type: NSAttributeType) -> NSManagedObjectModel { model([named("N", [attribute("value", type)])]) }
        for type in [NSAttributeType.integer16AttributeType, .integer64AttributeType, .decimalAttributeType] {
            let folder = try TemporaryFolder()
            let error = try way.refusal({ make(.doubleAttributeType) }, { make(type) }, in: folder) { context in
                context.make("N", "one", ["value": Double.nan])
            } checking: { context in
                let value = try context.one("N", "one").value(forKey: "value") as? Double
                expectEqual(value?.isNaN, true)
            }
            expectEqual(error?.code, 134110)
            #expect(error?.userInfo["attribute"] as? String == "value")
        }
    }

    @Test("elements of a composite attribute get other names, types and companions", arguments: MigrationWay.allCases)
    func renamedElements(_ way: MigrationWay) throws {
        func make(_ isNew: Bool) -> NSManagedObjectModel {
            let place: NSCompositeAttributeDescription
            if isNew {
                let inner = composite("at", [renamed(attribute("width", .doubleAttributeType), from: "x")])
                place = composite(
                    "place",
                    [
                        renamed(attribute("city", .stringAttributeType), from: "town"), inner,
                        attribute("code", .integer16AttributeType, defaultValue: 7),
                    ])
            } else {
                place = composite(
                    "place",
                    [
                        attribute("town", .stringAttributeType),
                        composite("at", [attribute("x", .integer16AttributeType)]),
                    ])
            }
            return model([named("Shop", [place])])
        }
        try way.run({ make(false) }, { make(true) }, in: folder) { context in
            context.make("Shop", "a", ["place": ["town": "Rome", "at": ["x": 3]]])
            context.make("Shop", "b")
        } checking: { context in
            let a = try requireValue(try context.one("Shop", "a").value(forKey: "place") as? [String: Any])
            #expect(a["city"] as? String == "Rome")
            expectEqual(((a["at"] as? [String: Any])?["width"] as? NSNumber)?.doubleValue, 3)
            expectEqual((a["code"] as? NSNumber)?.intValue, 7)
            let b = try requireValue(try context.one("Shop", "b").value(forKey: "place") as? [String: Any])
            expectEqual(b.keys.sorted(), ["code"])
        }
    }
}
