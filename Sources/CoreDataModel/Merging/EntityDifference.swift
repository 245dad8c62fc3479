/// Says in words what makes two entities of one name different, for the message of a merge that fails.
enum EntityDifference {
    /// The first difference: "attribute 'title' is only in the first", "class name is 'A' in the first and 'B' in the
    /// second".
    static func first(between left: NSEntityDescription, and right: NSEntityDescription) -> String {
        entityFacts(left, right).lazy.compactMap(\.difference).first
            ?? propertyDifference(left, right)
            ?? (left.indexes != right.indexes ? "their indexes differ" : "they differ in details")
    }

    /// One thing that both say.
    private struct Fact {
        let name: String
        let left: String
        let right: String
        var isEqual: Bool?

        var difference: String? {
            if isEqual ?? (left == right) { return nil }
            return left == right ? "\(name) differs" : "\(name) is \(left) in the first and \(right) in the second"
        }
    }

    private static func text(_ value: String?) -> String { value.map { "'\($0)'" } ?? "not set" }

    private static func text(_ lists: [[String]]) -> String {
        lists.isEmpty ? "not set" : lists.map { "(" + $0.joined(separator: ", ") + ")" }.joined(separator: " ")
    }

    private static func text(_ userInfo: [AnyHashable: Any]?) -> String {
        guard let userInfo, !userInfo.isEmpty else { return "empty" }
        return "{ " + userInfo.map { "\($0.key) = \($0.value)" }.sorted().joined(separator: "; ") + " }"
    }

    private static func entityFacts(_ left: NSEntityDescription, _ right: NSEntityDescription) -> [Fact] {
        [
            Fact(
                name: "class name", left: text(left.managedObjectClassName), right: text(right.managedObjectClassName)),
            Fact(name: "abstract", left: "\(left.isAbstract)", right: "\(right.isAbstract)"),
            Fact(name: "superentity", left: text(left.superentityName), right: text(right.superentityName)),
            Fact(
                name: "version hash modifier", left: text(left.versionHashModifier),
                right: text(right.versionHashModifier)),
            Fact(
                name: "renaming identifier", left: text(left.renamingIdentifier), right: text(right.renamingIdentifier)),
            Fact(
                name: "user info", left: text(left.userInfo), right: text(right.userInfo),
                isEqual: userInfosAreEqual(left.userInfo, right.userInfo)),
            Fact(
                name: "uniqueness constraints", left: text(left.uniquenessConstraintNames),
                right: text(right.uniquenessConstraintNames)),
            Fact(name: "compound indexes", left: text(left.compoundIndexNames), right: text(right.compoundIndexNames)),
            Fact(
                name: "Spotlight display name", left: "", right: "",
                isEqual: expressionsAreEqual(left.displayNameExpressionStorage, right.displayNameExpressionStorage)),
        ]
    }

    private static func propertyDifference(_ left: NSEntityDescription, _ right: NSEntityDescription) -> String? {
        let lefts = NSEntityDescription.byName(left.ownProperties)
        let rights = NSEntityDescription.byName(right.ownProperties)
        for name in Set(lefts.keys).union(rights.keys).sorted(by: { $0.precedesBytewise($1) }) {
            switch (lefts[name], rights[name]) {
            case (let one?, nil): return "\(kind(one)) '\(name)' is only in the first"
            case (nil, let other?): return "\(kind(other)) '\(name)' is only in the second"
            case (let one?, let other?) where !one.isEqual(other):
                if kind(one) != kind(other) {
                    return "'\(name)' is \(article(one)) in the first and \(article(other)) in the second"
                }
                let facts = propertyFacts(one, other) + attributeFacts(one, other) + relationshipFacts(one, other)
                return "of \(kind(one)) '\(name)', " + (facts.lazy.compactMap(\.difference).first ?? "details differ")
            default: continue
            }
        }
        return nil
    }

