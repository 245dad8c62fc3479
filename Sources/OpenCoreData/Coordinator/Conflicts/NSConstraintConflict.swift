// SPDX-License-Identifier: Apache-2.0

/// Objects that violate a uniqueness constraint of the model.
///
/// If an object of the store has the values already, it is ``databaseObject``, and ``conflictingObjects`` contains one
/// object or more. If only objects of the context have the values, ``databaseObject`` is nil. Used on the queue of the
/// objects' context.
nonisolated open class NSConstraintConflict: NSObject {
    /// The names of the properties whose values must be unique together.
    open private(set) var constraint: [String]
    /// The conflicting values by property. The values of to-one relationships are of the class `NSManagedObjectID`.
    open var constraintValues: [String: Any] { values }
    /// The object that has the values in the store, as an object of the context; nil for a conflict among objects of
    /// the context.
    open private(set) var databaseObject: NSManagedObject?
    /// The values of the object in the store.
    open var databaseSnapshot: [String: Any]? { storedValues }
    /// The context's objects that have the values.
    open private(set) var conflictingObjects: [NSManagedObject]
    /// The values that the conflicting objects had before their unsaved changes; empty for new objects.
    open var conflictingSnapshots: [[AnyHashable: Any]] { formerValues }

    // These values are made when they are first read: the framework's own policies don't read them.
    private lazy var values: [String: Any] = storedRow.map { Self.values(of: $0, constraint) } ?? [:]
    private lazy var storedValues: [String: Any]? = storedRow.map { Self.values(of: $0) }
    private lazy var formerValues: [[AnyHashable: Any]] = formerRows.map { $0.map { Self.values(of: $0) } ?? [:] }
    /// The row of the store, for a conflict that the store has found.
    private let storedRow: StoredRow?
    /// The committed rows of the conflicting objects, nil for new objects.
    private let formerRows: [StoredRow?]

    private struct StoredRow {
        let row: RetainedRow
        let store: StoreIdentity
    }

    private static func values(of stored: StoredRow, _ keys: [String]? = nil) -> [String: Any] {
        let row = stored.row
        return withExtendedLifetime(row.buffer) {
            ConflictSnapshot.values(
                of: row.row, row.buffer.layouts[row.row.layoutNumber], store: stored.store, keys)
        }
    }

    /// Describes a conflict.
    ///
    /// - Parameters:
    ///   - contraint: the names of the properties.
    ///   - databaseObject: the object that has the values in the store.
    ///   - databaseSnapshot: its values there.
    ///   - conflictingObjects: the context's objects with the values, at least one.
    ///   - conflictingSnapshots: a dictionary for each, with its values before the unsaved changes.
    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?,
        conflicting conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        self.conflictingObjects = conflictingObjects
        storedRow = nil
        formerRows = []
        super.init()
        let stored = databaseSnapshot.map { values in
            Dictionary(
                values.compactMap { key, value in (key as? String).map { ($0, value) } },
                uniquingKeysWith: { first, _ in first })
        }
        storedValues = stored
        formerValues = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
        values =
            conflictingObjects.first.map { ConflictSnapshot.presentValues(of: $0, contraint) }
            ?? (stored ?? [:]).filter { contraint.contains($0.key) }
    }

    /// Makes a conflict without a constraint and without objects.
    public override convenience init() {
        self.init(
            constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    /// Describes a conflict that a store has found.
    ///
    /// - Parameter row: the row of the object in the store.
    init(
        constraint: [String], database databaseObject: NSManagedObject?, row: RetainedRow?,
        conflicting conflictingObjects: [NSManagedObject], store: StoreIdentity
    ) {
        self.constraint = constraint
        self.databaseObject = databaseObject
        self.conflictingObjects = conflictingObjects
        storedRow = row.map { StoredRow(row: $0, store: store) }
        formerRows = conflictingObjects.map { object in
            guard !object.flags.contains(.inserted), let row = object.row, let buffer = object.buffer else {
                return nil
            }
            return StoredRow(row: RetainedRow(buffer: buffer, row: row), store: store)
        }
        super.init()
        // Without a row of the store the values are the present values of the objects.
        if row == nil, let first = conflictingObjects.first {
            values = ConflictSnapshot.presentValues(of: first, constraint)
        }
    }

    open override var description: String {
        let values = constraint.map { "\($0) = \(constraintValues[$0] ?? "nil")" }.joined(separator: ", ")
        let objects = conflictingObjects.map { "\($0.layout.name) \($0.objectID.uriRepresentation().absoluteString)" }
            .joined(separator: ", ")
        return "NSConstraintConflict on (\(values)): \(objects)"
            + (databaseObject.map { " and, in the store, \($0.objectID.uriRepresentation().absoluteString)" } ?? "")
    }
}
