// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// Waits for the locks of other connections, with growing delays, until a timeout.
///
/// SQLite calls the policy of a connection on the thread that runs a statement.
final class SQLiteBusyPolicy {
    private let timeoutNanoseconds: UInt64
    private var firstAttempt: UInt64 = 0
    private var isReported = false
    /// The file, for the log.
    private let path: String

    /// The time after which the log says that a request waits.
    private static let reportNanoseconds: UInt64 = 5_000_000_000

    /// Delays in milliseconds; the last one repeats.
    private static let delays: [Int32] = [1, 1, 2, 2, 5, 5, 10, 10, 20, 25, 25, 50, 50, 100]

    init(timeout: TimeInterval, path: String) {
        self.path = path
        timeoutNanoseconds = UInt64(min(max(0, timeout), 1_000_000) * 1_000_000_000)
    }

    /// Installs the policy on a connection, which must retain it.
    func install(on handle: OpaquePointer) {
        sqlite3_busy_handler(
            handle,
            { context, count in
                guard let context else { return 0 }
                return Unmanaged<SQLiteBusyPolicy>.fromOpaque(context).takeUnretainedValue()
                    .shouldTryAgain(after: Int(count)) ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// Repeats an operation for which SQLite doesn't call its busy handler, with the same delays and timeout.
    ///
    /// - Parameters:
    ///   - isBusy: whether an error of the operation reports a lock.
    ///   - body: the operation.
    func retrying(isBusy: (any Error) -> Bool, _ body: () throws -> Void) throws {
        var count = 0
        while true {
            do {
                return try body()
            } catch  where isBusy(error) && shouldTryAgain(after: count) {
                count += 1
            }
        }
    }

    private func shouldTryAgain(after count: Int) -> Bool {
        let now = OperatingSystem.uptimeNanoseconds
        if count == 0 { (firstAttempt, isReported) = (now, false) }
        if !isReported, now - firstAttempt >= Self.reportNanoseconds {
            isReported = true
            CoreDataLog.warning(
                """
                A request waits for the lock of another connection or process on \(path). It waits \
                \(timeoutNanoseconds / 1_000_000_000) seconds at most (NSPersistentStoreTimeoutOption).
                """)
        }
        guard now - firstAttempt < timeoutNanoseconds else { return false }
        sqlite3_sleep(Self.delays[min(count, Self.delays.count - 1)])
        return true
    }
}
