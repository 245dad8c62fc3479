// SPDX-License-Identifier: Apache-2.0

/// **Extension.** Typed access to relationships through `ManagedProperty`.
///
/// Setting maintains the inverse. Stops the program if the property's type doesn't match the relationship. Used on the
/// context's queue.
extension NSManagedObject {
    // MARK: To-one

    @inline(__always)
    private final func destination<Object: NSManagedObject, Declared>(
        _ property: ManagedProperty<Declared>, as type: Object.Type
    ) -> Object? {
        let slot = property.slot(of: self)
        guard slot.kind == .toOne else { return recordedDestination(property, slot) }
        guard let object = destination(slot) else { return nil }
        return object as? Object ?? uncheckedValue(object, property, slot)
    }

    private final func setDestination<Declared>(_ object: NSManagedObject?, _ property: ManagedProperty<Declared>) {
        let slot = property.slot(of: self)
        guard slot.kind == .toOne else { return discardValue(of: property, slot) }
        setDestination(object, slot)
    }

    /// The destination of a to-one relationship.
    public final subscript<Object: NSManagedObject>(property: ManagedProperty<Object?>) -> Object? {
        get { destination(property, as: Object.self) }
        set { setDestination(newValue, property) }
    }

    /// The destination of a required to-one relationship; stops the program if it is nil.
    public final subscript<Object: NSManagedObject>(property: ManagedProperty<Object>) -> Object {
        get { destination(property, as: Object.self) ?? required(property) }
        set { setDestination(newValue, property) }
    }

    // MARK: To-many

    @inline(__always)
    private final func content<Declared>(_ property: ManagedProperty<Declared>, isOrdered: Bool) -> ToManyContent {
        let slot = property.slot(of: self)
        guard slot.kind == .toMany, slot.isOrdered == isOrdered else {
            return recordedContent(property, slot, isOrdered: isOrdered)
        }
        return toManyContent(slot, loading: true)
    }

    private final func setContent<Declared>(_ objects: Any?, _ property: ManagedProperty<Declared>, isOrdered: Bool) {
        let slot = property.slot(of: self)
        guard slot.kind == .toMany, slot.isOrdered == isOrdered else { return discardValue(of: property, slot) }
        setPropertyValue(objects, at: slot.index)
    }

    private final func mutableSet<Declared>(_ property: ManagedProperty<Declared>) -> NSMutableSet {
        _ = content(property, isOrdered: false)
        return RelationshipMutableSet(owner: self, slot: toManySlot(property, isOrdered: false))
    }

    private final func mutableOrderedSet<Declared>(_ property: ManagedProperty<Declared>) -> NSMutableOrderedSet {
        _ = content(property, isOrdered: true)
        return RelationshipMutableOrderedSet.of(self, toManySlot(property, isOrdered: true))
    }

    /// The objects of a to-many relationship; setting nil removes all.
    public final subscript(property: ManagedProperty<NSSet?>) -> NSSet? {
        get { content(property, isOrdered: false).set }
        set { setContent(newValue, property, isOrdered: false) }
    }

    /// The objects of a to-many relationship.
    public final subscript(property: ManagedProperty<NSSet>) -> NSSet {
        get { content(property, isOrdered: false).set }
        set { setContent(newValue, property, isOrdered: false) }
    }

    /// The objects of a to-many relationship; changes of the set are changes of the relationship.
    public final subscript(property: ManagedProperty<NSMutableSet?>) -> NSMutableSet? {
        get { mutableSet(property) }
        set { setContent(newValue, property, isOrdered: false) }
    }

    /// The objects of a to-many relationship; changes of the set are changes of the relationship.
    public final subscript(property: ManagedProperty<NSMutableSet>) -> NSMutableSet {
        get { mutableSet(property) }
        set { setContent(newValue, property, isOrdered: false) }
    }

    /// The objects of an ordered relationship; setting nil removes all.
    public final subscript(property: ManagedProperty<NSOrderedSet?>) -> NSOrderedSet? {
        get { content(property, isOrdered: true).orderedSet }
        set { setContent(newValue, property, isOrdered: true) }
    }

    /// The objects of an ordered relationship.
    public final subscript(property: ManagedProperty<NSOrderedSet>) -> NSOrderedSet {
        get { content(property, isOrdered: true).orderedSet }
        set { setContent(newValue, property, isOrdered: true) }
    }

