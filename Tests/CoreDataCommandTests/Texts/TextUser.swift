import CoreData

@testable import CoreDataCommand
@testable import CoreDataModel
@testable import CoreDataModelEditing
@testable import CoreDataServer

/// The value for which a part of the library takes a text.
enum TextReading: Equatable, CustomStringConvertible {
    /// The value, in a form that differs for different values.
    case value(String)
    case none
    case refused

    init(_ value: Any?, _ type: NSAttributeType) {
        switch value {
        case nil, is NSNull: self = .none
        case let date as Date: self = .value((date.timeIntervalSinceReferenceDate + 0).description)
        case let value?: self = AttributeText.text(of: value, type: type).map { .value($0) } ?? .refused
        }
    }

    var description: String {
        switch self {
        case .value(let text): "‘\(text.prefix(60))’"
        case .none: "no value"
        case .refused: "refused"
        }
    }
}

/// A part of the library that takes texts for values.
struct TextUser: Sendable {
    let name: String
    /// Nil for a text that can't be given in this way.
    let read: @Sendable (_ text: String, _ attribute: NSAttributeDescription) throws -> TextReading?

    func reading(of text: String, _ attribute: NSAttributeDescription) -> TextReading? {
        do { return try read(text, attribute) } catch { return .refused }
    }

    /// The rule that all others follow.
    static let rule = TextUser(name: "rule") { text, attribute in
        TextReading(try AttributeText.value(of: text, type: attribute.attributeType), attribute.attributeType)
    }

    static let all = [csv, jsonText, jsonNumber, form, editor, word, quoted, typed, snapshotText, snapshotValue]

    // MARK: The command

    static let csv = TextUser(name: "import of CSV") { text, attribute in
        TextReading(try ImportedAttribute.value(.text(text), for: attribute), attribute.attributeType)
    }

    static let jsonText = TextUser(name: "import of JSON texts") { text, attribute in
        TextReading(try ImportedAttribute.value(.json(.string(text)), for: attribute), attribute.attributeType)
    }

    static let jsonNumber = TextUser(name: "import of JSON numbers") { text, attribute in
        let type = attribute.attributeType
        guard let json = scalar(text), type == .booleanAttributeType || type.isNumber else {
            return nil
        }
        return TextReading(try ImportedAttribute.value(.json(json), for: attribute), type)
    }

    /// A number or a Boolean of JSON without the space around it, which belongs to the document.
    private static func scalar(_ text: String) -> JSONValue? {
        guard !text.contains(where: \.isWhitespace), let json = JSONValue(text: Array(text.utf8)) else { return nil }
        switch json {
        case .number, .boolean: return json
        default: return nil
        }
    }

    static let form = TextUser(name: "form") { text, attribute in
        guard FieldValue.isEditable(attribute) else { return nil }
        return TextReading(try FieldValue.value(of: text, for: attribute), attribute.attributeType)
    }

    // MARK: Models

    static let editor = TextUser(name: "editor") { text, attribute in
        let type = attribute.attributeType
        guard AttributeText.isWritten(type) else { return nil }
        let setting = type == .dateAttributeType ? "defaultDateTimeInterval" : "defaultValueString"
        let element = SourceTree("attribute", [("attributeType", SourceSpelling.name(of: type))])
        let written = try AttributeValue.checked(text, setting, of: element)
        return TextReading(SourceText.defaultValue(SourceElement("attribute", [(setting, written)]), type), type)
    }

    static let word = TextUser(name: "notation, a word") { text, attribute in
        guard AttributeText.isWritten(attribute.attributeType), TextNotationText.name(text) == text else { return nil }
        return try notation(text, attribute)
    }

    static let quoted = TextUser(name: "notation, quoted") { text, attribute in
        guard AttributeText.isWritten(attribute.attributeType) else { return nil }
        return try notation(TextNotationText.text(text), attribute)
    }

    static let typed = TextUser(name: "notation, with a type") { text, attribute in
        let type = attribute.attributeType
        guard let kind = SourceValue.Kind.allCases.first(where: { $0.type == type }) else { return nil }
        return try notation("\(kind) \(TextNotationText.text(text))", attribute)
    }

    /// The default value of an attribute in the text notation.
    private static func notation(_ value: String, _ attribute: NSAttributeDescription) throws -> TextReading {
        let type = attribute.attributeType
        let word = TextNotationWriter.typeWord(SourceSpelling.name(of: type))
        let root = try element("A { attribute x: \(word), default: \(value) }")
        let reading = reading(root, type)
        // The text that is written is read as the same value.
        let text = TextNotationWriter.text(root)
        return try self.reading(element(text), type) == reading ? reading : .value("not kept by \(text)")
    }

    private static func element(_ text: String) throws -> SourceElement {
        try TextNotation.element(Data(text.utf8), from: URL(fileURLWithPath: "/Model.coredata"))
    }

    private static func reading(_ root: SourceElement, _ type: NSAttributeType) -> TextReading {
        guard let attribute = root.child(named: "entity")?.child(named: "attribute") else { return .none }
        let typed = attribute.child(named: "defaultValue").map { SourceValue.read($0) }
        return TextReading(typed ?? SourceText.defaultValue(attribute, type), type)
    }

    // MARK: Snapshots

    static let snapshotText = TextUser(name: "snapshot, texts") { text, attribute in
        let type = attribute.attributeType
        guard type == .decimalAttributeType || !type.isNumber && type != .booleanAttributeType else { return nil }
        return TextReading(try SnapshotForm(attribute, entity: "A").attributeValue(.string(text)), type)
    }

    static let snapshotValue = TextUser(name: "snapshot, numbers and Booleans") { text, attribute in
        let type = attribute.attributeType
        guard type.isNumber && type != .decimalAttributeType || type == .booleanAttributeType, scalar(text) != nil
        else {
            return nil
        }
        let value = try JSONDecoder().decode(SnapshotValue.self, from: Data(text.utf8))
        return TextReading(try SnapshotForm(attribute, entity: "A").attributeValue(value), type)
    }
}
