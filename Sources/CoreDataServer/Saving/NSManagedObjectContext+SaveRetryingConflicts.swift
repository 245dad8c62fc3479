// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// Runs a block that changes objects, and saves. If another context or process has changed the same objects before
    /// the save, the block runs again with their newest values.
    ///
    /// **Extension.** The context needs `NSErrorMergePolicy`, the default merge policy, which reports conflicts.
    /// Another policy resolves them, and the block doesn't run again.
    ///
    /// ```swift
    /// let left = try await context.saveRetryingConflicts { context in
    ///     guard let item = try context.existingObject(with: id) as? Item else { throw ShopError.gone }
    ///     guard item.stock > 0 else { throw ShopError.soldOut }
    ///     item.stock -= 1
    ///     return item.stock
    /// }
    /// ```
    ///
    /// A save that meets `NSManagedObjectMergeError` (133020), `NSManagedObjectConstraintMergeError` (133021), or a
    /// serialization failure, a deadlock or a lock that a server doesn't give (134090 with SQLSTATE 40001, 40P01 or
    /// 55P03) is rolled back. The context refaults the objects in conflict, so that the next run reads their rows
    /// again; after an error without conflicts it refaults all objects. A context that is pinned to a query generation
    /// moves to the newest one. Then the task sleeps for a random time: up to 10 milliseconds after the first attempt,
    /// up to twice as long after each further attempt, at most a second.
    ///
    /// The block may run several times: it must read all values from its objects, and must have no other effect than
    /// its changes. Any other error that it throws is thrown at once, after a rollback. The function may be called on
    /// any task; the block runs on the context's queue. A cancelled task makes no further attempt.
    ///
    /// - Parameters:
    ///   - attempts: how many times the block runs at most.
    ///   - body: makes the changes. It gets the context, and needn't save.
    /// - Returns: the result of the last run of the block.
    /// - Throws: the error of the last save; the error of the block; `CancellationError`; and `NSCoreDataError`
    ///   (134060) for a context that has unsaved changes before the first run, since a rollback would discard them.
    public func saveRetryingConflicts<Result: Sendable>(
        attempts: Int = 5, _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await performInServiceContext { try self.requireNoChanges() }
        var attempt = 1
        while true {
            try Task.checkCancellation()
            let mayFail = attempt < attempts
            switch try await performInServiceContext({ try self.attempt(body, mayFail: mayFail) }) {
            case .saved(let result): return result
            case .conflict:
                persistentStoreCoordinator?.activity.currentObserver?.willRetry(attempt: attempt)
                try await Task.sleep(for: RetryDelay.random(after: attempt))
                attempt += 1
            }
        }
    }

    private enum Attempt<Result: Sendable>: Sendable {
        case saved(Result)
        case conflict
    }

    private func requireNoChanges() throws {
        guard hasChanges else { return }
        throw CoreDataErrors.error(
            NSCoreDataError, "saveRetryingConflicts can\u{2019}t begin.",
            reason: "The context\(name.map { " '\($0)'" } ?? "") has unsaved changes, which a rollback would discard.",
            suggestion: "Save or roll back before, or use another context.")
    }

    /// Runs the block and saves.
    ///
    /// - Parameter mayFail: whether a conflict leads to another attempt; otherwise it is thrown.
    private func attempt<Result: Sendable>(
        _ body: (NSManagedObjectContext) throws -> Result, mayFail: Bool
    ) throws -> Attempt<Result> {
        do {
            let result = try body(self)
            try save()
            return .saved(result)
        } catch {
            rollback()
            guard let conflict = RetryableConflict(error) else { throw error }
            try refresh(after: conflict)
            guard mayFail else { throw error }
            return .conflict
        }
    }

    private func refresh(after conflict: RetryableConflict) throws {
        if parent == nil, queryGenerationToken != nil { try setQueryGenerationFrom(.current) }
        guard !conflict.objects.isEmpty else { return refreshAllObjects() }
        for object in conflict.objects where object.managedObjectContext === self {
            refresh(object, mergeChanges: false)
        }
    }
}

/// How long a task waits between two attempts.
enum RetryDelay {
    private static let first = 0.01
    private static let greatest = 1.0

    static func random(after attempt: Int) -> Duration {
        .seconds(Double.random(in: 0...min(greatest, first * pow(2, Double(attempt - 1)))))
    }
}
