extension NSFetchRequest {
    /// The name of the entity.
    public final var entityName: String? { fetchDescription.entityName }

    /// The entity whose objects are looked for; nil while only the name is known.
    public final var entity: NSEntityDescription? {
        get { fetchDescription.entity }
        set {
            willModify("entity")
            fetchDescriptionStorage?.entity = newValue
        }
    }

    /// What the objects must fulfil; nil for all.
    public final var predicate: NSPredicate? {
        get { fetchDescription.predicate }
        set {
            willModify("predicate")
            fetchDescriptionStorage?.predicate = newValue
        }
    }

    /// Whether objects of subentities are found too. True by default.
    public final var includesSubentities: Bool {
        get { fetchDescription.includesSubentities }
        set {
            willModify("includesSubentities")
            fetchDescriptionStorage?.includesSubentities = newValue
        }
    }

    /// Whether unsaved changes of the context are taken into account. True by default.
    public final var includesPendingChanges: Bool {
        get { fetchDescription.includesPendingChanges }
        set {
            willModify("includesPendingChanges")
            fetchDescriptionStorage?.includesPendingChanges = newValue
        }
    }

    /// The order of the results; nil for none.
    public final var sortDescriptors: [NSSortDescriptor]? {
        get { fetchDescription.sortDescriptors }
        set {
            willModify("sortDescriptors")
            fetchDescriptionStorage?.sortDescriptors = newValue
        }
    }

    /// The greatest number of results; 0 for no limit.
    public final var fetchLimit: Int {
        get { fetchDescription.fetchLimit }
        set {
            willModify("fetchLimit")
            fetchDescriptionStorage?.fetchLimit = newValue
        }
    }

    /// The number of results to skip.
    public final var fetchOffset: Int {
        get { fetchDescription.fetchOffset }
        set {
            willModify("fetchOffset")
            fetchDescriptionStorage?.fetchOffset = newValue
        }
    }
}
