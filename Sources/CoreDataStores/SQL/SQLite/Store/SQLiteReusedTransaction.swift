// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary
import Synchronization

/// A read transaction that consecutive short requests reuse, for example when faults fire one by one.
///
/// A request with a separate transaction locks and unlocks the file, and checks whether the path still names it. These
/// steps take several times as long as reading a row. The transaction begins when many requests follow each other
/// closely. Before each request the index of the write-ahead log, which is in shared memory, shows whether another
/// connection has committed: then a new transaction begins. So each request sees the newest rows, as if it had a
/// separate transaction. The owner of the connection guards it, and ends it before everything else that uses the
/// connection.
final class SQLiteReusedTransaction {
    private let connection: SQLiteConnection
    private let fileIdentity: SQLiteFileIdentity
    // Unchecked: the owner of the connection is on one thread, and no access contains another one.
    @exclusivity(unchecked) private(set) var isOpen = false
    /// The number of transactions that have begun: the number of the open one.
    @exclusivity(unchecked) private(set) var number = 0
    /// The state of the log when the transaction began, or an earlier one.
    @exclusivity(unchecked) private var logState = SQLiteLogState()
    @exclusivity(unchecked) private var log: SQLiteLogState.Memory?
    /// When the file's path was last checked.
    @exclusivity(unchecked) private var checkedAt: UInt64 = 0
    @exclusivity(unchecked) private var lastRequest: UInt64 = 0
    /// The number of requests that have followed each other closely.
    private var closeRequests = 0
    @exclusivity(unchecked) private var depth = 0

    /// Requests at this distance are close, and the path is checked as often. In nanoseconds.
    private static let closeness: UInt64 = 1_000_000
    private static let requestsBeforeReuse = 8

    init(_ connection: SQLiteConnection, _ fileIdentity: SQLiteFileIdentity) {
        self.connection = connection
        self.fileIdentity = fileIdentity
    }

    /// Runs a request that reads rows by their keys.
    ///
    /// - Throws: `SQLiteFileIdentity.Change`, and the errors of the request.
    @inline(__always)
    func run<Result>(_ request: () throws -> Result) throws -> Result {
        let now = OperatingSystem.uptimeNanoseconds
        if isOpen && (depth > 0 || now &- checkedAt < Self.closeness && log?.state == logState) {
            lastRequest = now
            depth += 1
            defer { depth -= 1 }
            do {
                return try request()
            } catch {
                // Outside of the transaction the request succeeds, or throws its real cause.
                guard depth == 1 else { throw error }
                finish()
                return try fileIdentity.checking(request)
            }
        }
        return try runAlone(request, now)
    }

    @inline(never)
    private func runAlone<Result>(_ request: () throws -> Result, _ now: UInt64) throws -> Result {
        closeRequests = now &- lastRequest < Self.closeness ? closeRequests + 1 : 0
        lastRequest = now
        end()
        guard closeRequests >= Self.requestsBeforeReuse, !connection.isInTransaction,
            let memory = SQLiteLogState.Memory(connection)
        else { return try fileIdentity.checking(request) }
        let before = memory.state
        guard connection.execute("BEGIN") else { return try fileIdentity.checking(request) }
        depth += 1
        defer { depth -= 1 }
        do {
            let result = try fileIdentity.checking(request)
            log = memory
            logState = before
            checkedAt = now
            isOpen = true
            number += 1
            // Another connection has committed since the first look at the log: whether the transaction reads that
            // commit is unknown.
            if memory.state != before { finish() }
            return result
        } catch {
            finish()
            throw error
        }
    }

    /// Whether no request has come for some time.
    var isIdle: Bool { OperatingSystem.uptimeNanoseconds &- lastRequest > 10 * Self.closeness }

    /// Ends the transaction, if no request is running.
    func end() {
        if isOpen && depth == 0 { finish() }
    }

    private func finish() {
        isOpen = false
        log = nil
        // A transaction that has read only can't fail to end, and an I/O error has ended it.
        if connection.isInTransaction { _ = connection.execute("COMMIT") || connection.execute("ROLLBACK") }
    }
}

/// The header of the index of a write-ahead log. Each commit changes it, in every process.
struct SQLiteLogState: Equatable {
    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

    @inline(__always)
    static func == (one: SQLiteLogState, two: SQLiteLogState) -> Bool {
        one.words.0 == two.words.0 && one.words.1 == two.words.1 && one.words.2 == two.words.2
            && one.words.3 == two.words.3 && one.words.4 == two.words.4 && one.words.5 == two.words.5
    }

    /// The header in the shared memory of a connection.
    struct Memory {
        /// Points to the 48 bytes of the header, which are aligned as words. SQLite maps the index as long as the
        /// connection uses the log, so the address is valid while a transaction is open. Other processes change the
        /// words, so they are read atomically.
        private let words: UnsafePointer<Atomic<UInt64>>

        /// - Parameter connection: a connection to a file with a write-ahead log in shared memory. Nil without one.
        init?(_ connection: SQLiteConnection) {
            var file: UnsafeMutablePointer<sqlite3_file>?
            guard sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
                let file, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2,
                let map = methods.xShmMap
            else { return nil }
            var region: UnsafeMutableRawPointer?
            // The first region of the index, without making one.
            guard map(file, 0, 32_768, 0, &region) == SQLITE_OK, let region else { return nil }
            words = UnsafePointer(region.assumingMemoryBound(to: Atomic<UInt64>.self))
        }

        @inline(__always)
        var state: SQLiteLogState {
            var state = SQLiteLogState()
            state.words = (
                words[0].load(ordering: .acquiring), words[1].load(ordering: .acquiring),
                words[2].load(ordering: .acquiring), words[3].load(ordering: .acquiring),
                words[4].load(ordering: .acquiring), words[5].load(ordering: .acquiring)
            )
            return state
        }
    }
}
