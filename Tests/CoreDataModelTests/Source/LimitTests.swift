import Testing

@testable import CoreDataModel

@Suite("Limits of attributes")
struct LimitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let type: String
        let limits: String
        let predicates: [String]
        let codes: [Int]
        var testDescription: String { "\(type) \(limits)" }
    }

    private static let cases: [Case] = [
        Case(
            type: "Integer 16", limits: #"minValueString="-3" maxValueString="150""#,
            predicates: ["SELF >= -3", "SELF <= 150"], codes: [1620, 1610]),
        Case(
            type: "Integer 64", limits: #"minValueString="-9223372036854775808" maxValueString="9223372036854775807""#,
            predicates: ["SELF >= -9223372036854775808", "SELF <= 9223372036854775807"], codes: [1620, 1610]),
        Case(
            type: "Double", limits: #"minValueString="-0.1" maxValueString="1e+300""#,
            predicates: ["SELF >= -0.1", "SELF <= 1e+300"], codes: [1620, 1610]),
        Case(
            type: "Decimal",
            limits: #"minValueString="0.10000000000000000000000000001" maxValueString="98765432109876543210987654321""#,
            predicates: ["0.10000000000000000000000000001", "98765432109876543210987654321"], codes: [1620, 1610]),
        Case(
            type: "String", limits: #"minValueString="2" maxValueString="8""#,
            predicates: ["length >= 2", "length <= 8"], codes: [1670, 1660]),
        Case(
            type: "String", limits: #"regularExpressionString="[A-Z]+\\d&quot;&lt;""#,
            predicates: [#"SELF MATCHES "[A-Z]+\\\\d\"<""#], codes: [1680]),
        Case(
            type: "Date", limits: #"minDateTimeInterval="-3155760000.25" maxDateTimeInterval="86400""#,
            predicates: ["SELF >= ", "SELF <= "], codes: [1640, 1630]),
    ]

    /// An attribute with its model, which keeps it alive.
    private struct Sample {
        let model: NSManagedObjectModel
        let attribute: NSAttributeDescription

        init(_ model: NSManagedObjectModel) throws {
            self.model = model
            attribute = try requireValue(model.entities[0].attributesByName["a"])
        }
    }

    private static func read(_ type: String, _ limits: String) throws -> Sample {
        let xml = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="E" syncable="YES">
                    <attribute name="a" optional="YES" attributeType="\(type)" \(limits)/>
                </entity>
            </model>
            """
        let folder = try TemporaryFolder()
        return try Sample(ModelFile.load(at: try folder.write(xml, to: "contents")))
    }

    /// The sample after a round trip through the compiled form, and through the source form.
    private static func roundTrips(_ sample: Sample) throws -> [Sample] {
        let compiled = try ModelArchive.decode(try ModelArchive.encode(sample.model, as: .compiled))
        let folder = try TemporaryFolder()
        try SourceModelWriter.write(compiled, to: folder.url.appendingPathComponent("M.xcdatamodel"))
        let source = try ModelFile.load(at: folder.url.appendingPathComponent("M.xcdatamodel"))
        return try [Sample(compiled), Sample(source)]
    }

    @Test(
        "Each kind of limit becomes a predicate and its code, in the compiled form and back in the source",
        arguments: cases)
    func kinds(limit: Case) throws {
        let sample = try Self.read(limit.type, limit.limits)
        for sample in try [sample] + Self.roundTrips(sample) {
            let attribute = sample.attribute
            expectEqual(attribute.validationWarnings.compactMap { ($0 as? NSNumber)?.intValue }, limit.codes)
            expectEqual(attribute.validationPredicates.count, limit.predicates.count)
            for (predicate, text) in zip(attribute.validationPredicates, limit.predicates) {
                expectContains(predicate.predicateText, text, "\(predicate.predicateText)")
            }
        }
        #expect(try Self.roundTrips(sample).allSatisfy { $0.attribute.isEqual(sample.attribute) })
    }

    @Test("A limit of a float is rounded as its values are, and keeps its short text")
    func floats() throws {
        let sample = try Self.read("Float", #"minValueString="0.1" maxValueString="3.3""#)
        for sample in try [sample] + Self.roundTrips(sample) {
            let attribute = sample.attribute
            for value in [Float(0.1), 3.3] {
                #expect(
                    attribute.validationPredicates.allSatisfy { $0.evaluate(with: NSNumber(value: value)) }, "\(value)")
            }
            expectFalse(attribute.validationPredicates[0].evaluate(with: NSNumber(value: Float(0.1).nextDown)))
            expectFalse(attribute.validationPredicates[1].evaluate(with: NSNumber(value: Float(3.3).nextUp)))
            expectEqual(SourceLimits.write(attribute), [.minValueString: "0.1", .maxValueString: "3.3"])
        }
    }

    @Test("Random limits of doubles, dates and decimals are read bit by bit as they were written")
    func random() throws {
        let seed = TestRun.seed(for: "Random limits")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let double = try Self.read("Double", #"minValueString="\#(value)""#)
            #expect(
                (double.attribute.validationPredicates[0] as? NSComparisonPredicate)?.rightExpression.constantValue
                    as? Double == value, "seed \(seed)")
            expectEqual(
                SourceLimits.write(double.attribute), [.minValueString: SourceText.shortest(value)], "seed \(seed)")
            let interval = Double.random(in: -1e10...1e10, using: &generator)
            let date = try Self.read("Date", #"maxDateTimeInterval="\#(interval)""#)
            expectEqual(
                SourceLimits.write(date.attribute), [.maxDateTimeInterval: SourceText.shortest(interval)],
                "seed \(seed)")
            let digits = (0..<30).map { _ in String(Int.random(in: 1...9, using: &generator)) }.joined()
            let decimal = try Self.read("Decimal", #"maxValueString="-0.\#(digits)""#)
            expectEqual(SourceLimits.write(decimal.attribute), [.maxValueString: "-0.\(digits)"], "seed \(seed)")
        }
    }

    @Test("A predicate that is not a limit can't be represented in a source model")
    func others() {
        let rules: [(NSAttributeDescription.AttributeType, String, Any)] = [
            (.integer32, "SELF >= 2.5", 1620), (.integer32, "SELF > 2", 1620), (.integer32, "SELF >= 2", "a text"),
            (.integer32, "self.x >= 2", 1620),
            (.string, "SELF >= 2", 1620), (.string, "length >= 2", 1620), (.string, "SELF MATCHES[c] 'a'", 1680),
            (.date, "SELF >= 2", 1640),
            (.double, "2 <= SELF", 1620), (.double, "TRUEPREDICATE", 1620),
        ]
        for (type, format, warning) in rules {
            let attribute = CarModel.attribute("a", type)
            attribute.setValidation(predicates: [NSPredicate(format: format)], warnings: [warning])
            expectEqual(SourceLimits.write(attribute), nil, "\(format)")
        }
    }
}
