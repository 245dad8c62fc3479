// SPDX-License-Identifier: Apache-2.0

/// A property whose value is the result of a fetch request. It is a one-way relationship, and can refer to objects in
/// other stores.
nonisolated open class NSFetchedPropertyDescription: NSPropertyDescription {
    private var fetchRequestStorage: NSFetchRequest<any NSFetchRequestResult>?

    /// Creates a fetched property without a request. It is transient.
    public override init() {
        super.init()
        isTransient = true
    }

    /// The request. Its predicate can use the variables `$FETCH_SOURCE` (the object) and `$FETCHED_PROPERTY` (this
    /// description).
    ///
    /// The request doesn't retain its entity.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { fetchRequestStorage }
        set {
            willModify("fetchRequest")
            setFetchRequest(newValue)
        }
    }

    /// Assigns the request. It must not retain its entity, because an entity owns its fetched properties.
    private func setFetchRequest(_ request: NSFetchRequest<any NSFetchRequestResult>?) {
        fetchRequestStorage = request
        // Threads share the request of an immutable model, and its entity belongs to another model than this one.
        if let request, !request.belongsToImmutableModel { request.fetchDescriptionStorage?.retainsEntity = false }
    }

    override var isReadOnly: Bool { true }

    override func makeEmptyCopy() -> NSPropertyDescription { NSFetchedPropertyDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSFetchedPropertyDescription else { return }
        copy.setFetchRequest(fetchRequestStorage?.copyWithEntityName())
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSFetchedPropertyDescription else { return false }
        return super.hasEqualState(to: other)
            && fetchRequestsAreEqual(fetchRequestStorage, other.fetchRequestStorage)
    }

    override func resolveReferences() {
        guard let model = owningEntity?.owningModel else { return }
        fetchRequestStorage?.resolveEntity(in: model)
        fetchRequestStorage?.freezeWithModel()
    }
}
