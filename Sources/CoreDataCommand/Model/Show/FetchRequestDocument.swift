import CoreDataModel
import OpenCoreData

/// A fetch request as JSON has it.
struct FetchRequestDocument: Encodable {
    struct SortKey: Encodable {
        let key: String?
        let ascending: Bool
    }

    let name: String?
    let entity: String?
    let predicate: String?
    let sort: [SortKey]
    let limit: Int
    let offset: Int
    let batchSize: Int
    let resultType: UInt
    let includesSubentities: Bool
    let includesPropertyValues: Bool
    let includesPendingChanges: Bool
    let returnsObjectsAsFaults: Bool
    let returnsDistinctResults: Bool
    let shouldRefreshRefetchedObjects: Bool
    let propertiesToFetch: [String]?
    let propertiesToGroupBy: [String]?
    let having: String?
    let prefetching: [String]?

    init(_ request: NSFetchRequest<any NSFetchRequestResult>, name: String?) {
        self.name = name
        entity = request.entityName
        predicate = request.predicate?.predicateText
        sort = (request.sortDescriptors ?? []).map { SortKey(key: $0.key, ascending: $0.ascending) }
        limit = request.fetchLimit
        offset = request.fetchOffset
        batchSize = request.fetchBatchSize
        resultType = request.resultType.rawValue
        includesSubentities = request.includesSubentities
        includesPropertyValues = request.includesPropertyValues
        includesPendingChanges = request.includesPendingChanges
        returnsObjectsAsFaults = request.returnsObjectsAsFaults
        returnsDistinctResults = request.returnsDistinctResults
        shouldRefreshRefetchedObjects = request.shouldRefreshRefetchedObjects
        propertiesToFetch = Self.names(request.propertiesToFetch)
        propertiesToGroupBy = Self.names(request.propertiesToGroupBy)
        having = request.havingPredicate?.predicateText
        prefetching = request.relationshipKeyPathsForPrefetching
    }

    private static func names(_ properties: [Any]?) -> [String]? {
        properties?.map { ($0 as? NSPropertyDescription)?.name ?? ModelFormatter.text(of: $0) }
    }
}
