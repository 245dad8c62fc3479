// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension PersistentIdentifier {
    /// **Extension.** The identifier of the model of a managed object, for what a part of the library tells of objects
    /// by their IDs, as a problem of sync does:
    ///
    /// ```swift
    /// for problem in try await engine.problems() {
    ///     guard let id = problem.objectID.map(PersistentIdentifier.init(objectID:)) else { continue }
    ///     print(context.model(for: id), problem.reason)
    /// }
    /// ```
    ///
    /// May be called on any thread.
    ///
    /// - Parameter objectID: the ID of an object in a store of a container.
    public init(objectID: NSManagedObjectID) { self.init(objectID) }
}
