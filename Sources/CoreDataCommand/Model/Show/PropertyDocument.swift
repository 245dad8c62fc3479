// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The JSON form of the values of all kinds of properties.
struct PropertyDocument: Encodable {
    struct Limit: Encodable {
        let predicate: String
        let warning: String
    }

    let name: String
    let optional: Bool
    let transient: Bool
    let hash: String
    let hashModifier: String?
    let renamingIdentifier: String?
    let indexedBySpotlight: Bool
    let storedInExternalRecord: Bool
    let indexed: Bool
    let limits: [Limit]
    let userInfo: [String: String]?
    let editor: [String: String]?

    init(_ property: NSPropertyDescription) {
        name = property.name
        optional = property.isOptional
        transient = property.isTransient
        hash = Hexadecimal.text(of: property.versionHash)
        hashModifier = property.versionHashModifier
        renamingIdentifier = property.explicitRenamingIdentifier
        indexedBySpotlight = property.isIndexedBySpotlight
        storedInExternalRecord = property.storesInExternalRecord
        indexed = property.hasLegacyIndex
        limits = zip(property.validationPredicates, property.validationWarnings)
            .map { Limit(predicate: $0.predicateText, warning: ModelFormatter.text(of: $1)) }
        userInfo = UserInfoDocument.of(property.userInfo)
        editor = property.sourceAttributes.isEmpty ? nil : property.sourceAttributes
    }
}

/// The JSON form of an attribute: the values of all properties, `type` and the other values of attributes.
struct AttributeDocument: Encodable {
    private enum Key: String, CodingKey {
        case type, valueClass, `default`, transformer, externalStorage, keptInHistory, cloudEncryption, derivation,
            derivationFilter
        case composite, elements
    }

    let attribute: NSAttributeDescription

    init(_ attribute: NSAttributeDescription) { self.attribute = attribute }

    func encode(to encoder: any Encoder) throws {
        try PropertyDocument(attribute).encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(ModelFormatter.name(of: attribute.attributeType), forKey: .type)
        try container.encodeIfPresent(attribute.explicitValueClassName, forKey: .valueClass)
        if let value = attribute.defaultValue {
            try container.encode(JSONCell(value: CellValue(attribute: attribute, value: value)), forKey: .default)
        }
        try container.encodeIfPresent(attribute.valueTransformerName, forKey: .transformer)
        try container.encode(attribute.allowsExternalBinaryDataStorage, forKey: .externalStorage)
        try container.encode(attribute.preservesValueInHistoryOnDeletion, forKey: .keptInHistory)
        try container.encode(attribute.allowsCloudEncryption, forKey: .cloudEncryption)
        if let derived = attribute as? NSDerivedAttributeDescription {
            try container.encodeIfPresent(
                derived.derivationExpression.map(ModelFormatter.text(of:)), forKey: .derivation)
            try container.encodeIfPresent(derived.filteringPredicate?.predicateText, forKey: .derivationFilter)
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            try container.encodeIfPresent(composite.compositeName, forKey: .composite)
            try container.encode(composite.elements.map(AttributeDocument.init), forKey: .elements)
        }
    }
}

/// The JSON form of a relationship: the values of all properties, its destination and inverse, counts and rule.
struct RelationshipDocument: Encodable {
    private enum Key: String, CodingKey {
        case destination, inverse, toMany, ordered, minCount, maxCount, deleteRule
    }

    let relationship: NSRelationshipDescription

    init(_ relationship: NSRelationshipDescription) { self.relationship = relationship }

    func encode(to encoder: any Encoder) throws {
        try PropertyDocument(relationship).encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(relationship.destinationEntityName, forKey: .destination)
        try container.encodeIfPresent(relationship.inverseRelationshipName, forKey: .inverse)
        try container.encode(relationship.isToMany, forKey: .toMany)
        try container.encode(relationship.isOrdered, forKey: .ordered)
        try container.encode(relationship.minCount, forKey: .minCount)
        try container.encode(relationship.maxCount, forKey: .maxCount)
        try container.encode(ModelFormatter.name(of: relationship.deleteRule), forKey: .deleteRule)
    }
}

/// The JSON form of a fetched property: the values of all properties, and its request.
struct FetchedPropertyDocument: Encodable {
    private enum Key: String, CodingKey {
        case fetchRequest
    }

    let property: NSFetchedPropertyDescription

    init(_ property: NSFetchedPropertyDescription) { self.property = property }

    func encode(to encoder: any Encoder) throws {
        try PropertyDocument(property).encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(
            property.fetchRequest.map { FetchRequestDocument($0, name: nil) }, forKey: .fetchRequest)
    }
}
