// SPDX-License-Identifier: Apache-2.0

/// Repeats transactions that were in conflict with another transaction, or have lost their connection before they could
/// be committed.
enum PostgreSQLRepetition {
    /// How often a transaction is tried.
    static let attemptLimit = 5

    /// Runs a block, and runs it again after an error that allows it.
    ///
    /// - Parameters:
    ///   - isRepeatable: whether the block can succeed when it is repeated. It may throw another error instead.
    ///   - body: the block, which gets the number of the attempt, from 1.
    /// - Throws: the error of the last attempt.
    static func run<Result>(
        while isRepeatable: (any Error) throws -> Bool, _ body: (_ attempt: Int) throws -> Result
    ) throws -> Result {
        var attempt = 1
        while true {
            do {
                return try body(attempt)
            } catch {
                guard try isRepeatable(error), attempt < attemptLimit else { throw error }
            }
            attempt += 1
            // Transactions in conflict wait for different times.
            Thread.sleep(forTimeInterval: Double.random(in: 0...0.01) * Double(1 << attempt))
        }
    }

    /// Runs a block that opens or removes a store. Each part of it is a transaction, which finds the work of earlier
    /// attempts.
    static func run<Result>(_ body: () throws -> Result) throws -> Result {
        try run { error in
            guard let failure = error as? PostgreSQLFailure else { return false }
            // Without a server, the next attempt would fail, too.
            return failure.isTransient && failure.sqlState != PostgreSQLFailure.State.cannotConnect
        } _: { _ in
            try body()
        }
    }
}
