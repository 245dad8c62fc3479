// SPDX-License-Identifier: Apache-2.0

/// The Swift types of attributes in generated models.
struct SchemaTypes {
    /// The names of the models, which hide standard types of the same name.
    let hiding: Set<String>

    /// The type of a plain attribute's values; nil if there is none.
    func plain(_ type: NSAttributeType) -> String? {
        switch type {
        case .integer16AttributeType: standard("Int16")
        case .integer32AttributeType: standard("Int32")
        case .integer64AttributeType: standard("Int")
        case .booleanAttributeType: standard("Bool")
        case .doubleAttributeType: standard("Double")
        case .floatAttributeType: standard("Float")
        case .stringAttributeType: standard("String")
        case .dateAttributeType: standard("Date")
        case .binaryDataAttributeType: standard("Data")
        case .UUIDAttributeType: standard("UUID")
        case .URIAttributeType: standard("URL")
        case .decimalAttributeType: standard("Decimal")
        default: nil
        }
    }

    /// The name of a type of Swift or Foundation, qualified if a model hides it.
    func standard(_ name: String) -> String {
        guard hiding.contains(name) else { return name }
        return (Self.swiftTypes.contains(name) ? "Swift." : "Foundation.") + name
    }

    private static let swiftTypes: Set<String> = ["Int16", "Int32", "Int", "Bool", "Double", "Float", "String"]

    /// The type of an archived collection, from the class name that SwiftData writes: `[String]` for `Array<String>`.
    func collection(_ attribute: NSAttributeDescription) -> String? {
        guard let name = attribute.explicitValueClassName, TypeText.isType(name), name.hasSuffix(">") else {
            return nil
        }
        for (start, end) in [("Array<", "]"), ("Dictionary<", "]"), ("Set<", ">")] where name.hasPrefix(start) {
            let elements = name.dropFirst(start.count).dropLast()
            // Nested collections keep their long names.
            guard !elements.contains("<") else { return name }
            return switch start {
            case "Array<": "[\(elements)\(end)"
            case "Dictionary<": "[\(elements.replacingOccurrences(of: ",", with: ":"))\(end)"
            default: name
            }
        }
        return nil
    }

    /// The source text of a default value; nil if it has none.
    func literal(_ value: Any?, of type: NSAttributeType) -> String? {
        switch (type, value) {
        case (.booleanAttributeType, let number as NSNumber): number.boolValue ? "true" : "false"
        case (.integer16AttributeType, let number as NSNumber), (.integer32AttributeType, let number as NSNumber),
            (.integer64AttributeType, let number as NSNumber):
            "\(number.int64Value)"
        case (.doubleAttributeType, let number as NSNumber) where number.doubleValue.isFinite: "\(number.doubleValue)"
        case (.floatAttributeType, let number as NSNumber) where number.floatValue.isFinite: "\(number.floatValue)"
        case (.decimalAttributeType, let number as NSDecimalNumber):
            "\(standard("Decimal"))(string: \(SwiftName.literal("\(number)")))!"
        case (.stringAttributeType, let text as String): SwiftName.literal(text)
        case (.dateAttributeType, let date as Date):
            // A date with a part of a second comes from `Date()`, which SwiftData evaluated when it made the model.
            date.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 1) == 0
                ? "\(standard("Date"))(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
                : "\(standard("Date"))()"
        case (.UUIDAttributeType, is UUID): "\(standard("UUID"))()"
        case (.URIAttributeType, let url as URL):
            "\(standard("URL"))(string: \(SwiftName.literal(url.absoluteString)))!"
        case (.binaryDataAttributeType, let data as Data):
            data.isEmpty
                ? "\(standard("Data"))()"
                : "\(standard("Data"))(base64Encoded: \(SwiftName.literal(data.base64EncodedString())))!"
        default: nil
        }
    }
}
