/// A description of the objects to fetch: their entity, a condition, an order, and the form of the results.
///
/// ```swift
/// let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
/// request.predicate = NSPredicate(format: "rating >= %d", 4)
/// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
/// request.fetchLimit = 20
/// ```
///
/// `fetch(_:)` of a context executes the request: one `SELECT` for each store. The request itself contacts no store,
/// and its setters throw no errors: the fetch reports unknown keys and unsupported predicates.
///
/// A request belongs to one thread. A model can contain named requests (`fetchRequestTemplate(forName:)`); those of a
/// model in use are immutable, and a setter stops the program. Change a copy instead.
///
/// `ResultType` is not constrained to `NSFetchRequestResult`, because without Objective-C `any NSFetchRequestResult`
/// doesn't conform to itself.
///
/// ## Topics
///
/// ### Creating a request
///
/// - ``init(entityName:)``
///
/// ### Selecting objects
///
/// - ``predicate``
/// - ``sortDescriptors``
/// - ``fetchLimit``
/// - ``fetchOffset``
/// - ``includesSubentities``
/// - ``includesPendingChanges``
///
/// ### Choosing the results
///
/// - ``resultType``
/// - ``propertiesToFetch``
/// - ``propertiesToGroupBy``
/// - ``havingPredicate``
/// - ``returnsDistinctResults``
///
/// ### Loading values
///
/// - ``fetchBatchSize``
/// - ``relationshipKeyPathsForPrefetching``
/// - ``returnsObjectsAsFaults``
/// - ``shouldRefreshRefetchedObjects``
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSSecureCoding {
    /// Creates a request without an entity.
    public override init() {
        super.init()
        fetchDescriptionStorage = FetchDescription()
    }

    /// Decodes a request that `encode(with:)` encoded.
    ///
    /// The request knows its entity by name. Its predicates can't be evaluated in memory before `allowEvaluation()`.
    ///
    /// - Parameter coder: an `NSKeyedUnarchiver`, which gets an error if the archive contains no valid request.
    public required init?(coder: NSCoder) {
        guard let decoded = FetchRequestCoding.decode(from: coder) else { return nil }
        super.init()
        fetchDescriptionStorage = decoded
    }

    /// Encodes the request.
    ///
    /// Stops the program if a predicate or sort descriptor contains a block.
    ///
    /// - Parameter coder: an `NSKeyedArchiver`.
    open func encode(with coder: NSCoder) { FetchRequestCoding.encode(fetchDescription, with: coder) }

    /// True: fetch requests support secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Creates a request for the objects of an entity.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    /// ```
    ///
    /// The context that executes the request resolves the name in its model. An unknown name stops the program, as an
    /// exception does on Apple's platforms.
    ///
    /// - Parameter entityName: the name of the entity.
    public convenience init(entityName: String) {
        self.init()
        fetchDescriptionStorage?.entityNameStorage = entityName
    }

    /// Creates a request with the options of another request of any result type.
    package convenience init(fetchDescription: FetchDescription) {
        self.init()
        fetchDescriptionStorage = fetchDescription
        fetchDescriptionStorage?.retainsEntity = true
    }

    /// The options of the request.
    package final var fetchDescription: FetchDescription {
        get { fetchDescriptionStorage ?? FetchDescription() }
        set {
            willModify("fetchDescription")
            fetchDescriptionStorage = newValue
        }
    }

    /// `.fetchRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A mutable copy.
    ///
    /// - Parameter zone: ignored.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchRequest<ResultType>(fetchDescription: fetchDescription)
        copy.affectedStoresStorage = affectedStoresStorage
        return copy
    }

    /// Whether both requests have equal options. Entities are compared by name.
    ///
    /// - Parameter object: the object to compare with.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreRequest else { return false }
        return fetchRequestsAreEqual(self, other)
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { fetchDescription.entityName.hashValue }
}

/// The kind of the results of a fetch request.
public struct NSFetchRequestResultType: OptionSet, RawRepresentable, Sendable {
    /// The value in Apple's headers.
    public let rawValue: UInt

    /// Creates the type from its value in Apple's headers.
    ///
    /// - Parameter rawValue: the value.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static var managedObjectResultType: NSFetchRequestResultType { [] }
    /// Object IDs.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries of values.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// The number of objects.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// The types of results of a fetch request: managed objects, object IDs, dictionaries and numbers.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
