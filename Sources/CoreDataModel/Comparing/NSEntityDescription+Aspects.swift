// SPDX-License-Identifier: Apache-2.0

extension NSEntityDescription {
    /// The comparable values of this entity, without its name and properties.
    final var aspects: [ModelAspect] {
        var aspects = [
            ModelAspect(ModelComparison.classAspect, explicitClassName),
            ModelAspect("abstract", isAbstract, yes: "now abstract", no: "no longer abstract", isHashed: true),
            ModelAspect("parent", superentityName ?? "none", isHashed: true),
            ModelAspect("hash modifier", versionHashModifier, isHashed: true),
            ModelAspect(
                ModelComparison.renamingIdentifierAspect, renamingIdentifier == name ? nil : renamingIdentifier),
            ModelAspect("Spotlight display name", explicitSpotlightDisplayName.map(ModelFormatter.text(of:))),
            ModelAspect("code generation", sourceAttributes["codeGenerationType"]),
        ]
        aspects += uniquenessConstraintNames.map {
            ModelAspect(present: "constraint (\($0.joined(separator: ", ")))", isHashed: true)
        }
        // Indexed attributes and compound indexes, the legacy forms, are indexes too.
        aspects += compiledIndexes.map { ModelAspect("index \($0.name)", ModelFormatter.text(of: $0)) }
        return aspects + ModelAspect.entries(of: userInfo)
    }

    /// The expression for the name in Spotlight; nil if none was set.
    package final var explicitSpotlightDisplayName: NSExpression? { displayNameExpressionStorage }

    /// The properties that this entity declares. The model cache of a store repeats the inherited ones in each entity.
    package final var declaredProperties: [NSPropertyDescription] {
        guard let superentity else { return ownProperties }
        let inherited = superentity.propertiesByName
        return ownProperties.filter { !$0.isEqual(inherited[$0.name]) }
    }
}
