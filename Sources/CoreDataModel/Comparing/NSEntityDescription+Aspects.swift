extension NSEntityDescription {
    /// What the model says of this entity, apart from its name and its properties.
    final var aspects: [ModelAspect] {
        var aspects = [
            ModelAspect("class", explicitClassName),
            ModelAspect("abstract", isAbstract, yes: "now abstract", no: "no longer abstract", isHashed: true),
            ModelAspect("parent", superentityName ?? "none", isHashed: true),
            ModelAspect("hash modifier", versionHashModifier, isHashed: true),
            ModelAspect(ModelComparison.renamingIdentifierAspect, explicitRenamingIdentifier),
            ModelAspect("Spotlight display name", explicitSpotlightDisplayName.map(ModelWording.text(of:))),
            ModelAspect("code generation", sourceAttributes["codeGenerationType"]),
        ]
        aspects += uniquenessConstraintNames.map { ModelAspect(present: "constraint (\($0.joined(separator: ", ")))", isHashed: true) }
        aspects += indexes.map { ModelAspect("index \($0.name)", ModelWording.text(of: $0)) }
        let indexed = Set(indexes.map { $0.elements.compactMap(\.propertyName) })
        // The old lists that no fetch index repeats.
        aspects += compoundIndexNames.filter { !indexed.contains($0) }.map { ModelAspect(present: "compound index (\($0.joined(separator: ", ")))") }
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
