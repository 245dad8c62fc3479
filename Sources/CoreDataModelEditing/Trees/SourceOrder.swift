// SPDX-License-Identifier: Apache-2.0

/// The order in which Xcode writes attributes and elements.
enum SourceOrder {
    static let attributes: [String: [String]] = [
        "model": [
            "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
            "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData", "name", "macOSVersion", "iOSVersion",
            "userDefinedModelVersionIdentifier",
        ],
        "entity": [
            "name", "representedClassName", "isAbstract", "parentEntity", "elementID", "versionHashModifier",
            "syncable", "codeGenerationType", "coreSpotlightDisplayNameExpression", "legacyIndexes",
        ],
        "attribute": [
            "name", "optional", "transient", "attributeType", "composite", "derived", "derivationExpression",
            "derivationFilter", "minDateTimeInterval", "maxDateTimeInterval", "minValueString", "maxValueString",
            "defaultDateTimeInterval", "defaultValueString", "regularExpressionString", "usesScalarValueType",
            "valueTransformerName", "customClassName", "allowsExternalBinaryDataStorage", "allowsCloudEncryption",
            "spotlightIndexingEnabled", "storedInTruthFile", "indexed", "elementID", "versionHashModifier",
            "preserveAfterDeletion", "syncable",
        ],
        "relationship": [
            "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
            "destinationEntity", "inverseName", "inverseEntity", "spotlightIndexingEnabled", "storedInTruthFile",
            "indexed", "elementID", "versionHashModifier", "syncable",
        ],
        "fetchedProperty": [
            "name", "optional", "transient", "spotlightIndexingEnabled", "storedInTruthFile", "indexed", "elementID",
            "versionHashModifier", "syncable",
        ],
        "fetchRequest": [
            "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType", "includeSubentities",
            "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults",
            "fetchOffset", "refreshesRefetchedObjects", "havingPredicate",
        ],
        "configuration": ["name", "usedWithCloudKit"],
        "fetchIndex": ["name", "partialIndexPredicate"],
        "fetchIndexElement": ["property", "expression", "expressionType", "expressionName", "type", "order"],
        "element": ["name", "positionX", "positionY", "width", "height"],
    ]

    /// The elements of one parent, first ones first.
    private static let kinds: [String: Int] = Dictionary(
        uniqueKeysWithValues: [
            "entity", "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex",
            "uniquenessConstraints", "fetchRequest", "configuration", "composite", "versionIdentifier",
            "localization", "userInfo", "elements",
        ].enumerated().map { ($0.element, $0.offset) })

    /// The kinds whose elements stand in the order of their names.
    private static let named: Set<String> = [
        "entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "configuration", "composite",
        "memberEntity", "element",
    ]

    /// The position of a new child among the children of an element.
    ///
    /// - Parameter sorts: whether names have an order, as in Xcode's files. Otherwise a new element is the last one of
    ///   its kind.
    static func position(of child: SourceTree, in parent: SourceTree, sorts: Bool) -> Int {
        let children = parent.children
        let own = kinds[child.name]
        let after = children.lastIndex { other in
            guard let own, let rank = kinds[other.name] else { return child.name == other.name }
            return rank < own || rank == own && !(sorts && isAfter(other, child))
        }
        if own == nil, after == nil { return children.count }
        return after.map { $0 + 1 } ?? 0
    }

    private static func isAfter(_ other: SourceTree, _ child: SourceTree) -> Bool {
        guard named.contains(child.name), let one = child["name"], let two = other["name"] else { return false }
        return one.utf8.lexicographicallyPrecedes(two.utf8)
    }

    /// Whether a child stands in the order of names among its neighbours of its kind.
    static func isSorted(_ parent: SourceTree, at index: Int) -> Bool {
        let children = parent.children
        func isOrdered(_ one: Int, _ two: Int) -> Bool {
            guard children.indices.contains(one), children.indices.contains(two),
                children[one].name == children[two].name
            else { return true }
            return !isAfter(children[one], children[two])
        }
        return isOrdered(index - 1, index) && isOrdered(index, index + 1)
    }
}
