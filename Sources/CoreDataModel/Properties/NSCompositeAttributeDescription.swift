/// An attribute that consists of other attributes. Its value is a dictionary from the names of the elements to their
/// values.
open class NSCompositeAttributeDescription: NSAttributeDescription {
    private var elementStorage: [NSAttributeDescription] = []
    private var compositeNameStorage: String?

    /// Creates a composite without elements, of type `compositeAttributeType`.
    public override init() {
        super.init()
        attributeTypeStorage = .compositeAttributeType
    }

    /// The attributes that the composite consists of. They can be composites themselves. Their names must be unique.
    open var elements: [NSAttributeDescription] {
        get { elementStorage }
        set {
            willModify("elements")
            elementStorage = newValue
        }
    }

    /// The name of the shared definition in a source model, if there is one.
    package var compositeName: String? {
        get { compositeNameStorage }
        set {
            willModify("compositeName")
            compositeNameStorage = newValue
        }
    }

    override func makeEmptyCopy() -> NSPropertyDescription { NSCompositeAttributeDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSCompositeAttributeDescription else { return }
        copy.elementStorage = elementStorage.compactMap { $0.copy() as? NSAttributeDescription }
        copy.compositeNameStorage = compositeNameStorage
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSCompositeAttributeDescription else { return false }
        return super.hasEqualState(to: other) && elementStorage == other.elementStorage
    }

    override func resolveReferences() {
        for element in elementStorage { element.freeze() }
    }
}
