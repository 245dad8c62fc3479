import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata: texts as values of attributes")
struct AttributeTextTests {
    private func attribute(_ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = "a"
        attribute.attributeType = type
        return attribute
    }

    /// The value of a text as the output has it; nil for a text that is refused.
    private func read(_ text: String, _ type: NSAttributeType) -> String? {
        let attribute = attribute(type)
        return (try? AttributeText.value(of: text, type: type)).map {
            CellValue(attribute: attribute, value: $0).text
        }
    }

    @Test(
        "A text that the type has another value for is refused, for an import and for a form",
        arguments: [
            (NSAttributeType.decimalAttributeType, "0x1F"), (.decimalAttributeType, "1e200"),
            (.decimalAttributeType, "nan"),
            (.decimalAttributeType, "1234567890123456789012345678901234567890.5"), (.doubleAttributeType, "1e400"),
            (.doubleAttributeType, "1e-400"), (.doubleAttributeType, "nan"), (.doubleAttributeType, "0x1p3"),
            (.floatAttributeType, "1e39"), (.floatAttributeType, "1e-60"), (.integer16AttributeType, "40000"),
            (.integer64AttributeType, "9223372036854775808"), (.integer32AttributeType, "1.5"),
            (.integer64AttributeType, "0x10"), (.booleanAttributeType, "2"), (.dateAttributeType, "2026-02-30"),
            (.UUIDAttributeType, "1B4E28BA-2FA1-11D2-883F-0016D3CCA427-x"), (.URIAttributeType, "https://a.b/c d"),
        ])
    func refused(type: NSAttributeType, text: String) {
        expectEqual(read(text, type), nil)
        #expect(throws: ImportMistake.self) { try ImportedAttribute.value(.text(text), for: attribute(type)) }
        #expect(throws: FieldValue.Mistake.self) { try FieldValue.value(of: text, for: attribute(type)) }
    }

    @Test(
        "A text is read exactly",
        arguments: [
            (NSAttributeType.integer64AttributeType, "9007199254740993.0", "9007199254740993"),
            (.integer64AttributeType, "-9223372036854775808", "-9223372036854775808"),
            (.integer16AttributeType, "1e3", "1000"),
            (.decimalAttributeType, "1e40", "1" + String(repeating: "0", count: 40)),
            (.decimalAttributeType, "1e130", "1" + String(repeating: "0", count: 130)),
            (.integer32AttributeType, " -0 ", "0"),
            (.decimalAttributeType, "12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
            (.decimalAttributeType, "-0.10", "-0.1"), (.doubleAttributeType, "5e-324", "5e-324"),
            (.doubleAttributeType, "-inf", "-inf"), (.floatAttributeType, "0.1", "0.1"),
            (.booleanAttributeType, "Yes", "true"),
            (.UUIDAttributeType, "1b4e28ba-2fa1-11d2-883f-0016d3cca427", "1B4E28BA-2FA1-11D2-883F-0016D3CCA427"),
            (.URIAttributeType, "https://a.b/c%20d?e=f#g", "https://a.b/c%20d?e=f#g"),
        ])
    func exact(type: NSAttributeType, text: String, value: String) {
        expectEqual(read(text, type), value)
    }

    @Test("A number that JSON doesn't have is refused", arguments: ["01", "+1", "1.", ".5", "-", "1e", "0x1F"])
    func numbersOfJSON(text: String) {
        expectEqual(JSONValue(text: Array(text.utf8)), nil)
        expectEqual(JSONValue(text: Array("-10.5e+3".utf8)), .number("-10.5e+3"))
    }
}
