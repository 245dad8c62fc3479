// SPDX-License-Identifier: Apache-2.0

/// Finds unknown elements and attributes of a source model. They are ignored, so a misspelled one has no effect.
package enum SourceSpellingCheck {
    /// The unknown elements and attributes.
    ///
    /// - Parameter root: the element `model` of a source model.
    package static func findings(in root: SourceElement) -> [ModelFinding] {
        var findings: [ModelFinding] = []
        collect(root, entity: nil, key: nil, into: &findings)
        return findings
    }

    private static func collect(
        _ element: SourceElement, entity: String?, key: String?, into findings: inout [ModelFinding]
    ) {
        guard let known = vocabulary[element.name] else { return }
        for name in element.attributesByName.keys.sorted() where !known.attributes.contains(name) {
            findings.append(
                ModelFinding(
                    .warning, .spelling, entity: entity, key: key ?? name, line: element.line,
                    """
                    the attribute '\(name)' of <\(element.name)> is unknown, and \
                    ignored\(NearestNames.findingSuggestion(for: name, in: known.attributes))
                    """
                ))
        }
        for child in element.children {
            guard known.children.contains(child.name) else {
                findings.append(
                    ModelFinding(
                        .warning, .spelling, entity: entity, key: key, line: child.line,
                        """
                        the element <\(child.name)> in <\(element.name)> is unknown, and \
                        ignored\(NearestNames.findingSuggestion(for: child.name, in: known.children))
                        """
                    ))
                continue
            }
            let isEntity = child.name == "entity"
            collect(
                child, entity: isEntity ? child["name"] : entity, key: isEntity ? nil : child["name"] ?? key,
                into: &findings)
        }
    }

    private typealias Words = (attributes: Set<String>, children: Set<String>)

    private static let common: Set<String> = [
        "name", "optional", "transient", "indexed", "elementID", "versionHashModifier", "spotlightIndexingEnabled",
        "storedInTruthFile",
        "syncable",
    ]

    private static let attribute: Set<String> = common.union([
        "attributeType", "defaultValueString", "defaultDateTimeInterval", "minValueString", "maxValueString",
        "minDateTimeInterval",
        "maxDateTimeInterval", "regularExpressionString", "usesScalarValueType", "valueTransformerName",
        "customClassName",
        "allowsExternalBinaryDataStorage", "preserveAfterDeletion", "allowsCloudEncryption", "derived",
        "derivationExpression", "composite",
    ])

    private static let vocabulary: [String: Words] = [
        "model": (
            Set(SourceEditorAttributes.model).union(["userDefinedModelVersionIdentifier"]),
            ["entity", "fetchRequest", "configuration", "composite", "elements"]
        ),
        "entity": (
            [
                "name", "representedClassName", "parentEntity", "isAbstract", "elementID", "versionHashModifier",
                "syncable",
                "codeGenerationType", "coreSpotlightDisplayNameExpression",
            ],
            [
                "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex",
                "uniquenessConstraints", "userInfo",
            ]
        ),
        "attribute": (attribute, ["userInfo"]),
        "relationship": (
            common.union([
                "destinationEntity", "inverseName", "inverseEntity", "toMany", "minCount", "maxCount", "ordered",
                "deletionRule",
            ]),
            ["userInfo"]
        ),
        "fetchedProperty": (common, ["fetchRequest", "userInfo"]),
        "fetchRequest": (
            [
                "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType", "includeSubentities",
                "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults",
            ], []
        ),
        "configuration": (["name", "usedWithCloudKit"], ["memberEntity"]),
        "memberEntity": (["name"], []),
        "composite": (["name"], ["attribute"]),
        "compoundIndexes": ([], ["compoundIndex"]),
        "compoundIndex": ([], ["index"]),
        "index": (["value"], []),
        "fetchIndex": (["name", "partialIndexPredicate"], ["fetchIndexElement"]),
        "fetchIndexElement": (["property", "type", "order", "expression", "expressionType"], []),
        "uniquenessConstraints": ([], ["uniquenessConstraint"]),
        "uniquenessConstraint": ([], ["constraint"]),
        "constraint": (["value"], []),
        "userInfo": ([], ["entry"]),
        "entry": (["key", "value"], []),
    ]
}
