// SPDX-License-Identifier: Apache-2.0

#if Server
    import Tracing

    extension CoreDataService {
        /// Runs a block with a new background context, on its queue, once the stores are open.
        ///
        /// ```swift
        /// let names = try await database.perform { context in
        ///     try context.fetch(NSFetchRequest<Team>(entityName: "Team")).map(\.name)
        /// }
        /// ```
        ///
        /// Spans of the block's requests are children of the task's span. The objects of the context must not leave
        /// the block: their IDs and ``ManagedObjectSnapshot``s may.
        ///
        /// - Parameter body: the work.
        /// - Returns: the result of the block.
        /// - Throws: the error of the block; with stores on PostgreSQL servers `NSUserCancelledError` (3072) from the
        ///   requests of a cancelled task; ``CoreDataServiceError`` if the service refuses the block;
        ///   `CancellationError` if the task is cancelled before the block begins.
        public func perform<Result: Sendable>(
            _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Result
        ) async throws -> Result {
            try await withWork {
                let context = container.newBackgroundContext()
                return try await context.performInServiceContext { try body(context) }
            }
        }

        /// Runs a block that changes objects with a new background context, saves, and runs the block again after a
        /// conflict: see `NSManagedObjectContext.saveRetryingConflicts(attempts:_:)`.
        ///
        /// - Parameters:
        ///   - attempts: how many times the block runs at most.
        ///   - body: the changes.
        /// - Returns: the result of the last run of the block.
        /// - Throws: as that function and ``perform(_:)``.
        public func saveRetryingConflicts<Result: Sendable>(
            attempts: Int = 5, _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Result
        ) async throws -> Result {
            try await withWork {
                try await container.newBackgroundContext().saveRetryingConflicts(attempts: attempts, body)
            }
        }

        /// Runs work that a shutdown waits for, once the stores are open.
        ///
        /// Don't nest work: nested work counts twice, and with a ``Configuration/concurrencyLimit`` it could wait for
        /// itself.
        ///
        /// - Parameter body: the work. It may make contexts, for instance.
        /// - Returns: the result of the body.
        /// - Throws: as ``perform(_:)``.
        public func withWork<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
            try await gate.enter()
            defer { gate.leave() }
            return try await body()
        }
    }
#endif
