// SPDX-License-Identifier: Apache-2.0

/// An attribute whose value the store computes from other values when an object is saved.
///
/// ```swift
/// let songCount = NSDerivedAttributeDescription()
/// songCount.name = "songCount"
/// songCount.type = .integer64
/// songCount.derivationExpression = NSExpression(format: "count:(songs)")
///
/// let artist = NSEntityDescription()
/// artist.name = "Artist"
/// artist.properties = [songCount]
/// ```
///
/// The derivation is one of:
///
/// - a key path over to-one relationships: `artist.name`
/// - a text function of a key path: `lowercase:(name)`, `canonical:(name)`
/// - an aggregate over a to-many relationship: `count:(songs)`, `sum:(songs.duration)`
/// - the time of the save: `now()`
///
/// The store computes the value during each save. The column can be used in predicates, sort descriptors and indexes
/// like the column of another attribute. The value of an object changes when a save succeeds, not when the values that
/// it depends on change, and it can't be set.
///
/// A save throws `NSCoreDataError` (134060) for a derivation that the store can't compute, for example one with an
/// unknown key.
nonisolated open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// Creates a derived attribute without a derivation.
    public override init() { super.init() }

    /// The expression from which the value is computed: a key path, a function of a key path, an aggregate over a
    /// relationship, or `now()`.
    ///
    /// ```swift
    /// let songCount = NSDerivedAttributeDescription()
    /// songCount.name = "songCount"
    /// songCount.attributeType = .integer64AttributeType
    /// songCount.derivationExpression = NSExpression(format: "songs.@count")
    /// ```
    open var derivationExpression: NSExpression? {
        willSet { willModify("derivationExpression") }
    }

    /// A predicate that model files can contain beside the derivation. It has no effect, and is written back.
    package var filteringPredicate: NSPredicate? {
        willSet { willModify("filteringPredicate") }
    }

    override var isReadOnly: Bool { true }

    override func makeEmptyCopy() -> NSPropertyDescription { NSDerivedAttributeDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSDerivedAttributeDescription else { return }
        copy.derivationExpression = derivationExpression
        copy.filteringPredicate = filteringPredicate
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSDerivedAttributeDescription else { return false }
        return super.hasEqualState(to: other)
            && expressionsAreEqual(derivationExpression, other.derivationExpression)
            && predicatesAreEqual(filteringPredicate, other.filteringPredicate)
    }
}
