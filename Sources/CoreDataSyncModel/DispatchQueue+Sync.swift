// SPDX-License-Identifier: Apache-2.0

import CoreData

extension DispatchQueue {
    /// Runs work that blocks, and waits for it without a thread.
    package func run<Result: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
            async { continuation.resume(returning: Swift.Result(catching: work)) }
        }
        return try result.get()
    }
}
