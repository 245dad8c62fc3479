extension NSFetchRequest {
    /// The name of the entity.
    public final var entityName: String? { fetchDescription.entityName }

    /// The entity whose objects are fetched; nil while only its name is known.
    public final var entity: NSEntityDescription? {
        get { fetchDescription.entity }
        set {
            willModify("entity")
            fetchDescriptionStorage?.entity = newValue
        }
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
    public final var predicate: NSPredicate? {
        get { fetchDescription.predicate }
        set {
            willModify("predicate")
            fetchDescriptionStorage?.predicate = newValue
        }
    }

    /// Whether objects of subentities are fetched too. True by default.
    public final var includesSubentities: Bool {
        get { fetchDescription.includesSubentities }
        set {
            willModify("includesSubentities")
            fetchDescriptionStorage?.includesSubentities = newValue
        }
    }

    /// Whether the fetch takes unsaved changes of the context into account. True by default.
    public final var includesPendingChanges: Bool {
        get { fetchDescription.includesPendingChanges }
        set {
            willModify("includesPendingChanges")
            fetchDescriptionStorage?.includesPendingChanges = newValue
        }
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
    public final var sortDescriptors: [NSSortDescriptor]? {
        get { fetchDescription.sortDescriptors }
        set {
            willModify("sortDescriptors")
            fetchDescriptionStorage?.sortDescriptors = newValue
        }
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
    public final var fetchLimit: Int {
        get { fetchDescription.fetchLimit }
        set {
            willModify("fetchLimit")
            fetchDescriptionStorage?.fetchLimit = newValue
        }
    }

    /// The number of results to skip. 0 by default.
    public final var fetchOffset: Int {
        get { fetchDescription.fetchOffset }
        set {
            willModify("fetchOffset")
            fetchDescriptionStorage?.fetchOffset = newValue
        }
    }
}