    /// The objects of an ordered relationship; changes of the set are changes of the relationship.
    public final subscript(property: ManagedProperty<NSMutableOrderedSet?>) -> NSMutableOrderedSet? {
        get { mutableOrderedSet(property) }
        set { setContent(newValue, property, isOrdered: true) }
    }

    /// The objects of an ordered relationship; changes of the set are changes of the relationship.
    public final subscript(property: ManagedProperty<NSMutableOrderedSet>) -> NSMutableOrderedSet {
        get { mutableOrderedSet(property) }
        set { setContent(newValue, property, isOrdered: true) }
    }

    @inline(__always)
    private final func members<Object: NSManagedObject, Declared>(
        _ property: ManagedProperty<Declared>, as type: Object.Type
    ) -> Set<Object> {
        let content = content(property, isOrdered: false)
        guard let members = content.members(as: Object.self) else {
            typeMismatch(property, property.slot(of: self), value: content.set)
        }
        return members
    }

    /// The objects of a to-many relationship; setting nil removes all.
    public final subscript<Object: NSManagedObject>(property: ManagedProperty<Set<Object>?>) -> Set<Object>? {
        get { members(property, as: Object.self) }
        set { setContent(newValue.map { $0 as Set<NSManagedObject> }, property, isOrdered: false) }
    }

    /// The objects of a to-many relationship.
    public final subscript<Object: NSManagedObject>(property: ManagedProperty<Set<Object>>) -> Set<Object> {
        get { members(property, as: Object.self) }
        set { setContent(newValue as Set<NSManagedObject>, property, isOrdered: false) }
    }

    // MARK: Objects that record keys

    private final func toManySlot<Declared>(_ property: ManagedProperty<Declared>, isOrdered: Bool) -> PropertySlot {
        if layout.isRecording { return layout.recordingSlot { $0.kind == .toMany && $0.isOrdered == isOrdered } }
        return property.slot(of: self)
    }

    @inline(never)
    private final func recordedDestination<Object: NSManagedObject, Declared>(
        _ property: ManagedProperty<Declared>, _ slot: PropertySlot
    ) -> Object? {
        guard layout.isRecording else { typeMismatch(property, slot) }
        return KeyRecording.destination(of: property.name, in: self, as: Object.self)
    }

    @inline(never)
    private final func recordedContent<Declared>(
        _ property: ManagedProperty<Declared>, _ slot: PropertySlot, isOrdered: Bool
    ) -> ToManyContent {
        guard layout.isRecording else { typeMismatch(property, slot) }
        return toManyContent(layout.recordingSlot { $0.kind == .toMany && $0.isOrdered == isOrdered }, loading: true)
    }

    /// Discards a value that an initializer sets on an object that records keys.
    @inline(never)
    private final func discardValue<Declared>(of property: ManagedProperty<Declared>, _ slot: PropertySlot) {
        guard layout.isRecording else { typeMismatch(property, slot) }
    }

    // MARK: Mistakes

    /// A value whose class differs from the accessor's class. Stops the program if the accessor's type is no class, or
    /// a class with stored properties that the value lacks.
    @inline(never)
    final func uncheckedValue<Value, Declared>(
        _ value: Any, _ property: ManagedProperty<Declared>, _ slot: PropertySlot
    ) -> Value {
        guard let unchecked = UncheckedObject.value(value, as: Value.self, of: slot, in: self) else {
            typeMismatch(property, slot, value: value)
        }
        return unchecked
    }

    /// Stops the program: the type of an accessor doesn't match the property, or its value.
    @inline(never)
    final func typeMismatch<Declared>(_ property: ManagedProperty<Declared>, _ slot: PropertySlot, value: Any? = nil)
        -> Never
    {
        if let refusal = TransformableCoding.refusal(of: value, slot: slot) {
            programmingError(
                """
                The value of \(layout.name).\(slot.name) can't be read as \(Declared.self), because it is the stored \
                data: \(refusal)
                """)
        }
        let kind =
            slot.isRelationship
            ? "\(slot.isOrdered ? "ordered " : "")\(slot.kind == .toOne ? "to-one" : "to-many") relationship"
            : "attribute of type \(slot.kind)"
        let given = value.map { ", and its value has the type \(type(of: $0))" } ?? ""
        programmingError(
            """
            The accessor of \(layout.name).\(property.name) has the type \(Declared.self), but the property is \
            \(Wording.withArticle(kind))\(given).
            """,
            remedy: "Give the accessor the property's type in the model.")
    }
}
