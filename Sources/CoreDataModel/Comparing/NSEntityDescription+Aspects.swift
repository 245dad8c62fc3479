extension NSEntityDescription {
    /// What the model says of this entity, apart from its name and its properties.
    final var aspects: [ModelAspect] {
        var aspects = [
            ModelAspect("class", explicitClassName),
            ModelAspect("abstract", isAbstract, yes: "now abstract", no: "no longer abstract", isHashed: true),
            ModelAspect("parent", superentityName ?? "none", isHashed: true),
            ModelAspect("hash modifier", versionHashModifier, isHashed: true),
            ModelAspect(
                ModelComparison.renamingIdentifierAspect, renamingIdentifier == name ? nil : renamingIdentifier),
            ModelAspect("Spotlight display name", explicitSpotlightDisplayName.map(ModelWording.text(of:))),
            ModelAspect("code generation", sourceAttributes["codeGenerationType"]),
        ]
        aspects += uniquenessConstraintNames.map {
            ModelAspect(present: "constraint (\($0.joined(separator: ", ")))", isHashed: true)
        }
        // The old forms, indexed attributes and compound indexes, are indexes too.
        aspects += compiledIndexes.map { ModelAspect("index \($0.name)", ModelWording.text(of: $0)) }
        return aspects + ModelAspect.entries(of: userInfo)
    }

    /// The expression under which Spotlight shows objects; nil where the model sets none.
    package final var explicitSpotlightDisplayName: NSExpression? { displayNameExpressionStorage }

    /// The properties that this entity declares: the model cached in a store repeats the inherited ones.
    package final var declaredProperties: [NSPropertyDescription] {
        guard let superentity else { return ownProperties }
        let inherited = superentity.propertiesByName
        return ownProperties.filter { !$0.isEqual(inherited[$0.name]) }
    }
}
