// SPDX-License-Identifier: Apache-2.0

/// **Extension.** Changes of to-many relationships through `ManagedRelationship`; the inverse is maintained.
///
/// Each function stops the program if the property is no to-many relationship, if an index is given and the
/// relationship is not ordered, for an index out of bounds, and for an object of another entity or context. Used on the
/// context's queue.
extension NSManagedObject {
    // MARK: One object, or several

    /// Adds an object to a to-many relationship, last if it is ordered.
    public final func add(_ object: NSManagedObject, to relationship: ManagedRelationship) {
        addMember(object, toMany(relationship))
    }

    /// Adds all objects of a set to a to-many relationship.
    public final func add(_ objects: NSSet, to relationship: ManagedRelationship) {
        add(objects.allObjects, toMany(relationship))
    }

    /// Adds all objects of an ordered set to a to-many relationship, in their order.
    public final func add(_ objects: NSOrderedSet, to relationship: ManagedRelationship) {
        add(objects.array, toMany(relationship))
    }

    /// Adds all objects of an array to a to-many relationship, in their order.
    public final func add(_ objects: NSArray, to relationship: ManagedRelationship) {
        add(objects.map { $0 }, toMany(relationship))
    }

    /// Adds all objects of a sequence to a to-many relationship, in their order.
    public final func add(_ objects: some Sequence<NSManagedObject>, to relationship: ManagedRelationship) {
        let slot = toMany(relationship)
        for object in objects { addMember(object, slot) }
    }

    /// Adds all objects of a set to a to-many relationship.
    public final func add<Object: NSManagedObject>(_ objects: Set<Object>, to relationship: ManagedRelationship) {
        add(Array(objects), toMany(relationship))
    }

    /// Adds all objects of an array to a to-many relationship, in their order.
    public final func add<Object: NSManagedObject>(_ objects: [Object], to relationship: ManagedRelationship) {
        add(objects, toMany(relationship))
    }

    /// Removes an object from a to-many relationship.
    public final func remove(_ object: NSManagedObject, from relationship: ManagedRelationship) {
        removeMember(object, toMany(relationship))
    }

    /// Removes all objects of a set from a to-many relationship.
    public final func remove(_ objects: NSSet, from relationship: ManagedRelationship) {
        remove(objects.allObjects, toMany(relationship))
    }

    /// Removes all objects of an ordered set from a to-many relationship.
    public final func remove(_ objects: NSOrderedSet, from relationship: ManagedRelationship) {
        remove(objects.array, toMany(relationship))
    }

    /// Removes all objects of an array from a to-many relationship.
    public final func remove(_ objects: NSArray, from relationship: ManagedRelationship) {
        remove(objects.map { $0 }, toMany(relationship))
    }

    /// Removes all objects of a set from a to-many relationship.
    public final func remove<Object: NSManagedObject>(_ objects: Set<Object>, from relationship: ManagedRelationship) {
        remove(Array(objects), toMany(relationship))
    }

    /// Removes all objects of an array from a to-many relationship.
    public final func remove<Object: NSManagedObject>(_ objects: [Object], from relationship: ManagedRelationship) {
        remove(objects, toMany(relationship))
    }

    // MARK: At an index

    /// Inserts an object into an ordered relationship.
    public final func insert(_ object: NSManagedObject, into relationship: ManagedRelationship, at index: Int) {
        let (slot, content) = ordered(relationship)
        guard index >= 0 && index <= content.count else { beyond(index, slot, content) }
        content.insert(object, at: index)
    }

    /// Inserts objects into an ordered relationship.
    ///
    /// - Parameters:
    ///   - objects: the objects, as many as indexes.
    ///   - relationship: an ordered to-many relationship.
    ///   - indexes: the indexes of the objects after the insertion of all of them.
    public final func insert<Object: NSManagedObject>(
        _ objects: [Object], into relationship: ManagedRelationship, at indexes: IndexSet
    ) {
        let (slot, content) = ordered(relationship)
        guard objects.count == indexes.count else { mismatch(objects.count, indexes.count, slot) }
        if let last = indexes.last, last >= content.count + objects.count { beyond(last, slot, content) }
        content.insert(objects, at: indexes)
    }

