// SPDX-License-Identifier: Apache-2.0

/// The properties of an entity that snapshots have: the values that a client may see, or may write.
///
/// **Extension.** The properties are chosen by key paths. A snapshot has the value of an attribute. It has the IDs of
/// the objects of a relationship (`assignee`), or for each object its ID and the chosen properties (`assignee.name`,
/// `tags.name`).
///
/// ```swift
/// let shown = try SnapshotProperties(
///     ["title", "isDone", "dueDate", "assignee.name", "tags"], of: task.entity, versionKey: "version")
/// let written = try SnapshotProperties(
///     ["title", "isDone", "dueDate", "assignee"], of: task.entity, versionKey: "version")
/// ```
///
/// IDs are the URIs of object IDs, under the key `objectID`. If `identifiers` names a unique attribute of the entity,
/// the value of this attribute, under its key, is the ID instead.
///
/// Choose the properties once: the value may be used on any thread. Call its functions on the queue of the object's
/// context.
public struct SnapshotProperties: Sendable {
    let shape: SnapshotShape
    let versionKey: String?
    let memberLimit: Int

    /// Chooses properties of an entity.
    ///
    /// - Parameters:
    ///   - keyPaths: the key paths of the properties, from the entity.
    ///   - entity: the entity, in a model of which a coordinator was made.
    ///   - identifiers: the names of the unique attributes that serve as IDs, by the names of entities. They hold for
    ///     subentities, too.
    ///   - versionKey: the key under which a snapshot has the version of the object's row, which each save raises; nil
    ///     for none. A snapshot with another version than the object is refused.
    ///   - memberLimit: how many objects of a to-many relationship a snapshot may write.
    /// - Throws: `NSCoreDataError` (134060) for a property that the entity doesn't have, for an attribute whose type
    ///   JSON can't express (transformable and undefined ones), and for a key of the version that has another meaning.
    public init(
        _ keyPaths: [String], of entity: NSEntityDescription, identifiers: [String: String] = [:],
        versionKey: String? = nil, memberLimit: Int = 1000
    ) throws {
        shape = try SnapshotShape(keyPaths, of: entity, identifiers: identifiers)
        if let versionKey, shape.hasKey(versionKey) {
            throw SnapshotShape.error(
                "The key of the version, \u{2018}\(versionKey)\u{2019}, is the key of a chosen property or of the ID.")
        }
        self.versionKey = versionKey
        self.memberLimit = memberLimit
    }

    /// The key paths of the relationships, for `relationshipKeyPathsForPrefetching` of a fetch whose objects become
    /// snapshots. With prefetching, the number of statements doesn't grow with the number of objects.
    public var relationshipKeyPaths: [String] { shape.relationshipKeyPaths }

    /// The values of an object.
    ///
    /// Unordered relationships have the order in which their objects were saved. Numbers that JSON doesn't have (not a
    /// number, infinity) are null.
    ///
    /// - Parameter object: a saved object of the entity, or of a subentity.
    /// - Returns: the values, and the ID.
    /// - Throws: `NSCoreDataError` (134060) for an object of another entity, and for an object with a temporary ID if
    ///   URIs are the IDs of its entity; the error of the store if the object, a related object or a relationship can't
    ///   be read.
    public func snapshot(of object: NSManagedObject) throws -> ManagedObjectSnapshot {
        // An object without a context reads nothing.
        guard let context = object.managedObjectContext else { return try values(of: object) }
        return try context.throwingReadFailures { try values(of: object) }
    }

    private func values(of object: NSManagedObject) throws -> ManagedObjectSnapshot {
        var values = try SnapshotReader.values(of: object, shape)
        if let versionKey { values[versionKey] = object.rowVersion.map { .integer(Int64($0)) } ?? .null }
        return ManagedObjectSnapshot(values)
    }

    /// Writes the values of a snapshot into an object. Properties whose keys the snapshot lacks keep their values.
    /// Nothing is saved.
    ///
    /// The function checks the whole snapshot before it sets the first value, and the error has all problems: keys that
    /// weren't chosen, values of wrong types, broken rules of the model and of the class (`validateValue(_:forKey:)`),
    /// and IDs of objects that don't exist, that belong to other entities or stores, or that the caller refuses.
    ///
    /// Where the chosen properties go beyond a relationship, the snapshot may have a nested object in place of an ID. A
    /// nested object with the ID of a related object changes that object. Without an ID it changes the present related
    /// object of a to-one relationship. If there is none, or for a to-many relationship, it becomes a new object,
    /// unless the destination entity is abstract. A to-many relationship gets exactly the objects of the array.
    ///
    /// The snapshot may contain the ID and the version of the object. They must agree with the object's.
    ///
    /// - Parameters:
    ///   - snapshot: the values, from a client.
    ///   - object: an object of the entity, or of a subentity.
    ///   - mayRefer: whether the snapshot may name a related object, or write into it. By default all objects are
    ///     allowed.
    /// - Throws: ``SnapshotError``, and what `mayRefer` throws: the object is then as before, and new objects are
    ///   deleted. If an object or a relationship can't be read, the error of the store: some values may be set then, so
    ///   roll the context back.
    public func apply(
        _ snapshot: ManagedObjectSnapshot, to object: NSManagedObject,
        mayRefer: (NSManagedObject) throws -> Bool = { _ in true }
    ) throws {
        try withoutActuallyEscaping(mayRefer) { mayRefer in
            try SnapshotWriter.write(snapshot, into: object, self, isNew: false, mayRefer: mayRefer)
        }
    }

    /// Inserts an object with the values of a snapshot. Nothing is saved.
    ///
    /// - Parameters:
    ///   - snapshot: the values, from a client.
    ///   - context: the context of the new object.
    ///   - mayRefer: as for ``apply(_:to:mayRefer:)``.
    /// - Returns: the new object. Missing values are found at the save: see ``SnapshotError/init(validation:)``.
    /// - Throws: what ``apply(_:to:mayRefer:)`` throws. No object is inserted then.
    public func insert(
        _ snapshot: ManagedObjectSnapshot, into context: NSManagedObjectContext,
        mayRefer: (NSManagedObject) throws -> Bool = { _ in true }
    ) throws -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: shape.entity, into: context)
        do {
            try withoutActuallyEscaping(mayRefer) { mayRefer in
                try SnapshotWriter.write(snapshot, into: object, self, isNew: true, mayRefer: mayRefer)
            }
        } catch {
            context.delete(object)
            context.processPendingChanges()
            throw error
        }
        return object
    }
}

extension NSManagedObject {
    /// The version of the row from which the object's values come. It is 1 after the first save, and each further save,
    /// by any process, adds 1. Nil for an object that isn't saved.
    ///
    /// **Extension.** A server sends the version as an entity tag, and compares it with the tag in an `If-Match`
    /// header. The save compares it with the version in the store once more. A fault fires. Call it on the context's
    /// queue.
    public final var savedVersion: Int? { rowVersion }
}
