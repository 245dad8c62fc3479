// SPDX-License-Identifier: Apache-2.0

/// A database that executes batch requests.
package protocol BatchDatabase: StoreDatabase {
    /// Executes a batch request in one transaction, or not at all.
    ///
    /// - Parameters:
    ///   - batch: the request.
    ///   - origin: who makes the changes, for the history of the store.
    ///   - beforeCommit: called after all writing, before the commit. An error undoes the transaction and is thrown.
    /// - Throws: the store's errors. Nothing is written then.
    func execute(_ batch: StoreBatch, origin: ChangeOrigin, beforeCommit: () throws -> Void) throws -> BatchRowLog
}
