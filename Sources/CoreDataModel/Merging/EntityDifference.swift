/// Describes the difference between two entities of one name, for the message of a merge conflict.
enum EntityDifference {
    /// The first difference: "attribute 'title' is only in the first", "class name is 'A' in the first and 'B' in the
    /// second".
    static func first(between left: NSEntityDescription, and right: NSEntityDescription) -> String {
        entityValues(left, right).lazy.compactMap(\.difference).first
            ?? propertyDifference(left, right)
            ?? (left.indexes != right.indexes ? "their indexes differ" : "they differ in details")
    }

    /// One value of both entities or properties.
    private struct ComparedValue {
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

    private static func entityValues(_ left: NSEntityDescription, _ right: NSEntityDescription) -> [ComparedValue] {
        [
            ComparedValue(
                name: "class name", left: text(left.managedObjectClassName), right: text(right.managedObjectClassName)),
            ComparedValue(name: "abstract", left: "\(left.isAbstract)", right: "\(right.isAbstract)"),
            ComparedValue(name: "superentity", left: text(left.superentityName), right: text(right.superentityName)),
            ComparedValue(
                name: "version hash modifier", left: text(left.versionHashModifier),
                right: text(right.versionHashModifier)),
            ComparedValue(
                name: "renaming identifier", left: text(left.renamingIdentifier),
                right: text(right.renamingIdentifier)),
            ComparedValue(
                name: "user info", left: text(left.userInfo), right: text(right.userInfo),
                isEqual: userInfosAreEqual(left.userInfo, right.userInfo)),
            ComparedValue(
                name: "uniqueness constraints", left: text(left.uniquenessConstraintNames),
                right: text(right.uniquenessConstraintNames)),
            ComparedValue(
                name: "compound indexes", left: text(left.compoundIndexNames), right: text(right.compoundIndexNames)),
            ComparedValue(
                name: "Spotlight display name", left: "", right: "",
                isEqual: expressionsAreEqual(left.displayNameExpressionStorage, right.displayNameExpressionStorage)),
        ]
    }

    private static func propertyDifference(_ left: NSEntityDescription, _ right: NSEntityDescription) -> String? {
        let leftProperties = NSEntityDescription.byName(left.ownProperties)
        let rightProperties = NSEntityDescription.byName(right.ownProperties)
        for name in Set(leftProperties.keys).union(rightProperties.keys).sortedBytewise() {
            switch (leftProperties[name], rightProperties[name]) {
            case (let one?, nil): return "\(kind(one)) '\(name)' is only in the first"
            case (nil, let other?): return "\(kind(other)) '\(name)' is only in the second"
            case (let one?, let other?) where !one.isEqual(other):
                if kind(one) != kind(other) {
                    return "'\(name)' is \(article(one)) in the first and \(article(other)) in the second"
                }
                let facts = propertyValues(one, other) + attributeValues(one, other) + relationshipValues(one, other)
                return "of \(kind(one)) '\(name)', " + (facts.lazy.compactMap(\.difference).first ?? "details differ")
            default: continue
            }
        }
        return nil
    }

    private static func kind(_ property: NSPropertyDescription) -> String { ModelFormatter.kind(of: property) }

    private static func article(_ property: NSPropertyDescription) -> String {
        Wording.withArticle(kind(property))
    }

    private static func propertyValues(_ left: NSPropertyDescription, _ right: NSPropertyDescription) -> [ComparedValue]
    {
        [
            ComparedValue(name: "optional", left: "\(left.isOptional)", right: "\(right.isOptional)"),
            ComparedValue(name: "transient", left: "\(left.isTransient)", right: "\(right.isTransient)"),
            ComparedValue(
                name: "version hash modifier", left: text(left.versionHashModifier),
                right: text(right.versionHashModifier)),
            ComparedValue(
                name: "renaming identifier", left: text(left.renamingIdentifier),
                right: text(right.renamingIdentifier)),
            ComparedValue(name: "the index flag", left: "\(left.hasLegacyIndex)", right: "\(right.hasLegacyIndex)"),
            ComparedValue(
                name: "the Spotlight flag", left: "\(left.isIndexedBySpotlight)", right: "\(right.isIndexedBySpotlight)"
            ),
            ComparedValue(
                name: "validation", left: "", right: "",
                isEqual: predicatesAreEqual(left.validationPredicates, right.validationPredicates)
                    && valueListsAreEqual(left.validationWarnings, right.validationWarnings)),
            ComparedValue(
                name: "user info", left: text(left.userInfo), right: text(right.userInfo),
                isEqual: userInfosAreEqual(left.userInfo, right.userInfo)),
        ]
    }

    private static func attributeValues(_ left: NSPropertyDescription, _ right: NSPropertyDescription)
        -> [ComparedValue]
    {
        guard let left = left as? NSAttributeDescription, let right = right as? NSAttributeDescription else {
            return []
        }
        return [
            ComparedValue(name: "type", left: "\(left.attributeType)", right: "\(right.attributeType)"),
            ComparedValue(
                name: "value class", left: text(left.attributeValueClassName),
                right: text(right.attributeValueClassName)),
            ComparedValue(
                name: "default value", left: left.defaultValue.map { "\($0)" } ?? "not set",
                right: right.defaultValue.map { "\($0)" } ?? "not set",
                isEqual: valuesAreEqual(left.defaultValue, right.defaultValue)),
            ComparedValue(
                name: "value transformer", left: text(left.valueTransformerName),
                right: text(right.valueTransformerName)),
            ComparedValue(
                name: "external storage", left: "\(left.allowsExternalBinaryDataStorage)",
                right: "\(right.allowsExternalBinaryDataStorage)"),
            ComparedValue(
                name: "preserving after deletion", left: "\(left.preservesValueInHistoryOnDeletion)",
                right: "\(right.preservesValueInHistoryOnDeletion)"),
        ]
    }

    private static func relationshipValues(_ left: NSPropertyDescription, _ right: NSPropertyDescription)
        -> [ComparedValue]
    {
        guard let left = left as? NSRelationshipDescription, let right = right as? NSRelationshipDescription else {
            return []
        }
        return [
            ComparedValue(
                name: "destination", left: text(left.destinationEntityName), right: text(right.destinationEntityName)),
            ComparedValue(
                name: "inverse", left: text(left.inverseRelationshipName), right: text(right.inverseRelationshipName)),
            ComparedValue(name: "minimum count", left: "\(left.minCount)", right: "\(right.minCount)"),
            ComparedValue(name: "maximum count", left: "\(left.maxCount)", right: "\(right.maxCount)"),
            ComparedValue(name: "ordered", left: "\(left.isOrdered)", right: "\(right.isOrdered)"),
            ComparedValue(name: "delete rule", left: "\(left.deleteRule)", right: "\(right.deleteRule)"),
        ]
    }
}
