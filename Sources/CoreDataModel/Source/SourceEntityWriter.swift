/// Writes an entity as a source element.
struct SourceEntityWriter {
    let entity: NSEntityDescription
    let isNew: Bool

    func element(_ composites: inout SourceCompositeWriter) throws -> SourceElement {
        let name = entity.name ?? ""
        let properties = entity.ownProperties.sorted { $0.name.precedesBytewise($1.name) }
        let writer = SourcePropertyWriter(entity: entity)
        var children: [SourceElement] = []
        for case let attribute as NSAttributeDescription in properties {
            children.append(try writer.attribute(attribute, &composites))
        }
        for case let relationship as NSRelationshipDescription in properties { children.append(try writer.relationship(relationship)) }
        for case let fetched as NSFetchedPropertyDescription in properties { children.append(try writer.fetchedProperty(fetched)) }
        children += compoundIndexes
        children += try entity.indexes.map(index)
        children += lists(entity.uniquenessConstraintNames, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        children += try Self.userInfo(entity.userInfo, entity: name, key: "userInfo")
        return SourceElement("entity", attributes, children: children)
    }

    private var attributes: [(String, String?)] {
        [
            ("name", entity.name),
            ("representedClassName", entity.explicitClassName),
            ("isAbstract", entity.isAbstract ? "YES" : nil),
            ("parentEntity", entity.superentityName),
            ("elementID", entity.explicitRenamingIdentifier),
            ("versionHashModifier", entity.versionHashModifier),
            ("syncable", isNew ? "YES" : entity.sourceAttributes["syncable"]),
            ("codeGenerationType", entity.sourceAttributes["codeGenerationType"]),
            ("coreSpotlightDisplayNameExpression", entity.displayNameExpressionStorage.map(SourceDerivation.text)),
        ]
    }

    /// The old lists that no fetch index repeats.
    private var compoundIndexes: [SourceElement] {
        let repeated = Set(entity.indexes.map { $0.elements.compactMap(\.propertyName) })
        return lists(entity.compoundIndexNames.filter { !repeated.contains($0) }, "compoundIndexes", "compoundIndex", "index")
    }

    private func lists(_ lists: [[String]], _ outer: String, _ inner: String, _ item: String) -> [SourceElement] {
        if lists.isEmpty { return [] }
        return [
            SourceElement(
                outer,
                children: lists.map { names in SourceElement(inner, children: names.map { SourceElement(item, [("value", $0)]) }) })
        ]
    }

    private func index(_ index: NSFetchIndexDescription) throws -> SourceElement {
        let elements = index.elements.map { element -> SourceElement in
            var attributes: [(String, String?)]
            if let expression = element.property as? NSExpressionDescription {
                attributes = [
                    ("expression", expression.expression.map(SourceDerivation.text)),
                    ("expressionType", SourceSpelling.name(of: expression.expressionResultType)),
                ]
            } else {
                attributes = [("property", element.propertyName)]
            }
            attributes.append(("type", element.collationType == .rTree ? "RTree" : "Binary"))
            attributes.append(("order", element.isAscending ? "ascending" : "descending"))
            return SourceElement("fetchIndexElement", attributes)
        }
        return SourceElement(
            "fetchIndex", [("name", index.name), ("partialIndexPredicate", index.partialIndexPredicate?.predicateText)],
            children: elements)
    }

    /// The entries of a user info, which must be texts.
    static func userInfo(_ userInfo: [AnyHashable: Any]?, entity: String, key: String) throws -> [SourceElement] {
        guard let userInfo, !userInfo.isEmpty else { return [] }
        let entries = try userInfo.map { entryKey, value -> (String, String) in
            guard let entryKey = entryKey.base as? String, let text = value as? String else {
                throw ModelFileError.notExpressible(
                    "the user info of '\(key)' of entity '\(entity)' holds '\(entryKey)' that is no text.", entity: entity, key: key)
            }
            return (entryKey, text)
        }
        return [
            SourceElement(
                "userInfo",
                children: entries.sorted { $0.0.precedesBytewise($1.0) }
                    .map { SourceElement("entry", [("key", $0.0), ("value", $0.1)]) })
        ]
    }
}
