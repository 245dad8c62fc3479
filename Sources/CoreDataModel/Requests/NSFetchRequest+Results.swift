extension NSFetchRequest {
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
    public final var resultType: NSFetchRequestResultType {
        get { fetchDescription.resultType }
        set {
            willModify("resultType")
            fetchDescriptionStorage?.resultType = newValue
        }
    }

    /// The number of objects whose values are read together. 0, the default, reads the values of all objects at once.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    /// request.fetchBatchSize = 50
    /// ```
    ///
    /// With a batch size the fetch reads only primary keys (`SELECT Z_ENT, Z_PK …`), and the result is an array of
    /// faults. The first access to an object reads the values of its batch with one statement. The array keeps the
    /// values of the batches that were used last: an object of another batch becomes a fault again if nothing else
    /// retains it and it has no unsaved changes.
    ///
    /// The values of a batch can be newer than the fetch. Stops the program if the request belongs to an immutable
    /// model.
    public final var fetchBatchSize: Int {
        get { fetchDescription.fetchBatchSize }
        set {
            willModify("fetchBatchSize")
            fetchDescriptionStorage?.fetchBatchSize = newValue
        }
    }

    /// Whether property values are read together with the objects. True by default.
    public final var includesPropertyValues: Bool {
        get { fetchDescription.includesPropertyValues }
        set {
            willModify("includesPropertyValues")
            fetchDescriptionStorage?.includesPropertyValues = newValue
        }
    }

    /// Whether the fetched objects are faults. True by default.
    public final var returnsObjectsAsFaults: Bool {
        get { fetchDescription.returnsObjectsAsFaults }
        set {
            willModify("returnsObjectsAsFaults")
            fetchDescriptionStorage?.returnsObjectsAsFaults = newValue
        }
    }

    /// Whether equal dictionaries are returned once. False by default.
    public final var returnsDistinctResults: Bool {
        get { fetchDescription.returnsDistinctResults }
        set {
            willModify("returnsDistinctResults")
            fetchDescriptionStorage?.returnsDistinctResults = newValue
        }
    }

    /// Whether registered objects get the current values of the store. False by default.
    public final var shouldRefreshRefetchedObjects: Bool {
        get { fetchDescription.shouldRefreshRefetchedObjects }
        set {
            willModify("shouldRefreshRefetchedObjects")
            fetchDescriptionStorage?.shouldRefreshRefetchedObjects = newValue
        }
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
    /// The fetch throws `NSCoreDataError` (134060) for a key path that contains anything but relationships. The setter
    /// stops the program if the request belongs to an immutable model.
    public final var relationshipKeyPathsForPrefetching: [String]? {
        get { fetchDescription.relationshipKeyPathsForPrefetching ?? [] }
        set {
            willModify("relationshipKeyPathsForPrefetching")
            fetchDescriptionStorage?.relationshipKeyPathsForPrefetching = newValue
        }
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
    /// The fetch throws `NSCoreDataError` (134060) for an unknown property. The setter stops the program if the request
    /// belongs to an immutable model.
    public final var propertiesToFetch: [Any]? {
        get { fetchDescription.propertiesToFetch }
        set {
            willModify("propertiesToFetch")
            fetchDescriptionStorage?.propertiesToFetch = newValue
        }
    }

    /// The properties by which rows are grouped: names, key paths over to-one relationships, property descriptions, and
    /// names of expression descriptions in `propertiesToFetch`.
    ///
    /// Grouping requires `.dictionaryResultType`. `propertiesToFetch` can then contain only these properties and
    /// aggregates.
    public final var propertiesToGroupBy: [Any]? {
        get { fetchDescription.propertiesToGroupBy }
        set {
            willModify("propertiesToGroupBy")
            fetchDescriptionStorage?.propertiesToGroupBy = newValue
        }
    }

    /// A condition on groups. It requires `propertiesToGroupBy`.
    ///
    /// The condition refers to an expression description in `propertiesToFetch` by a variable of its name (`$count >
    /// 1`).
    public final var havingPredicate: NSPredicate? {
        get { fetchDescription.havingPredicate }
        set {
            willModify("havingPredicate")
            fetchDescriptionStorage?.havingPredicate = newValue
        }
    }
}
