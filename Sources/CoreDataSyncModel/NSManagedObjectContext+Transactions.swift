// SPDX-License-Identifier: Apache-2.0

import CoreData

extension NSManagedObjectContext {
    /// The transactions in the history of the stores after a token.
    ///
    /// - Parameters:
    ///   - predicate: selects transactions; nil for all.
    ///   - stores: the stores; nil for all of the coordinator.
    /// - Returns: nil if transactions after the token were deleted.
    package func transactions(
        after token: NSPersistentHistoryToken?,
        _ resultType: NSPersistentHistoryResultType = .transactionsAndChanges, where predicate: NSPredicate? = nil,
        in stores: [NSPersistentStore]? = nil
    ) throws -> [NSPersistentHistoryTransaction]? {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = resultType
        request.affectedStores = stores
        if let predicate {
            request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
            request.fetchRequest?.predicate = predicate
        }
        do {
            let result = try execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        } catch let error as CocoaError where error.errorCode == NSPersistentHistoryTokenExpiredError {
            return nil
        }
    }
}
