// SPDX-License-Identifier: Apache-2.0

/// An attribute that consists of other attributes. Its value is a dictionary from the names of the elements to their
/// values.
nonisolated open class NSCompositeAttributeDescription: NSAttributeDescription {
    /// Creates a composite without elements, of type `compositeAttributeType`.
    public override init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    /// The attributes that the composite consists of. They can be composites themselves. Their names must be unique.
    open var elements: [NSAttributeDescription] = [] {
        willSet { willModify("elements") }
    }

    /// The name of the shared definition in a source model, if there is one.
    package var compositeName: String? {
        willSet { willModify("compositeName") }
    }

    override func makeEmptyCopy() -> NSPropertyDescription { NSCompositeAttributeDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSCompositeAttributeDescription else { return }
        copy.elements = elements.compactMap { $0.copy() as? NSAttributeDescription }
        copy.compositeName = compositeName
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSCompositeAttributeDescription else { return false }
        return super.hasEqualState(to: other) && elements == other.elements
    }

    override func resolveReferences() {
        for element in elements { element.freeze() }
    }
}
