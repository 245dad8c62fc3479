// SPDX-License-Identifier: Apache-2.0

/// A request that a context can execute by `execute(_:)`.
protocol ContextRequest: NSPersistentStoreRequest {
    /// Executes the request, or starts its execution. Called on the context's queue.
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSManagedObjectContext {
    /// Executes a request that a context can execute.
    final func executeRequest(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        if let request = request as? any ContextRequest { return try request.execute(in: self) }
        throw CoreDataErrors.error(
            NSPersistentStoreUnsupportedRequestTypeError, "The request can't be executed.",
            reason: "A context can't execute a request of class \(type(of: request)).",
            suggestion: """
                Save changes by save(); fetch by an NSFetchRequest or NSAsynchronousFetchRequest, and the history by \
                an NSPersistentHistoryChangeRequest.
                """)
    }
}

/// The complete result of a fetch, whatever its type.
protocol FetchResultOfAnyType {
    var results: [Any] { get }
}

extension NSAsynchronousFetchResult: FetchResultOfAnyType {
    var results: [Any] { finalResult ?? [] }
}

extension NSFetchRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let result = NSAsynchronousFetchResult(
            fetchRequest: NSAsynchronousFetchRequest(fetchRequest: self), managedObjectContext: context)
        result.finalResult = try context.fetch(self)
        return result
    }

    /// Executes the request in the context whose block runs: inside `perform(_:)` or `performAndWait(_:)`.
    ///
    /// Stops the program outside of such a block.
    ///
    /// ```swift
    /// try context.performAndWait {
    ///     let request = NSFetchRequest<Song>(entityName: "Song")
    ///     print(try request.execute().count)
    /// }
    /// ```
    ///
    /// - Returns: what `NSManagedObjectContext.fetch(_:)` returns.
    /// - Throws: what `NSManagedObjectContext.fetch(_:)` throws.
    public final func execute() throws -> [ResultType] {
        guard let context = QueueOwnership.currentContext else {
            programmingError(
                "NSFetchRequest.execute() was called outside of a context's block (entity '\(entityName ?? "")').",
                remedy: "Call it inside perform(_:) or performAndWait(_:) of a context, or use the context's fetch(_:)."
            )
        }
        return try context.fetch(self)
    }
}

extension NSAsynchronousFetchRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        if context.queue.type == .confinementConcurrencyType {
            programmingError(
                "A context without a queue can't execute an NSAsynchronousFetchRequest.",
                remedy: "Make the context with privateQueueConcurrencyType or mainQueueConcurrencyType.")
        }
        let result = NSAsynchronousFetchResult(fetchRequest: self, managedObjectContext: context)
        try AsynchronousFetch(result, context: context).start()
        return result
    }
}