    private static func kind(_ property: NSPropertyDescription) -> String {
        switch property {
        case is NSDerivedAttributeDescription: "derived attribute"
        case is NSCompositeAttributeDescription: "composite attribute"
        case is NSAttributeDescription: "attribute"
        case is NSRelationshipDescription: "relationship"
        case is NSFetchedPropertyDescription: "fetched property"
        default: "property"
        }
    }

    private static func article(_ property: NSPropertyDescription) -> String {
        kind(property).first == "a" ? "an \(kind(property))" : "a \(kind(property))"
    }

    private static func propertyFacts(_ left: NSPropertyDescription, _ right: NSPropertyDescription) -> [Fact] {
        [
            Fact(name: "optional", left: "\(left.isOptional)", right: "\(right.isOptional)"),
            Fact(name: "transient", left: "\(left.isTransient)", right: "\(right.isTransient)"),
            Fact(
                name: "version hash modifier", left: text(left.versionHashModifier),
                right: text(right.versionHashModifier)),
            Fact(
                name: "renaming identifier", left: text(left.renamingIdentifier), right: text(right.renamingIdentifier)),
            Fact(name: "the index flag", left: "\(left.hasLegacyIndex)", right: "\(right.hasLegacyIndex)"),
            Fact(
                name: "the Spotlight flag", left: "\(left.isIndexedBySpotlight)", right: "\(right.isIndexedBySpotlight)"
            ),
            Fact(
                name: "validation", left: "", right: "",
                isEqual: predicatesAreEqual(left.validationPredicates, right.validationPredicates)
                    && valueListsAreEqual(left.validationWarnings, right.validationWarnings)),
            Fact(
                name: "user info", left: text(left.userInfo), right: text(right.userInfo),
                isEqual: userInfosAreEqual(left.userInfo, right.userInfo)),
        ]
    }

    private static func attributeFacts(_ left: NSPropertyDescription, _ right: NSPropertyDescription) -> [Fact] {
        guard let left = left as? NSAttributeDescription, let right = right as? NSAttributeDescription else {
            return []
        }
        return [
            Fact(name: "type", left: "\(left.attributeType)", right: "\(right.attributeType)"),
            Fact(
                name: "value class", left: text(left.attributeValueClassName),
                right: text(right.attributeValueClassName)),
            Fact(
                name: "default value", left: left.defaultValue.map { "\($0)" } ?? "not set",
                right: right.defaultValue.map { "\($0)" } ?? "not set",
                isEqual: valuesAreEqual(left.defaultValue, right.defaultValue)),
            Fact(
                name: "value transformer", left: text(left.valueTransformerName),
                right: text(right.valueTransformerName)),
            Fact(
                name: "external storage", left: "\(left.allowsExternalBinaryDataStorage)",
                right: "\(right.allowsExternalBinaryDataStorage)"),
            Fact(
                name: "preserving after deletion", left: "\(left.preservesValueInHistoryOnDeletion)",
                right: "\(right.preservesValueInHistoryOnDeletion)"),
        ]
    }

    private static func relationshipFacts(_ left: NSPropertyDescription, _ right: NSPropertyDescription) -> [Fact] {
        guard let left = left as? NSRelationshipDescription, let right = right as? NSRelationshipDescription else {
            return []
        }
        return [
            Fact(name: "destination", left: text(left.destinationEntityName), right: text(right.destinationEntityName)),
            Fact(name: "inverse", left: text(left.inverseRelationshipName), right: text(right.inverseRelationshipName)),
            Fact(name: "minimum count", left: "\(left.minCount)", right: "\(right.minCount)"),
            Fact(name: "maximum count", left: "\(left.maxCount)", right: "\(right.maxCount)"),
            Fact(name: "ordered", left: "\(left.isOrdered)", right: "\(right.isOrdered)"),
            Fact(name: "delete rule", left: "\(left.deleteRule)", right: "\(right.deleteRule)"),
        ]
    }
}
