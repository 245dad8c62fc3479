// SPDX-License-Identifier: Apache-2.0

#if Server
    import Tracing

    extension NSManagedObjectContext {
        /// Runs a block on the context's queue, with the service context of the task, so that spans of the block have
        /// their parent. A queue has no task-local values.
        func performInServiceContext<Result: Sendable>(
            _ body: @escaping @Sendable () throws -> Result
        ) async throws -> Result {
            let context = ServiceContext.current
            return try await perform { try ServiceContext.withValue(context, operation: body) }
        }
    }
#else
    extension NSManagedObjectContext {
        func performInServiceContext<Result: Sendable>(
            _ body: @escaping @Sendable () throws -> Result
        ) async throws -> Result {
            try await perform { try body() }
        }
    }
#endif
