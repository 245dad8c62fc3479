import CoreData
import Testing

@testable import CoreDataCommand
@testable import CoreDataModel
@testable import CoreDataServer

@Suite("coredata: one text is one value")
struct TextAgreementTests {
    private func attribute(_ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = "x"
        attribute.attributeType = type
        return attribute
    }

    /// The places of the differences that explain a reading.
    private func differences(
        _ user: TextUser, _ type: NSAttributeType, _ text: String, _ rule: TextReading, _ found: TextReading
    ) -> [Int] {
        TextDifference.all.indices.filter {
            TextDifference.all[$0].users.contains(user.name) && TextDifference.all[$0].concerns(type, text, rule, found)
        }
    }

    @Test("for imports, forms, the editor, the notation and snapshots, or for none of them, but for named differences")
    func agreement() throws {
        var used: Set<Int> = []
        var readings = 0
        for type in TextSample.types {
            let attribute = attribute(type)
            // The longest texts are read as texts only: the notation needs its time for each character.
            for text in TextSample.all where text.utf8.count < 20_000 || type == .stringAttributeType {
                let rule = try requireValue(TextUser.rule.reading(of: text, attribute))
                for user in TextUser.all {
                    guard let found = user.reading(of: text, attribute) else { continue }
                    readings += 1
                    guard found != rule else { continue }
                    let reasons = differences(user, type, text, rule, found)
                    #expect(
                        !reasons.isEmpty, "\(user.name), \(type): ‘\(text.prefix(60))’ is \(found) in place of \(rule)")
                    used.formUnion(reasons)
                }
            }
        }
        #expect(TextSample.all.count >= 200 && readings > 10_000)
        // Each difference is shown by a text.
        expectEqual(TextDifference.all.indices.filter { !used.contains($0) }.map { TextDifference.all[$0].reason }, [])
    }

    @Test("which is written as a text with the same value", arguments: TextSample.types)
    func writing(type: NSAttributeType) throws {
        let attribute = attribute(type)
        var count = 0
        for text in TextSample.all {
            guard let value = try? AttributeText.value(of: text, type: type) else { continue }
            count += 1
            expectTrue(type.accepts(value), "\(text)")
            let reading = TextReading(value, type)
            let written = try requireValue(AttributeText.text(of: value, type: type))
            expectEqual(TextUser.rule.reading(of: written, attribute), reading, "\(text)")
            if type != .binaryDataAttributeType {
                expectEqual(
                    TextUser.csv.reading(of: CellValue(attribute: attribute, value: value).text, attribute), reading)
            }
            let isFinite = ![.value("inf"), .value("-inf")].contains(reading)
            if isFinite, let source = SourceText.text(of: value, type: type) {
                expectEqual(TextReading(SourceText.value(of: source, type: type), type), reading, "\(text)")
            }
            let snapshot = try SnapshotForm(attribute, entity: "A")
            let kept = try snapshot.attributeValue(snapshot.snapshotValue(value))
            if type == .dateAttributeType, let date = value as? Date, let kept = kept as? Date {
                let isKept = TextReading(kept, type) == reading || abs(date.timeIntervalSince(kept)) <= 0.000_000_5
                expectTrue(isKept, "\(text)")
            } else if kept != nil {
                expectEqual(TextReading(kept, type), reading)
            } else {
                expectTrue([.value("inf"), .value("-inf"), .value("NaN")].contains(reading), "\(text)")
            }
        }
        #expect(count > 1 && (count < TextSample.all.count || type == .stringAttributeType))
    }

    @Test("of Xcode's models, where the editor writes it", arguments: TextSample.types.filter(AttributeText.isWritten))
    func models(type: NSAttributeType) throws {
        for text in TextSample.all {
            guard let written = try? SourceText.checked(text, type: type) else { continue }
            // A text that was written once is written again as it is.
            try expectEqual(SourceText.checked(written, type: type), written)
            #expect(SourceText.value(of: written, type: type) != nil, "\(text)")
        }
    }
}
