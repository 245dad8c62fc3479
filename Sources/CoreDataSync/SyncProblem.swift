// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// A change of the program that isn't on the server: the server refused it, or it came too late.
///
/// The store has the server's values. The engine keeps the program's until the program repeats or drops the change.
public struct SyncProblem: Identifiable, @unchecked Sendable {
    // Sendable: nothing changes.

    /// The operation of the program on the object.
    public enum Kind: String, Hashable, Sendable { case insertion, change, deletion }

    /// Identifies the problem.
    public let id: URL
    /// The operation of the program.
    public let kind: Kind
    /// The entity of the object in the model.
    public let entityName: String
    /// The object; nil if the store hasn't got it, as after a refused insertion. With SwiftData,
    /// `PersistentIdentifier(objectID:)` is the identifier of its model.
    public let objectID: NSManagedObjectID?
    /// The reason.
    public let reason: String
    let values: [String: Any]

    /// The names of the properties that the program had set.
    public var keys: [String] { values.keys.sorted() }

    /// The value that the program had given a property; nil for none, or for nil.
    ///
    /// - Parameter key: the name of the property.
    /// - Returns: the value of an attribute, the `NSManagedObjectID` of a to-one relationship's object, or the IDs of
    ///   the objects that were added to a to-many relationship. Objects that the store hasn't got are left out.
    public func value(forKey key: String) -> Any? {
        let value = values[key]
        return value is NSNull ? nil : value
    }
}

extension SyncProblem.Kind {
    /// The operation of a change in messages.
    init(_ kind: SyncObjectChange.Kind) {
        self =
            switch kind {
            case .insert: .insertion
            case .update: .change
            case .delete: .deletion
            }
    }
}
