// SPDX-License-Identifier: Apache-2.0

extension NSPersistentStoreCoordinator {
    /// Runs a block with exclusive access.
    final func runAlone<T>(_ block: () throws -> T) rethrows -> T {
        // A block on the queue may be waiting for this thread's access to end.
        if access.isEnteredHere { return try access.exclude(block) }
        return try queue.sync { try access.exclude(block) }
    }

    /// Runs a block on the coordinator's queue, and returns its result; see ``performAndWait(_:)``.
    ///
    /// - Parameter block: the work.
    /// - Returns: the result of the block.
    /// - Throws: the error of the block.
    @preconcurrency
    public final func performAndWait<T>(_ block: @Sendable () throws -> T) rethrows -> T { try runAlone(block) }

    #if compiler(>=6.2)
        /// Runs a block on the coordinator's queue, and returns its result; see ``perform(_:)-(()->Void)``.
        ///
        /// - Parameter block: the work.
        /// - Returns: the result of the block.
        /// - Throws: the error of the block.
        @preconcurrency
        public nonisolated(nonsending) final func perform<T>(
            _ block: @escaping @Sendable () throws -> T
        ) async rethrows -> T {
            try await performAsynchronously(block) { throw $0 }
        }

        private nonisolated(nonsending) final func performAsynchronously<T>(
            _ block: @escaping @Sendable () throws -> T, _ rethrowing: (any Error) throws -> T
        ) async rethrows -> T {
            let result = await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(
                        returning: UncheckedSendableBox(Result { try self.access.exclude(block) }))
                }
            }
            switch result.value {
            case .success(let value): return value
            case .failure(let error): return try rethrowing(error)
            }
        }
    #endif
}
