/// A description of the objects to look for: entity, predicate, order, and how they are to be returned.
///
/// The result type isn't constrained, since `any NSFetchRequestResult` doesn't conform to itself where there is no
/// Objective-C.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSSecureCoding {
    /// Makes a request without an entity.
    public override init() {
        super.init()
        fetchDescriptionStorage = FetchDescription()
    }

    /// Reads a request that `encode(with:)` wrote: its entity by name, its predicates not to be evaluated before
    /// `allowEvaluation()`.
    public required init?(coder: NSCoder) {
        guard let decoded = FetchRequestCoding.decode(from: coder) else { return nil }
        super.init()
        fetchDescriptionStorage = decoded
    }

    /// Writes the request; a block in it stops the program.
    open func encode(with coder: NSCoder) { FetchRequestCoding.encode(fetchDescription, with: coder) }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Makes a request for the objects of an entity.
    ///
    /// - Parameter entityName: the entity's name, looked up in the model of the context that executes the request.
    public convenience init(entityName: String) {
        self.init()
        fetchDescriptionStorage?.entityNameStorage = entityName
    }

    /// Makes a request that says the same as another of any result type.
    package convenience init(fetchDescription: FetchDescription) {
        self.init()
        fetchDescriptionStorage = fetchDescription
        fetchDescriptionStorage?.retainsEntity = true
    }

    /// Everything the request says.
    package final var fetchDescription: FetchDescription {
        get { fetchDescriptionStorage ?? FetchDescription() }
        set {
            willModify("fetchDescription")
            fetchDescriptionStorage = newValue
        }
    }

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchRequest<ResultType>(fetchDescription: fetchDescription)
        copy.affectedStoresStorage = affectedStoresStorage
        return copy
    }

    /// Whether both requests say the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreRequest else { return false }
        return fetchRequestsAreEqual(self, other)
    }

    open override var hash: Int { fetchDescription.entityName.hashValue }
}
