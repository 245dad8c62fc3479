// SPDX-License-Identifier: Apache-2.0

/// Writes fetch requests as source elements.
enum SourceFetchRequestWriter {
    static func element(
        _ request: NSFetchRequest<any NSFetchRequestResult>, name: String, format: SourceFormat
    ) throws -> SourceElement {
        if format == .textNotation { return try textNotation(request, name: name) }
        if request.sortDescriptors?.isEmpty == false || request.propertiesToFetch != nil
            || request.propertiesToGroupBy != nil
            || request.havingPredicate != nil || request.fetchOffset != 0
        {
            throw ModelFileError.notExpressible(
                "the fetch request '\(name)' has an order, an offset, columns or groups.", entity: request.entityName,
                key: name)
        }
        let entity = try entity(of: request, name)
        let check = SourceTextRoundTrip(entity: entity, key: name, isExact: false)
        return SourceElement(
            "fetchRequest", attributes(request, name, try check.predicate(request.predicate, "predicateString").text))
    }

    private static func entity(of request: NSFetchRequest<any NSFetchRequestResult>, _ name: String) throws -> String {
        guard let entity = request.entityName, !entity.isEmpty else {
            throw ModelFileError.notExpressible("the fetch request '\(name)' has no entity.", entity: nil, key: name)
        }
        return entity
    }

    private static func attributes(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ name: String, _ predicate: String?
    ) -> [(String, String?)] {
        [
            ("name", name),
            ("entity", request.entityName),
            ("predicateString", predicate),
            ("fetchLimit", request.fetchLimit == 0 ? nil : String(request.fetchLimit)),
            ("fetchBatchSize", request.fetchBatchSize == 0 ? nil : String(request.fetchBatchSize)),
            ("resultType", request.resultType.rawValue == 0 ? nil : String(request.resultType.rawValue)),
            ("includeSubentities", request.includesSubentities ? nil : "NO"),
            ("includePropertyValues", request.includesPropertyValues ? nil : "NO"),
            ("includesPendingChanges", request.includesPendingChanges ? nil : "NO"),
            ("returnObjectsAsFaults", request.returnsObjectsAsFaults ? nil : "NO"),
            ("returnDistinctResults", request.returnsDistinctResults ? "YES" : nil),
        ]
    }

    /// Writes a request with its sort descriptors, columns and groups, which XML can't represent.
    private static func textNotation(_ request: NSFetchRequest<any NSFetchRequestResult>, name: String) throws
        -> SourceElement
    {
        let check = SourceTextRoundTrip(entity: try entity(of: request, name), key: name)
        var children = try (request.sortDescriptors ?? []).map { descriptor -> SourceElement in
            guard let key = descriptor.key, !descriptor.needsEvaluation, let selector = descriptor.selector?.name,
                SourceSpelling.comparisons.contains(selector)
            else { throw check.notRepresentable("a sort descriptor of fetch request '\(name)'") }
            return SourceElement(
                "sort",
                [
                    ("name", key), ("order", descriptor.ascending ? nil : "descending"),
                    ("selector", selector == SourceSpelling.defaultComparison ? nil : selector),
                ])
        }
        children += try (request.propertiesToFetch ?? []).map { try column("column", $0, name, check) }
        children += try (request.propertiesToGroupBy ?? []).map { try column("group", $0, name, check) }
        children += (request.relationshipKeyPathsForPrefetching ?? []).map { SourceElement("prefetch", [("name", $0)]) }
        let predicate = try check.predicate(request.predicate, "predicateString")
        let having = try check.predicate(request.havingPredicate, "havingPredicate")
        children += predicate.arguments + having.arguments
        var attributes = attributes(request, name, predicate.text)
        attributes += [
            ("fetchOffset", request.fetchOffset == 0 ? nil : String(request.fetchOffset)),
            ("refreshesRefetchedObjects", request.shouldRefreshRefetchedObjects ? "YES" : nil),
            ("havingPredicate", having.text),
        ]
        return SourceElement("fetchRequest", attributes, children: children)
    }

    /// Writes a column: the name of a property, or an expression with a name and a type.
    private static func column(_ element: String, _ column: Any, _ name: String, _ check: SourceTextRoundTrip) throws
        -> SourceElement
    {
        if let text = column as? String { return SourceElement(element, [("name", text)]) }
        guard let property = column as? NSPropertyDescription else {
            throw check.notRepresentable("a column of fetch request '\(name)'")
        }
        guard let expression = property as? NSExpressionDescription else {
            return SourceElement(element, [("name", property.name)])
        }
        return SourceElement(
            element,
            [
                ("name", expression.name), ("expression", try check.expression(expression.expression)),
                ("expressionType", SourceSpelling.name(of: expression.expressionResultType)),
            ])
    }
}
