// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    /// The version of the row that the object's values come from, which each save of the row raises; nil for an object
    /// that isn't saved. A fault fires. Call it on the context's queue.
    package final var rowVersion: Int? {
        fireFaultIfNeeded()
        return row.map { Int($0.version) }
    }
}
