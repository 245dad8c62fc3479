extension NSFetchRequest {
    /// What is returned. Managed objects by default.
    public final var resultType: NSFetchRequestResultType {
        get { fetchDescription.resultType }
        set {
            willModify("resultType")
            fetchDescriptionStorage?.resultType = newValue
        }
    }

    /// How many objects are read at once as the array is walked; 0 reads all at once.
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

    /// Relationships whose objects are read together with the results.
    public final var relationshipKeyPathsForPrefetching: [String]? {
        get { fetchDescription.relationshipKeyPathsForPrefetching }
        set {
            willModify("relationshipKeyPathsForPrefetching")
            fetchDescriptionStorage?.relationshipKeyPathsForPrefetching = newValue
        }
    }

    /// The columns of dictionary results: property descriptions (expressions too) or names.
    public final var propertiesToFetch: [Any]? {
        get { fetchDescription.propertiesToFetch }
        set {
            willModify("propertiesToFetch")
            fetchDescriptionStorage?.propertiesToFetch = newValue
        }
    }

    /// The columns that dictionary results are grouped by: property descriptions or names.
    public final var propertiesToGroupBy: [Any]? {
        get { fetchDescription.propertiesToGroupBy }
        set {
            willModify("propertiesToGroupBy")
            fetchDescriptionStorage?.propertiesToGroupBy = newValue
        }
    }

    /// What a group must fulfil.
    public final var havingPredicate: NSPredicate? {
        get { fetchDescription.havingPredicate }
        set {
            willModify("havingPredicate")
            fetchDescriptionStorage?.havingPredicate = newValue
        }
    }
}
