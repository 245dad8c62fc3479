// SPDX-License-Identifier: Apache-2.0

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
/// A request belongs to one thread. A model can contain named requests (`fetchRequestTemplate(forName:)`). While the
/// model is in use its requests are immutable, and a setter stops the program. Change a copy instead.
///
/// `ResultType` is not constrained to `NSFetchRequestResult`, because without Objective-C `any NSFetchRequestResult`
/// doesn't conform to itself.
nonisolated open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSSecureCoding {
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

    /// Creates a mutable copy of a fetch request of any result type: its options, and the stores that execute it.
    package convenience init(copying request: NSPersistentStoreRequest) {
        self.init(fetchDescription: request.fetchDescriptionStorage ?? FetchDescription())
        affectedStoresStorage = request.affectedStoresStorage
    }

    /// **Extension.** Converts a request to another result type, as `request as? NSFetchRequest<Song>` does on Apple's
    /// platforms.
    ///
    /// Without Objective-C, requests of different result types are of different classes, and a cast fails. The build
    /// plugin turns such casts into calls of this method.
    ///
    /// - Parameter request: a fetch request of any result type.
    /// - Returns: the request itself if it has this type, otherwise a copy; nil if the value is no fetch request.
    public static func cast(_ request: Any?) -> NSFetchRequest<ResultType>? {
        if let same = request as? NSFetchRequest<ResultType> { return same }
        guard let other = request as? NSPersistentStoreRequest, other.fetchDescriptionStorage != nil else { return nil }
        return NSFetchRequest<ResultType>(copying: other)
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

    /// Changes an option. Stops the program if the request belongs to an immutable model.
    private func modify(_ key: String, _ change: (inout FetchDescription) -> Void) {
        willModify(key)
        change(&fetchDescriptionStorage!)
    }

    // MARK: Selecting objects

    /// The name of the entity.
    open var entityName: String? { fetchDescription.entityName }

    /// The entity whose objects are fetched; nil while only its name is known.
    open var entity: NSEntityDescription? {
        get { fetchDescription.entity }
        set { modify("entity") { $0.entity = newValue } }
    }

    /// The condition that the objects must satisfy. Nil, the default, fetches all objects.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    /// request.predicate = NSPredicate(format: "artist.name == %@ AND rating >= %d", "Nina", 4)
    /// ```
    ///
    /// A SQL store translates the predicate into the `WHERE` clause of one statement, with bound values. Each to-one
    /// relationship in a key path is a join. The fetch throws `NSCoreDataError` (134060) for a predicate that the store
    /// can't translate (a block, a key that isn't stored). Objects with unsaved changes are evaluated in memory, unless
    /// `includesPendingChanges` is false.
    ///
    /// Stops the program if the request belongs to an immutable model.
    open var predicate: NSPredicate? {
        get { fetchDescription.predicate }
        set { modify("predicate") { $0.predicate = newValue } }
    }

    /// Whether objects of subentities are fetched too. True by default.
    open var includesSubentities: Bool {
        get { fetchDescription.includesSubentities }
        set { modify("includesSubentities") { $0.includesSubentities = newValue } }
    }

    /// Whether the fetch takes unsaved changes of the context into account. True by default.
    open var includesPendingChanges: Bool {
        get { fetchDescription.includesPendingChanges }
        set { modify("includesPendingChanges") { $0.includesPendingChanges = newValue } }
    }

    /// The order of the results. Nil, the default, means no defined order.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    /// request.sortDescriptors = [
    ///     NSSortDescriptor(key: "artist.name", ascending: true),
    ///     NSSortDescriptor(key: "rating", ascending: false),
    /// ]
    /// ```
    ///
    /// A SQL store sorts with `ORDER BY`. A sort descriptor with a comparator block is refused by SQL stores: the fetch
    /// throws `NSCoreDataError` (134060). Keys can follow to-one relationships.
    ///
    /// Stops the program if the request belongs to an immutable model.
    open var sortDescriptors: [NSSortDescriptor]? {
        get { fetchDescription.sortDescriptors }
        set { modify("sortDescriptors") { $0.sortDescriptors = newValue } }
    }

    /// The greatest number of results. 0, the default, means no limit.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    /// request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: false)]
    /// request.fetchLimit = 10
    /// ```
    ///
    /// A SQL store adds `LIMIT` to the statement. `fetchLimit` reduces the number of results; `fetchBatchSize` reduces
    /// the number of objects whose values are in memory at a time, and keeps the number of results.
    ///
    /// Stops the program if the request belongs to an immutable model.
    open var fetchLimit: Int {
        get { fetchDescription.fetchLimit }
        set { modify("fetchLimit") { $0.fetchLimit = newValue } }
    }

    /// The number of results to skip. 0 by default.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Song>(entityName: "Song")
    /// request.fetchOffset = 20
    /// request.fetchLimit = 10
    /// ```
    open var fetchOffset: Int {
        get { fetchDescription.fetchOffset }
        set { modify("fetchOffset") { $0.fetchOffset = newValue } }
    }

    // MARK: Results

    /// The kind of the results. Managed objects by default.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Song")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = ["title", "artist.name"]
    /// ```
    ///
    /// `.managedObjectIDResultType` reads only the primary keys. `.dictionaryResultType` reads the columns of
    /// `propertiesToFetch` from the store and creates no managed objects. Dictionaries and counts contain saved values:
    /// a request for dictionaries doesn't see unsaved changes. `.countResultType` runs `SELECT COUNT(*)` and returns
    /// one number; `count(for:)` of a context gives the same without an array.
    ///
    /// The generic parameter of the request must match the result type. Stops the program if the request belongs to an
    /// immutable model.
    open var resultType: NSFetchRequestResultType {
        get { fetchDescription.resultType }
        set { modify("resultType") { $0.resultType = newValue } }
    }

    /// The number of objects whose values are read together. 0, the default, reads the values of all objects at once.
    ///
    /// With a batch size the fetch reads only primary keys (`SELECT Z_ENT, Z_PK …`), and the result is an array of
    /// faults. The first access to an object reads the values of its batch with one statement. The array keeps the
    /// values of the batches that were used last: an object of another batch becomes a fault again if nothing else
    /// retains it and it has no unsaved changes.
    ///
    /// The values of a batch can be newer than the fetch. Stops the program if the request belongs to an immutable
    /// model.
    open var fetchBatchSize: Int {
        get { fetchDescription.fetchBatchSize }
        set { modify("fetchBatchSize") { $0.fetchBatchSize = newValue } }
    }

    /// Whether property values are read together with the objects. True by default.
    open var includesPropertyValues: Bool {
        get { fetchDescription.includesPropertyValues }
        set { modify("includesPropertyValues") { $0.includesPropertyValues = newValue } }
    }

    /// Whether the fetched objects are faults. True by default.
    open var returnsObjectsAsFaults: Bool {
        get { fetchDescription.returnsObjectsAsFaults }
        set { modify("returnsObjectsAsFaults") { $0.returnsObjectsAsFaults = newValue } }
    }

    /// Whether equal dictionaries are returned once. False by default.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Song")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = ["genre"]
    /// request.returnsDistinctResults = true
    /// ```
    open var returnsDistinctResults: Bool {
        get { fetchDescription.returnsDistinctResults }
        set { modify("returnsDistinctResults") { $0.returnsDistinctResults = newValue } }
    }

    /// Whether registered objects get the current values of the store. False by default.
    open var shouldRefreshRefetchedObjects: Bool {
        get { fetchDescription.shouldRefreshRefetchedObjects }
        set { modify("shouldRefreshRefetchedObjects") { $0.shouldRefreshRefetchedObjects = newValue } }
    }

    /// Key paths of relationships whose objects are read together with the results. Empty by default.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    /// request.relationshipKeyPathsForPrefetching = ["artist", "artist.label"]
    /// ```
    ///
    /// Each step of a key path costs one statement per fetch, whatever the number of objects. Without prefetching, each
    /// fault costs one statement when it fires.
    ///
    /// A key path that contains anything but relationships isn't prefetched, and the log says so. The setter stops the
    /// program if the request belongs to an immutable model.
    open var relationshipKeyPathsForPrefetching: [String]? {
        get { fetchDescription.relationshipKeyPathsForPrefetching ?? [] }
        set { modify("relationshipKeyPathsForPrefetching") { $0.relationshipKeyPathsForPrefetching = newValue } }
    }

    /// The properties to fetch: names of attributes and to-one relationships, key paths over to-one relationships,
    /// property descriptions, and `NSExpressionDescription`s. Nil, the default, means all attributes.
    ///
    /// ```swift
    /// let count = NSExpressionDescription()
    /// count.name = "count"
    /// count.expression = NSExpression(format: "count:(title)")
    /// count.resultType = .integer64
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Song")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = ["artist.name", count]
    /// request.propertiesToGroupBy = ["artist.name"]
    /// ```
    ///
    /// With `.dictionaryResultType` the list determines the keys of each dictionary. The value of a key path has the
    /// complete path as its key. An expression is computed for each row, or is an aggregate (`count:`, `sum:`, `min:`,
    /// `max:`, `average:`) over the rows of a group, or over all rows without `propertiesToGroupBy`. Only aggregates
    /// can refer to to-many relationships. A dictionary has no entry for a nil value.
    ///
    /// With `.managedObjectResultType` the list contains the attributes and to-one relationships that are read with the
    /// objects. Access to one of them doesn't fire the fault; access to another property does.
    ///
    /// Names read back as the descriptions of the entity's properties, once the request has its entity. Key paths read
    /// back as they were set.
    ///
    /// The fetch throws `NSCoreDataError` (134060) for an unknown property. The setter stops the program if the request
    /// belongs to an immutable model.
    open var propertiesToFetch: [Any]? {
        get { fetchDescription.resolved(fetchDescription.propertiesToFetch) }
        set { modify("propertiesToFetch") { $0.propertiesToFetch = newValue } }
    }

    /// The properties by which rows are grouped: names, key paths over to-one relationships, property descriptions, and
    /// names of expression descriptions in `propertiesToFetch`.
    ///
    /// Grouping requires `.dictionaryResultType`. `propertiesToFetch` can then contain only these properties and
    /// aggregates. Names read back as in `propertiesToFetch`.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Song")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = ["artist.name"]
    /// request.propertiesToGroupBy = ["artist.name"]
    /// ```
    open var propertiesToGroupBy: [Any]? {
        get { fetchDescription.resolved(fetchDescription.propertiesToGroupBy) }
        set { modify("propertiesToGroupBy") { $0.propertiesToGroupBy = newValue } }
    }

    /// A condition on groups. It requires `propertiesToGroupBy`.
    ///
    /// The condition refers to an expression description in `propertiesToFetch` by a variable of its name (`$count >
    /// 1`).
    ///
    /// ```swift
    /// // The artists with more than ten songs.
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Song")
    /// request.resultType = .dictionaryResultType
    /// let count = NSExpressionDescription()
    /// count.name = "count"
    /// count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")])
    /// count.expressionResultType = .integer64AttributeType
    /// request.propertiesToFetch = ["artist", count]
    /// request.propertiesToGroupBy = ["artist"]
    /// request.havingPredicate = NSPredicate(format: "count:(title) > 10")
    /// ```
    open var havingPredicate: NSPredicate? {
        get { fetchDescription.havingPredicate }
        set { modify("havingPredicate") { $0.havingPredicate = newValue } }
    }

    // MARK: Copying

    /// A mutable copy.
    ///
    /// - Parameter zone: ignored.
    open override func copy(with zone: NSZone? = nil) -> Any {
        NSFetchRequest<ResultType>(copying: self)
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
