// SPDX-License-Identifier: Apache-2.0

extension NSPropertyDescription {
    /// The comparable values of this property, without its name.
    final var aspects: [ModelAspect] {
        let isDerived = self is NSDerivedAttributeDescription
        // The derivation alone is part of the hash of a derived attribute.
        let isHashed = isPartOfEntityVersionHash && !isDerived
        var aspects = [
            ModelAspect("kind", ModelFormatter.kind(of: self), isHashed: isPartOfEntityVersionHash),
            ModelAspect("optional", isOptional, yes: "now optional", no: "now required", isHashed: isHashed),
        ]
        if !(self is NSFetchedPropertyDescription) {
            aspects.append(
                ModelAspect(
                    "transient", isTransient, yes: "now transient", no: "now stored",
                    isHashed: isPartOfEntityVersionHash)
            )
        }
        switch self {
        case let attribute as NSAttributeDescription: aspects += Self.aspects(of: attribute, isHashed: isHashed)
        case let relationship as NSRelationshipDescription:
            aspects += Self.aspects(of: relationship, isHashed: isHashed)
        case let fetched as NSFetchedPropertyDescription:
            aspects += fetched.fetchRequest.map { NSManagedObjectModel.aspects(of: $0) } ?? []
        default: break
        }
        aspects.append(ModelAspect("hash modifier", versionHashModifier, isHashed: isHashed))
        aspects.append(
            ModelAspect(ModelComparison.renamingIdentifierAspect, renamingIdentifier == name ? nil : renamingIdentifier)
        )
        aspects.append(
            ModelAspect(
                "indexed by Spotlight", isIndexedBySpotlight, yes: "now indexed by Spotlight",
                no: "no longer indexed by Spotlight"))
        aspects.append(
            ModelAspect(
                "stored in external record", storesInExternalRecord, yes: "now stored in an external record",
                no: "no longer stored in an external record"))
        aspects += limits
        aspects += ModelAspect.entries(of: userInfo)
        if let scalar = sourceAttributes["usesScalarValueType"] {
            aspects.append(
                ModelAspect(
                    "scalar", scalar == "YES", yes: "now of a scalar type in code",
                    no: "no longer of a scalar type in code"))
        }
        return aspects
    }

    private static func aspects(of attribute: NSAttributeDescription, isHashed: Bool) -> [ModelAspect] {
        let isTransformable = attribute.attributeType == .transformableAttributeType
        var aspects = [
            ModelAspect("type", ModelFormatter.name(of: attribute.attributeType), isHashed: isHashed),
            ModelAspect("value class", isTransformable ? attribute.explicitValueClassName : nil),
            ModelAspect(
                "default", attribute.defaultValue.map { ModelFormatter.text(of: $0, type: attribute.attributeType) }),
            ModelAspect("transformer", attribute.valueTransformerName),
            ModelAspect(
                "external storage", attribute.allowsExternalBinaryDataStorage, yes: "now allows external storage",
                no: "no longer allows external storage", isHashed: isHashed),
            ModelAspect(
                "preserved in history", attribute.preservesValueInHistoryOnDeletion,
                yes: "now preserved in history after deletion",
                no: "no longer preserved in history after deletion", isHashed: isHashed),
            ModelAspect(
                "cloud encryption", attribute.allowsCloudEncryption, yes: "now encrypted in the cloud",
                no: "no longer encrypted in the cloud"),
        ]
        if let derived = attribute as? NSDerivedAttributeDescription {
            aspects.append(
                ModelAspect(
                    "derivation", derived.derivationExpression.map(ModelFormatter.text(of:)),
                    isHashed: derived.isPartOfEntityVersionHash))
            aspects.append(ModelAspect("derivation filter", derived.filteringPredicate?.predicateText))
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            aspects.append(ModelAspect("composite", composite.compositeName))
            aspects.append(ModelAspect("elements", Self.elements(of: composite)))
        }
        return aspects
    }

    private static func elements(of composite: NSCompositeAttributeDescription) -> String {
        let elements = composite.elements.map { element in
            let facts = element.aspects.filter { !["kind", "composite", "scalar"].contains($0.name) }.compactMap {
                aspect -> String? in
                switch aspect.value {
                case .flag(let flag, let yes, _): flag ? String(yes.dropFirst("now ".count)) : nil
                case .text(let text): text
                case .present: aspect.name
                }
            }
            return "\(element.name): \(facts.joined(separator: " "))"
        }
        return "(\(elements.joined(separator: ", ")))"
    }

    private static func aspects(of relationship: NSRelationshipDescription, isHashed: Bool) -> [ModelAspect] {
        [
            ModelAspect("destination", relationship.destinationEntityName ?? "none", isHashed: isHashed),
            ModelAspect("inverse", relationship.inverseRelationshipName ?? "none", isHashed: isHashed),
            ModelAspect("to-many", relationship.isToMany, yes: "now to-many", no: "now to-one", isHashed: isHashed),
            ModelAspect("count", ModelFormatter.count(of: relationship), isHashed: isHashed),
            ModelAspect(
                "ordered", relationship.isOrdered, yes: "now ordered", no: "no longer ordered", isHashed: isHashed),
            ModelAspect("delete rule", ModelFormatter.name(of: relationship.deleteRule)),
        ]
    }

    /// Limits are validation predicates. Each is one aspect together with its warning.
    private var limits: [ModelAspect] {
        zip(validationPredicates, validationWarnings).map { predicate, warning in
            let text = predicate.predicateText
            return ModelAspect(present: warning is String ? "limit \(text) “\(warning)”" : "limit \(text)")
        }
    }
}

extension ModelAspect {
    /// One aspect for each entry of a user info.
    static func entries(of userInfo: [AnyHashable: Any]?) -> [ModelAspect] {
        (userInfo ?? [:]).map {
            ModelAspect("user info “\(ModelFormatter.text(of: $0.key.base))”", ModelFormatter.text(of: $0.value))
        }
        .sortedBytewise { $0.name }
    }
}
