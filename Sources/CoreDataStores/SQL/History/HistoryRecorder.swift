// SPDX-License-Identifier: Apache-2.0

/// Records the changes of one save, or of one batch request, in the history of a store: within the transaction that
/// makes the changes.
///
/// The first change begins a transaction of the history. A recorder serves one attempt: after a rollback the next one
/// gets a new recorder.
package protocol HistoryRecorder: AnyObject {
    /// Records rows that were inserted.
    func recordInsertions(_ plan: HistoryPlan, keys: ArraySlice<Int64>) throws
    /// Records a row that was updated.
    ///
    /// - Parameter columns: the bit vector of the changed properties.
    func recordUpdate(_ plan: HistoryPlan, key: Int64, columns: [UInt8]) throws
    /// Records rows whose same properties were updated. Keys without a row are ignored.
    func recordUpdates(_ plan: HistoryPlan, keys: some Sequence<Int64>, columns: [UInt8]) throws
    /// Records rows that are going to be deleted, with the values that are preserved. Keys without a row are ignored.
    func recordDeletions(_ plan: HistoryPlan, keys: some Sequence<Int64>) throws
    /// Ends the record, after all changes.
    ///
    /// - Returns: the number of the transaction; nil if nothing was recorded.
    func finish() throws -> Int64?
}