    /// Inserts objects into an ordered relationship.
    ///
    /// - Parameters:
    ///   - objects: the objects, as many as indexes.
    ///   - relationship: an ordered to-many relationship.
    ///   - indexes: the indexes of the objects after the insertion of all of them.
    public final func insert<Object: NSManagedObject>(
        _ objects: [Object], into relationship: ManagedRelationship, at indexes: NSIndexSet
    ) {
        insert(objects, into: relationship, at: indexes as IndexSet)
    }

    /// Removes the object at an index of an ordered relationship.
    public final func remove(at index: Int, from relationship: ManagedRelationship) {
        let (slot, content) = ordered(relationship)
        guard index >= 0 && index < content.count else { beyond(index, slot, content) }
        content.removeObject(at: index)
    }

    /// Removes the objects at some indexes of an ordered relationship.
    public final func remove(at indexes: IndexSet, from relationship: ManagedRelationship) {
        let (slot, content) = ordered(relationship)
        if let last = indexes.last, last >= content.count { beyond(last, slot, content) }
        content.removeObjects(at: indexes)
    }

    /// Removes the objects at some indexes of an ordered relationship.
    public final func remove(at indexes: NSIndexSet, from relationship: ManagedRelationship) {
        remove(at: indexes as IndexSet, from: relationship)
    }

    /// Replaces the object at an index of an ordered relationship.
    public final func replace(at index: Int, in relationship: ManagedRelationship, with object: NSManagedObject) {
        let (slot, content) = ordered(relationship)
        guard index >= 0 && index < content.count else { beyond(index, slot, content) }
        content.replaceObject(at: index, with: object)
    }

    /// Replaces the objects at some indexes of an ordered relationship.
    public final func replace<Object: NSManagedObject>(
        at indexes: IndexSet, in relationship: ManagedRelationship, with objects: [Object]
    ) {
        let (slot, content) = ordered(relationship)
        guard objects.count == indexes.count else { mismatch(objects.count, indexes.count, slot) }
        if let last = indexes.last, last >= content.count { beyond(last, slot, content) }
        content.replaceObjects(at: indexes, with: objects)
    }

    /// Replaces the objects at some indexes of an ordered relationship.
    public final func replace<Object: NSManagedObject>(
        at indexes: NSIndexSet, in relationship: ManagedRelationship, with objects: [Object]
    ) {
        replace(at: indexes as IndexSet, in: relationship, with: objects)
    }

    // MARK: Checks

    private final func toMany(_ relationship: ManagedRelationship) -> PropertySlot {
        let slot = relationship.property.slot(of: self)
        guard slot.kind == .toMany else {
            programmingError(
                "'\(slot.name)' of entity '\(layout.name)' is no to-many relationship.",
                remedy: "Set the property itself.")
        }
        return slot
    }

    private final func ordered(_ relationship: ManagedRelationship) -> (PropertySlot, NSMutableOrderedSet) {
        let slot = toMany(relationship)
        guard slot.isOrdered else {
            programmingError(
                "'\(slot.name)' of entity '\(layout.name)' is not ordered, so its objects have no index.",
                remedy: "Make the relationship ordered, or add and remove objects without an index.")
        }
        return (slot, RelationshipMutableOrderedSet.of(self, slot))
    }

    private final func add(_ objects: [Any], _ slot: PropertySlot) {
        for object in objects { addMember(member(object, slot), slot) }
    }

    private final func remove(_ objects: [Any], _ slot: PropertySlot) {
        for object in objects { removeMember(member(object, slot), slot) }
    }

    private final func member(_ object: Any, _ slot: PropertySlot) -> NSManagedObject {
        if let object = object as? NSManagedObject { return object }
        programmingError(
            "Relationship '\(slot.name)' of entity '\(layout.name)' contains managed objects, not \(type(of: object)).",
            remedy: "Give NSManagedObjects of its destination entity.")
    }

    private final func beyond(_ index: Int, _ slot: PropertySlot, _ content: NSMutableOrderedSet) -> Never {
        programmingError(
            """
            The index \(index) is out of bounds: '\(slot.name)' of entity '\(layout.name)' has \
            \(Wording.count(content.count, "object")).
            """,
            remedy: "Give an index within bounds.")
    }

    private final func mismatch(_ objects: Int, _ indexes: Int, _ slot: PropertySlot) -> Never {
        programmingError(
            """
            '\(slot.name)' of entity '\(layout.name)' got \(Wording.count(objects, "object")) and \
            \(Wording.count(indexes, "index")).
            """,
            remedy: "Give an index for each object.")
    }
}
