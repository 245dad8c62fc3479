// SPDX-License-Identifier: Apache-2.0

/// Writes an entity as a source element.
struct SourceEntityWriter {
    let entity: NSEntityDescription
    let isNew: Bool
    let format: SourceFormat

    func element(_ composites: inout SourceCompositeWriter) throws -> SourceElement {
        let name = entity.name ?? ""
        var children = try properties(&composites)
        children += compoundIndexes
        children += try entity.indexes.map(index)
        children += lists(
            entity.uniquenessConstraintNames, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        children += try Self.userInfo(entity.userInfo, entity: name, key: "userInfo", format: format)
        return SourceElement("entity", try attributes, children: children)
    }

    /// The properties, sorted by kind and name in XML, and in the order of declaration in the text notation.
    private func properties(_ composites: inout SourceCompositeWriter) throws -> [SourceElement] {
        let writer = SourcePropertyWriter(
            entity: entity, format: format, writesAllLegacyIndexes: writesAllLegacyIndexes)
        var properties = entity.ownProperties
        if format == .xml {
            let sorted = properties.sortedBytewise { $0.name }
            properties =
                sorted.filter { $0 is NSAttributeDescription } + sorted.filter { $0 is NSRelationshipDescription }
            properties += sorted.filter { $0 is NSFetchedPropertyDescription }
        }
        return try properties.map { property in
            switch property {
            case let attribute as NSAttributeDescription: return try writer.attribute(attribute, &composites)
            case let relationship as NSRelationshipDescription: return try writer.relationship(relationship)
            case let fetched as NSFetchedPropertyDescription: return try writer.fetchedProperty(fetched)
            default:
                throw ModelFileError.notExpressible(
                    """
                    '\(property.name)' of entity '\(entity.name ?? "")' is not an attribute, a relationship or a \
                    fetched property.
                    """,
                    entity: entity.name, key: property.name)
            }
        }
    }

    /// Whether the legacy forms of the indexes differ from the forms that the compiler derives from the fetch indexes.
    /// The text notation then contains all of them.
    private var writesAllLegacyIndexes: Bool {
        if format == .xml { return false }
        var lists = legacyOnlyLists
        for index in entity.indexes {
            if let names = index.legacyForm, !lists.contains(names) { lists.append(names) }
        }
        let flagged = Set(entity.ownProperties.filter { $0.hasLegacyIndex }.map(\.name))
        let singleAttributes = entity.singleAttributeNames.filter { name in
            entity.ownProperties.contains { $0.name == name && $0 is NSAttributeDescription }
        }
        return lists != entity.compoundIndexNames || !flagged.isSuperset(of: singleAttributes)
    }

    private var attributes: [(String, String?)] {
        get throws {
            let displayName = entity.displayNameExpressionStorage
            return [
                ("name", entity.name),
                ("representedClassName", entity.explicitClassName),
                ("isAbstract", entity.isAbstract ? "YES" : nil),
                ("parentEntity", entity.superentityName),
                ("elementID", entity.explicitRenamingIdentifier),
                ("versionHashModifier", entity.versionHashModifier),
                ("syncable", isNew ? "YES" : entity.sourceAttributes["syncable"]),
                ("codeGenerationType", entity.sourceAttributes["codeGenerationType"]),
                (
                    "coreSpotlightDisplayNameExpression",
                    try check("coreSpotlightDisplayNameExpression").expression(displayName)
                ),
                ("legacyIndexes", writesAllLegacyIndexes ? "explicit" : nil),
            ]
        }
    }

    private func check(_ key: String?) -> SourceTextRoundTrip {
        SourceTextRoundTrip(entity: entity.name, key: key, isExact: format == .textNotation)
    }

    /// The legacy lists that no fetch index repeats.
    private var legacyOnlyLists: [[String]] {
        let repeated = Set(entity.indexes.map { $0.elements.compactMap(\.propertyName) })
        return entity.compoundIndexNames.filter { !repeated.contains($0) }
    }

    private var compoundIndexes: [SourceElement] {
        lists(
            writesAllLegacyIndexes ? entity.compoundIndexNames : legacyOnlyLists, "compoundIndexes", "compoundIndex",
            "index")
    }

    private func lists(_ lists: [[String]], _ outer: String, _ inner: String, _ item: String) -> [SourceElement] {
        let lists = lists.filter { !$0.isEmpty }
        if lists.isEmpty { return [] }
        return [
            SourceElement(
                outer,
                children: lists.map { names in
                    SourceElement(inner, children: names.map { SourceElement(item, [("value", $0)]) })
                })
        ]
    }

    private func index(_ index: NSFetchIndexDescription) throws -> SourceElement {
        if format == .textNotation, index.elements.isEmpty {
            throw check(index.name).notRepresentable("an index without properties")
        }
        let elements = try index.elements.map { element -> SourceElement in
            var attributes: [(String, String?)]
            if let expression = element.property as? NSExpressionDescription {
                attributes = [
                    ("expression", try check(index.name).expression(expression.expression)),
                    ("expressionType", SourceSpelling.name(of: expression.expressionResultType)),
                    ("expressionName", format == .xml ? nil : expression.name),
                ]
            } else {
                attributes = [("property", element.propertyName)]
            }
            attributes.append(("type", element.collationType == .rTree ? "RTree" : "Binary"))
            attributes.append(("order", element.isAscending ? "ascending" : "descending"))
            return SourceElement("fetchIndexElement", attributes)
        }
        let partial = try check(index.name).predicate(index.partialIndexPredicate, "partialIndexPredicate")
        return SourceElement(
            "fetchIndex", [("name", index.name), ("partialIndexPredicate", partial.text)],
            children: elements + partial.arguments)
    }

    /// The entries of a user info. In XML the values must be strings.
    static func userInfo(
        _ userInfo: [AnyHashable: Any]?, entity: String, key: String, format: SourceFormat
    ) throws -> [SourceElement] {
        guard let userInfo, !userInfo.isEmpty else { return [] }
        if format == .textNotation {
            guard let entries = SourceValue.entries(userInfo) else {
                throw ModelFileError.notExpressible(
                    "the user info of '\(key)' of entity '\(entity)' contains a value that has no text form.",
                    entity: entity,
                    key: key)
            }
            return [SourceElement("userInfo", children: entries)]
        }
        let entries = try userInfo.map { entryKey, value -> (String, String) in
            guard let entryKey = entryKey.base as? String, let text = value as? String else {
                throw ModelFileError.notExpressible(
                    "the user info of '\(key)' of entity '\(entity)' contains '\(entryKey)', which is not a string.",
                    entity: entity, key: key)
            }
            return (entryKey, text)
        }
        return [
            SourceElement(
                "userInfo",
                children: entries.sortedBytewise { $0.0 }
                    .map { SourceElement("entry", [("key", $0.0), ("value", $0.1)]) })
        ]
    }
}
