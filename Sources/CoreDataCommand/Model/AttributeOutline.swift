import OpenCoreData

/// The type of an attribute, and what else is to be known of it, in words.
struct AttributeOutline {
    let attribute: NSAttributeDescription

    /// The type by the name that Xcode's model editor shows.
    var typeName: String {
        switch attribute.attributeType {
        case .undefinedAttributeType: "Undefined"
        case .integer16AttributeType: "Integer 16"
        case .integer32AttributeType: "Integer 32"
        case .integer64AttributeType: "Integer 64"
        case .decimalAttributeType: "Decimal"
        case .doubleAttributeType: "Double"
        case .floatAttributeType: "Float"
        case .stringAttributeType: "String"
        case .booleanAttributeType: "Boolean"
        case .dateAttributeType: "Date"
        case .binaryDataAttributeType: "Binary"
        case .UUIDAttributeType: "UUID"
        case .URIAttributeType: "URI"
        case .transformableAttributeType: "Transformable"
        case .objectIDAttributeType: "ObjectID"
        case .compositeAttributeType: "Composite"
        }
    }

    var notes: String {
        var notes: [String] = []
        if !attribute.isOptional { notes.append("required") }
        if attribute.isTransient { notes.append("transient") }
        if let value = attribute.defaultValue { notes.append("default \(CellValue(attribute: attribute, value: value).text)") }
        if attribute.allowsExternalBinaryDataStorage { notes.append("external storage") }
        if attribute.preservesValueInHistoryOnDeletion { notes.append("kept in history") }
        if let name = attribute.valueTransformerName, !name.isEmpty { notes.append("transformer \(name)") }
        if let derived = attribute as? NSDerivedAttributeDescription, let expression = derived.derivationExpression {
            notes.append("derived from \(expression)")
        }
        if let renamed = attribute.renamingIdentifier, renamed != attribute.name { notes.append("renamed from \(renamed)") }
        notes += attribute.validationPredicates.map { "valid if \($0.predicateText)" }
        return notes.joined(separator: ", ")
    }
}
