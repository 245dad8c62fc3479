/// Writes fetch requests as source elements.
enum SourceFetchRequestWriter {
    static func element(_ request: NSFetchRequest<any NSFetchRequestResult>, name: String) throws -> SourceElement {
        if request.sortDescriptors?.isEmpty == false || request.propertiesToFetch != nil || request.propertiesToGroupBy != nil
            || request.havingPredicate != nil || request.fetchOffset != 0
        {
            throw ModelFileError.notExpressible(
                "the fetch request '\(name)' has an order, an offset, columns or groups.", entity: request.entityName, key: name)
        }
        return SourceElement(
            "fetchRequest",
            [
                ("name", name),
                ("entity", request.entityName),
                ("predicateString", request.predicate?.predicateText),
                ("fetchLimit", request.fetchLimit == 0 ? nil : String(request.fetchLimit)),
                ("fetchBatchSize", request.fetchBatchSize == 0 ? nil : String(request.fetchBatchSize)),
                ("resultType", request.resultType.rawValue == 0 ? nil : String(request.resultType.rawValue)),
                ("includeSubentities", request.includesSubentities ? nil : "NO"),
                ("includePropertyValues", request.includesPropertyValues ? nil : "NO"),
                ("includesPendingChanges", request.includesPendingChanges ? nil : "NO"),
                ("returnObjectsAsFaults", request.returnsObjectsAsFaults ? nil : "NO"),
                ("returnDistinctResults", request.returnsDistinctResults ? "YES" : nil),
            ])
    }
}
