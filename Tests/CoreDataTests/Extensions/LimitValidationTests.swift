import CoreData
import Testing

/// The limits of a source model.
@Suite("Limits of attributes when saving")
struct LimitValidationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let attribute: String
        let good: [ValidationValue]
        let bad: [(value: ValidationValue, code: Int)]
        var testDescription: String { attribute }
    }

    static let cases: [Case] = [
        Case(
            attribute: #"attributeType="Integer 32" minValueString="-1" maxValueString="10""#,
            good: [.number(-1), .number(10)],
            bad: [(.number(-2), 1620), (.number(11), 1610)]),
        Case(
            attribute: #"attributeType="Double" minValueString="0.1" maxValueString="1e+10""#,
            good: [.real(0.1), .real(1e10)],
            bad: [(.real(0.1.nextDown), 1620), (.real(1e10.nextUp), 1610)]),
        Case(
            attribute: #"attributeType="Float" minValueString="0.1" maxValueString="3.3""#,
            good: [.float(0.1), .float(3.3)],
            bad: [(.float(Float(0.1).nextDown), 1620), (.float(Float(3.3).nextUp), 1610)]),
        Case(
            attribute:
                #"""
                attributeType="Decimal" minValueString="0.10000000000000000000000000001" \#
                maxValueString="98765432109876543210987654321"
                """#,
            good: [.decimal("0.10000000000000000000000000001"), .decimal("98765432109876543210987654321")],
            bad: [(.decimal("0.1"), 1620), (.decimal("98765432109876543210987654322"), 1610)]),
        Case(
            attribute: #"attributeType="String" minValueString="2" maxValueString="4""#,
            good: [.text("ab"), .text("abcd")],
            bad: [(.text("a"), 1670), (.text(""), 1670), (.text("abcde"), 1660)]),
        Case(
            attribute: #"attributeType="String" regularExpressionString="[A-Z]+-\d{2}""#, good: [.text("AB-12")],
            bad: [(.text("AB-1"), 1680), (.text("xAB-12"), 1680)]),
        Case(
            attribute: #"attributeType="Date" minDateTimeInterval="-3155760000" maxDateTimeInterval="-0.5""#,
            good: [.date(-3_155_760_000), .date(-0.5)],
            bad: [(.date(-3_155_760_001), 1640), (.date(0), 1630)]),
    ]

    static func limitedModel(_ attribute: String) throws -> NSManagedObjectModel {
        let folder = try TemporaryFolder()
        let version = folder.file("Limits.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        let xml = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Item" syncable="YES">
                    <attribute name="value" optional="YES" \(attribute)/>
                </entity>
            </model>
            """
        try Data(xml.utf8).write(to: version.appendingPathComponent("contents"))
        return try requireValue(NSManagedObjectModel(contentsOf: version))
    }

    @Test("A value within the limits is saved, nil too, one beyond them is Apple's error", arguments: cases)
    func limits(limit: Case) throws {
        try withStack(.memory, model: try Self.limitedModel(limit.attribute)) { stack in
            let item = stack.context.make("Item")
            try stack.context.save()
            for good in limit.good {
                item.setValue(good.object, forKey: "value")
                expectEqual(thrownError { try stack.context.save() }, nil, "\(good)")
            }
            for bad in limit.bad {
                item.setValue(bad.value.object, forKey: "value")
                let error = thrownError { try stack.context.save() }
                expectEqual(error?.code, bad.code, "\(bad)")
                expectEqual(error?.domain, NSCocoaErrorDomain, "\(bad)")
                #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "value")
                #expect(error?.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
                #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === item)
            }
            item.setValue(nil, forKey: "value")
            expectEqual(thrownError { try stack.context.save() }, nil)
        }
    }
}
