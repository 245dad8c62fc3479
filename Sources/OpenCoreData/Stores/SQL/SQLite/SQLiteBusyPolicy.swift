internal import CSQLite
import CoreDataPredicates

/// Waits for other connections' locks: short pauses first, longer ones later, an end after the timeout.
///
/// SQLite calls it on the thread that runs a statement of the one connection it is installed on.
final class SQLiteBusyPolicy {
    private let timeoutNanoseconds: UInt64
    private var firstRefusal: UInt64 = 0

    /// Pauses in milliseconds; the last one repeats.
    private static let pauses: [Int32] = [1, 1, 2, 2, 5, 5, 10, 10, 20, 25, 25, 50, 50, 100]

    init(timeout: TimeInterval) {
        timeoutNanoseconds = UInt64(min(max(timeout, 0), 1_000_000) * 1_000_000_000)
    }

    /// The policy must outlive the connection's use; the connection keeps it.
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

    /// Repeats what SQLite refuses at once for a lock, with the same pauses and the same end.
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
        if count == 0 { firstRefusal = now }
        guard now - firstRefusal < timeoutNanoseconds else { return false }
        sqlite3_sleep(Self.pauses[min(count, Self.pauses.count - 1)])
        return true
    }
}
