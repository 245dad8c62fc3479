// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The notes about a property of any kind.
struct PropertyOutline {
    let property: NSPropertyDescription

    var notes: [String] {
        var notes: [String] = []
        if let renamed = property.renamingIdentifier, renamed != property.name {
            notes.append("renamed from \(renamed)")
        }
        if let modifier = property.versionHashModifier, !modifier.isEmpty { notes.append("hash modifier \(modifier)") }
        if property.isIndexedBySpotlight { notes.append("indexed by Spotlight") }
        if property.storesInExternalRecord { notes.append("in an external record") }
        notes += zip(property.validationPredicates, property.validationWarnings).map { predicate, warning in
            // A number is the error code of a limit from Xcode's editor.
            "valid if \(predicate.predicateText)" + ((warning as? String).map { " (“\($0)”)" } ?? "")
        }
        notes += (property.userInfo ?? [:]).map {
            "user info \(ModelFormatter.text(of: $0.key.base)) = \(ModelFormatter.text(of: $0.value))"
        }
        .sorted()
        return notes
    }
}

/// The type of an attribute, and the notes about it.
struct AttributeOutline {
    let attribute: NSAttributeDescription

    /// The type name of Xcode's model editor, with the name of the class or composite.
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
        if attribute.preservesValueInHistoryOnDeletion { notes.append("preserved in history") }
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

/// The notes about a relationship.
struct RelationshipOutline {
    let relationship: NSRelationshipDescription

    var notes: String {
        var notes: [String] = []
        if let inverse = relationship.inverseRelationship?.name { notes.append("inverse \(inverse)") }
        notes.append(ModelFormatter.name(of: relationship.deleteRule).lowercased())
        if !relationship.isOptional { notes.append("required") }
        if relationship.isTransient { notes.append("transient") }
        if let count { notes.append(count) }
        return (notes + PropertyOutline(property: relationship).notes).joined(separator: ", ")
    }

    /// The count limits of a to-many relationship, if the model has any. A maximum of 0 means no limit.
    private var count: String? {
        guard relationship.isToMany, relationship.minCount > 0 || relationship.maxCount > 0 else { return nil }
        let maximum = relationship.maxCount == 0 ? "" : "\(relationship.maxCount)"
        return "count \(relationship.minCount)...\(maximum)"
    }
}
