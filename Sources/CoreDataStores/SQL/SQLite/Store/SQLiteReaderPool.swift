// SPDX-License-Identifier: Apache-2.0

/// The connections of a SQLite store that only read, for threads that find the store's own connection in use.
///
/// A program with one thread has none. A connection is opened when it is first needed, and reused until the store is
/// closed. The mutex guards the list; the thread that has acquired a connection owns it until it releases it.
final class SQLiteReaderPool: Sendable {
    /// The parts of which a new connection is made. They don't change.
    struct Source: @unchecked Sendable {
        let file: SQLiteStoreFile
        let options: SQLiteStoreOptions
        let layouts: ModelLayout
        let identity: StoreIdentity
        let generations: SQLiteGenerations
    }

    private struct State: @unchecked Sendable {
        /// Nil while the store is closed, and for a file that can't be read while it is written.
        var source: Source?
        var idle: [SQLiteSession] = []
        /// The number of connections, idle ones included.
        var count = 0
        /// The number of times that the pool was closed.
        var closingCount = 0
        /// Whether the statements of new connections are counted.
        var isMeasured = false
    }

    private let state = Locked(State())
    let statistics = ConnectionStatistics()

    /// The options of the open file; nil while the store is closed, and for a file that can't be read while it is
    /// written.
    var options: SQLiteStoreOptions? { state.withLock { $0.source?.options } }

    /// The number of open connections.
    var connectionCount: Int { state.withLock { $0.count } }

    /// The connections, with the store's own connection; nil while the store is closed.
    var usage: ConnectionUsage? {
        state.withLock { state in
            state.source.map {
                ConnectionUsage(
                    maximum: $0.options.maximumConnectionCount, open: state.count + 1,
                    inUse: state.count - state.idle.count)
            }
        }
    }

    /// Counts the statements of connections that are opened from now on.
    func beginMeasuring() { state.withLock { $0.isMeasured = true } }

    /// Begins to give connections to a file.
    ///
    /// - Parameter allowsReaders: whether the file can be read while it is written: whether it has a write-ahead log.
    func open(_ source: Source, allowsReaders: Bool) {
        close()
        state.withLock { $0.source = allowsReaders ? source : nil }
    }

    /// Closes the connections that no thread uses, and gives no more.
    func close() {
        let unused = state.withLock { state in
            defer {
                state.closingCount += 1
                state.source = nil
                state.idle = []
                state.count = 0
            }
            return state.idle
        }
        // Connections close here, outside of the mutex.
        withExtendedLifetime(unused) {}
    }

    /// A connection for the current thread alone; nil if all connections are in use, or if a new one can't be opened.
    func acquire() -> SQLiteSession? {
        let (idle, source, closingCount) = state.withLock { state -> (SQLiteSession?, Source?, Int) in
            if let idle = state.idle.popLast() { return (idle, nil, state.closingCount) }
            // The maximum includes the store's own connection.
            guard let source = state.source, state.count < source.options.maximumConnectionCount - 1 else {
                return (nil, nil, state.closingCount)
            }
            state.count += 1
            return (nil, source, state.closingCount)
        }
        if let idle { return idle }
        guard let source else { return nil }
        do {
            let file = try source.file.reader(source.options, beginsTransaction: false)
            if state.withLock({ $0.isMeasured }) { file.connection.countStatements(in: statistics) }
            return SQLiteSession(
                file: file, layouts: source.layouts, identity: source.identity, generations: source.generations,
                poolNumber: closingCount)
        } catch {
            state.withLock { if $0.closingCount == closingCount { $0.count -= 1 } }
            return nil
        }
    }

    /// Takes a connection back.
    func release(_ reader: SQLiteSession) {
        state.withLock { state in
            if state.closingCount == reader.poolNumber { state.idle.append(reader) }
        }
    }
}
