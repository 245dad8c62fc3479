extension NSFetchRequest {
    /// What is returned. Managed objects by default.
    public final var resultType: NSFetchRequestResultType {
        get { fetchDescription.resultType }
        set {
            willModify("resultType")
            fetchDescriptionStorage?.resultType = newValue
        }
    }

    /// How many objects are read at once as the array is walked; 0, the default, reads all at once.
    ///
    /// The fetch itself then reads keys alone, and its objects are faults. The first access to one reads the values of
    /// its batch, in one statement. Only the batches used last keep their values: objects of others that nobody but the
    /// array holds, and that have no unsaved changes, become faults again.
    public final var fetchBatchSize: Int {
        get { fetchDescription.fetchBatchSize }
        set {
            willModify("fetchBatchSize")
            fetchDescriptionStorage?.fetchBatchSize = newValue
        }
    }

    /// Whether values are read with the objects. True by default.
    public final var includesPropertyValues: Bool {
        get { fetchDescription.includesPropertyValues }
        set {
            willModify("includesPropertyValues")
            fetchDescriptionStorage?.includesPropertyValues = newValue
        }
    }

    /// Whether objects come as faults. True by default.
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

    /// Whether objects that the context has already get the values of the store. False by default.
    public final var shouldRefreshRefetchedObjects: Bool {
        get { fetchDescription.shouldRefreshRefetchedObjects }
        set {
            willModify("shouldRefreshRefetchedObjects")
            fetchDescriptionStorage?.shouldRefreshRefetchedObjects = newValue
        }
    }

    /// Key paths of relationships whose objects are read together with the results: one statement for each step of a
    /// path, whatever the number of objects. Empty by default.
    ///
    /// A path that isn't one of relationships is an error of the fetch.
    public final var relationshipKeyPathsForPrefetching: [String]? {
        get { fetchDescription.relationshipKeyPathsForPrefetching ?? [] }
        set {
            willModify("relationshipKeyPathsForPrefetching")
            fetchDescriptionStorage?.relationshipKeyPathsForPrefetching = newValue
        }
    }

    /// What dictionaries hold: names of attributes and to-one relationships, key paths over to-one relationships
    /// (`artist.name`, which is the value's key then), property descriptions, and `NSExpressionDescription`s. Nil for
    /// all attributes.
    ///
    /// Expressions are values of a row, or aggregates (`count:`, `sum:`, `min:`, `max:`, `average:`) over the rows of a
    /// group, or over all rows without `propertiesToGroupBy`; of a to-many relationship there may be aggregates only. A
    /// missing value has no key.
    ///
    /// For objects, the attributes and to-one relationships whose values come with the faults: reading them doesn't
    /// fire a fault, reading others fetches the object's values.
    public final var propertiesToFetch: [Any]? {
        get { fetchDescription.propertiesToFetch }
        set {
            willModify("propertiesToFetch")
            fetchDescriptionStorage?.propertiesToFetch = newValue
        }
    }

    /// What the rows of one dictionary have in common: names, key paths over to-one relationships, property
    /// descriptions, and names of expression descriptions in `propertiesToFetch`.
    ///
    /// Needs `.dictionaryResultType`; `propertiesToFetch` may then hold only what is named here, and aggregates.
    public final var propertiesToGroupBy: [Any]? {
        get { fetchDescription.propertiesToGroupBy }
        set {
            willModify("propertiesToGroupBy")
            fetchDescriptionStorage?.propertiesToGroupBy = newValue
        }
    }

    /// What a group must fulfil; needs `propertiesToGroupBy`.
    ///
    /// Expression descriptions in `propertiesToFetch` may stand in it by their names, as variables (`$count > 1`).
    public final var havingPredicate: NSPredicate? {
        get { fetchDescription.havingPredicate }
        set {
            willModify("havingPredicate")
            fetchDescriptionStorage?.havingPredicate = newValue
        }
    }
}
