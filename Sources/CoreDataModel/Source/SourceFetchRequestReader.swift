/// Reads fetch requests: the named ones of a model, and those of fetched properties.
struct SourceFetchRequestReader {
    let context: SourceReadingContext

    func read(
        _ element: SourceElement, subject: String, entity: String?, key: String?
    ) throws -> NSFetchRequest<any NSFetchRequestResult> {
        let entityName = try context.required("entity", of: element, entity: entity, key: key)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entityName)
        if let text = element.text("predicateString") {
            do {
                request.predicate = try NSPredicate.parse(text)
            } catch {
                throw context.corrupt(
                    "the predicate '\(text)' of \(subject) can't be read: \(error)", element, entity: entity ?? entityName, key: key)
            }
        }
        request.fetchLimit = max(0, element.text("fetchLimit").flatMap(SourceNumber.count) ?? 0)
        request.fetchBatchSize = max(0, element.text("fetchBatchSize").flatMap(SourceNumber.count) ?? 0)
        request.resultType = NSFetchRequestResultType(
            rawValue: UInt(max(0, element.text("resultType").flatMap(SourceNumber.count) ?? 0)))
        request.includesSubentities = element.isTrue("includeSubentities", whenAbsent: true)
        request.includesPropertyValues = element.isTrue("includePropertyValues", whenAbsent: true)
        request.includesPendingChanges = element.isTrue("includesPendingChanges", whenAbsent: true)
        request.returnsObjectsAsFaults = element.isTrue("returnObjectsAsFaults", whenAbsent: true)
        request.returnsDistinctResults = element.isTrue("returnDistinctResults")
        return request
    }
}
