/// An attribute whose value the store computes from others when the object is saved.
public final class NSDerivedAttributeDescription: NSAttributeDescription {
    private var derivationStorage: NSExpression?
    private var filteringPredicateStorage: NSPredicate?

    /// Makes a derived attribute without derivation.
    public override init() { super.init() }

    /// What the value is computed from: a key path, a count or sum over a relationship, a changed text, `now()`.
    public var derivationExpression: NSExpression? {
        get { derivationStorage }
        set {
            willModify("derivationExpression")
            derivationStorage = newValue
        }
    }

    /// A predicate that model files may hold beside the derivation; kept for writing.
    package var filteringPredicate: NSPredicate? {
        get { filteringPredicateStorage }
        set {
            willModify("filteringPredicate")
            filteringPredicateStorage = newValue
        }
    }

    package override var isReadOnly: Bool { true }

    override func makeEmptyCopy() -> NSPropertyDescription { NSDerivedAttributeDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSDerivedAttributeDescription else { return }
        copy.derivationStorage = derivationStorage
        copy.filteringPredicateStorage = filteringPredicateStorage
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSDerivedAttributeDescription else { return false }
        return super.hasEqualState(to: other)
            && expressionsAreEqual(derivationStorage, other.derivationStorage)
            && predicatesAreEqual(filteringPredicateStorage, other.filteringPredicateStorage)
    }
}
