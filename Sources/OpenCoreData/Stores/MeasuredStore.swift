// SPDX-License-Identifier: Apache-2.0

/// A store with connections, whose use can be measured.
package protocol MeasuredStore: NSPersistentStore {
    /// The connections now; nil while the store is closed.
    var connectionUsage: ConnectionUsage? { get }
    /// The statements since ``beginMeasuring()``, and the waits.
    var statistics: ConnectionStatistics { get }
    /// Counts the statements of connections from now on. Call it before other threads use the store.
    func beginMeasuring()
}
