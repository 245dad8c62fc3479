import CoreDataModel
import OpenCoreData

/// The type of an attribute, and what else is to be known of it, in words.
struct AttributeOutline {
    let attribute: NSAttributeDescription

    /// The type by the name that Xcode's model editor shows, with the class or composite behind it.
    var typeName: String {
        let name = ModelFormatter.name(of: attribute.attributeType)
        let detail =
            attribute.attributeType == .transformableAttributeType
            ? attribute.explicitValueClassName : (attribute as? NSCompositeAttributeDescription)?.compositeName
        return detail.map { "\(name) \($0)" } ?? name
    }

    var notes: String {
        var notes: [String] = []
        if !attribute.isOptional { notes.append("required") }
        if attribute.isTransient { notes.append("transient") }
        if let value = attribute.defaultValue {
            notes.append("default \(CellValue(attribute: attribute, value: value).text)")
        }
        if attribute.allowsExternalBinaryDataStorage { notes.append("external storage") }
        if attribute.preservesValueInHistoryOnDeletion { notes.append("kept in history") }
        if attribute.allowsCloudEncryption { notes.append("encrypted in the cloud") }
        if let name = attribute.valueTransformerName, !name.isEmpty { notes.append("transformer \(name)") }
        if let derived = attribute as? NSDerivedAttributeDescription {
            if let expression = derived.derivationExpression {
                notes.append("derived from \(ModelFormatter.text(of: expression))")
            }
            if let filter = derived.filteringPredicate { notes.append("where \(filter.predicateText)") }
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            notes.append("of \(elements(of: composite))")
        }
        if attribute.hasLegacyIndex { notes.append("indexed") }
        return (notes + PropertyOutline(property: attribute).notes).joined(separator: ", ")
    }

    private func elements(of composite: NSCompositeAttributeDescription) -> String {
        let elements = composite.elements.map { element in
            let outline = AttributeOutline(attribute: element)
            return ([element.name, outline.typeName] + [outline.notes].filter { !$0.isEmpty }).joined(separator: " ")
        }
        return "(\(elements.joined(separator: "; ")))"
    }
}
