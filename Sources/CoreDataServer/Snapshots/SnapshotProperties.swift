// SPDX-License-Identifier: Apache-2.0

/// The properties of an entity that snapshots have: what a client may see, or what it may write.
///
/// **Extension.** The properties are chosen by key paths. An attribute has its value; a relationship has the IDs of the
/// related objects (`assignee`), or the chosen properties of each beside its ID (`assignee.name`, `tags.name`).
///
/// ```swift
/// let shown = try SnapshotProperties(
///     ["title", "isDone", "dueDate", "assignee.name", "tags"], of: task.entity, versionKey: "version")
/// let written = try SnapshotProperties(
///     ["title", "isDone", "dueDate", "assignee"], of: task.entity, versionKey: "version")
/// ```
///
/// IDs are the URIs of object IDs, under the key `objectID`. Where `identifiers` names a unique attribute of an entity,
/// the value of that attribute, under its own key, is the ID.
///
/// A choice is made once and used on any thread; its functions are called on the queue of the object's context.
public struct SnapshotProperties: Sendable {
    let shape: SnapshotShape
    let versionKey: String?
    let memberLimit: Int

    /// Chooses properties of an entity.
    ///
    /// - Parameters:
    ///   - keyPaths: the key paths of the properties, from the entity.
    ///   - entity: the entity, in a model of which a coordinator was made.
    ///   - identifiers: the names of the unique attributes by which objects are named, by the names of entities. They
    ///     hold for subentities, too.
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
                "The key of the version, \u{2018}\(versionKey)\u{2019}, is that of a chosen property or of the ID.")
        }
        self.versionKey = versionKey
        self.memberLimit = memberLimit
    }

    /// The key paths of the relationships, for `relationshipKeyPathsForPrefetching` of a fetch whose objects become
    /// snapshots: then their number doesn't raise that of the statements.
    public var relationshipKeyPaths: [String] { shape.relationshipKeyPaths }

    /// The values of an object.
    ///
    /// Unordered relationships have the order in which their objects were saved. Numbers that JSON doesn't have (not a
    /// number, infinity) are null.
    ///
    /// - Parameter object: a saved object of the entity, or of a subentity.
    /// - Returns: the values, and the ID.
    /// - Throws: `NSCoreDataError` (134060) for an object of another entity, and for one that has no permanent ID
    ///   though URIs name the objects of its entity; the error of the store if the object, a related one or a
    ///   relationship can't be read.
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

    /// Writes the values of a snapshot into an object: those of the keys that it has. Nothing is saved.
    ///
    /// All is checked before the first value is set, and all that is wrong is in the error: keys that weren't chosen,
    /// values of other types, rules of the model and of the class (`validateValue(_:forKey:)`), and IDs of objects that
    /// don't exist, are of other entities or stores, or that the caller refuses. Where the chosen properties go beyond
    /// a relationship, the snapshot may have an object in place of an ID: with the ID of a related object it writes
    /// into that one, without it into the present related object, and if there is none, or for a member of a to-many
    /// relationship, into a new one, unless the destination entity is abstract. A to-many relationship gets exactly the
    /// objects of the array.
    ///
    /// The ID and the version of the object may be in the snapshot; they must be the object's own.
    ///
    /// - Parameters:
    ///   - snapshot: the values, from a client.
    ///   - object: an object of the entity, or of a subentity.
    ///   - mayRefer: whether the snapshot may name a related object, or write into it. By default it may any.
    /// - Throws: ``SnapshotError``, and what `mayRefer` throws: the object is as before then, and new objects are
    ///   deleted. The error of the store if an object or a relationship can't be read: values may be set already, so
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
    /// The version of the row from which the object's values come: 1 after the first save, one more after each further
    /// one, by any process. Nil for an object that isn't saved.
    ///
    /// **Extension.** A server sends it as an entity tag, and compares it with that of an `If-Match` header. The save
    /// compares it with the store's once more. A fault fires. Call it on the context's queue.
    public final var savedVersion: Int? { rowVersion }
}
