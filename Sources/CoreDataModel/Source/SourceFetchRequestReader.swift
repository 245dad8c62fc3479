// SPDX-License-Identifier: Apache-2.0

/// Reads fetch requests: the templates of a model, and the requests of fetched properties.
struct SourceFetchRequestReader {
    let context: SourceReadingContext

    func read(
        _ element: SourceElement, subject: String, entity: String?, key: String?
    ) throws -> NSFetchRequest<any NSFetchRequestResult> {
        let entityName = try context.required("entity", of: element, entity: entity, key: key)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entityName)
        if let text = element.text("predicateString") {
            request.predicate = try context.predicate(
                text, of: subject, element, "predicateString", entity: entity ?? entityName, key: key)
        }
        request.fetchLimit = max(0, element.text("fetchLimit").flatMap(SourceText.count) ?? 0)
        request.fetchBatchSize = max(0, element.text("fetchBatchSize").flatMap(SourceText.count) ?? 0)
        request.resultType = NSFetchRequestResultType(
            rawValue: UInt(max(0, element.text("resultType").flatMap(SourceText.count) ?? 0)))
        request.includesSubentities = element.isTrue("includeSubentities", whenAbsent: true)
        request.includesPropertyValues = element.isTrue("includePropertyValues", whenAbsent: true)
        request.includesPendingChanges = element.isTrue("includesPendingChanges", whenAbsent: true)
        request.returnsObjectsAsFaults = element.isTrue("returnObjectsAsFaults", whenAbsent: true)
        request.returnsDistinctResults = element.isTrue("returnDistinctResults")
        if context.format == .textNotation {
            try readTextNotation(element, subject, entity ?? entityName, key, into: request)
        }
        return request
    }

    /// Reads the options that only the text notation can represent.
    private func readTextNotation(
        _ element: SourceElement, _ subject: String, _ entity: String, _ key: String?,
        into request: NSFetchRequest<any NSFetchRequestResult>
    ) throws {
        request.fetchOffset = max(0, element.text("fetchOffset").flatMap(SourceText.count) ?? 0)
        request.shouldRefreshRefetchedObjects = element.isTrue("refreshesRefetchedObjects")
        if let text = element.text("havingPredicate") {
            request.havingPredicate = try context.predicate(
                text, of: subject, element, "havingPredicate", entity: entity, key: key)
        }
        let orders = element.children(named: "sort").map { sort in
            NSSortDescriptor(
                key: sort["name"], ascending: sort["order"] != "descending",
                selector: NSSelectorFromString(sort["selector"] ?? SourceSpelling.defaultComparison))
        }
        if !orders.isEmpty { request.sortDescriptors = orders }
        let columns = try element.children(named: "column").map { try column($0, subject, entity, key) }
        if !columns.isEmpty { request.propertiesToFetch = columns }
        let groups = try element.children(named: "group").map { try column($0, subject, entity, key) }
        if !groups.isEmpty { request.propertiesToGroupBy = groups }
        let paths = element.children(named: "prefetch").compactMap { $0["name"] }
        if !paths.isEmpty { request.relationshipKeyPathsForPrefetching = paths }
    }

    /// A name, or an expression with a name and a type.
    private func column(_ element: SourceElement, _ subject: String, _ entity: String, _ key: String?) throws -> Any {
        let name = element["name"] ?? ""
        guard let text = element["expression"] else { return name }
        let description = NSExpressionDescription()
        description.name = name
        description.expression = try context.expression(text, of: subject, element, entity: entity, key: key)
        description.expressionResultType =
            SourceSpelling.attributeType(named: element["expressionType"] ?? "") ?? .undefinedAttributeType
        return description
    }
}
