/// A property whose value is the result of a fetch request: a loose relationship to other objects, also across stores.
public final class NSFetchedPropertyDescription: NSPropertyDescription {
    private var fetchRequestStorage: NSFetchRequest<any NSFetchRequestResult>?

    /// Makes a fetched property without a request; it is transient.
    public override init() {
        super.init()
        isTransientStorage = true
    }

    /// The request; its predicate may use `$FETCH_SOURCE` (the owning object) and `$FETCHED_PROPERTY` (this
    /// description).
    public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { fetchRequestStorage }
        set {
            willModify("fetchRequest")
            setFetchRequest(newValue)
        }
    }

    /// The request doesn't retain its entity, which owns this property or is related to its owner.
    private func setFetchRequest(_ request: NSFetchRequest<any NSFetchRequestResult>?) {
        fetchRequestStorage = request
        request?.fetchDescriptionStorage?.retainsEntity = false
    }

    package override var isReadOnly: Bool { true }

    override func makeEmptyCopy() -> NSPropertyDescription { NSFetchedPropertyDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSFetchedPropertyDescription else { return }
        copy.setFetchRequest(fetchRequestStorage?.copyReferringByName())
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSFetchedPropertyDescription else { return false }
        return super.hasEqualState(to: other)
            && fetchRequestsAreEqual(fetchRequestStorage, other.fetchRequestStorage)
    }

    override func resolveReferences() {
        guard let model = owningEntity?.owningModel else { return }
        fetchRequestStorage?.resolveEntity(in: model)
        fetchRequestStorage?.freezeAsPartOfModel()
    }
}
