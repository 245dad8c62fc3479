import Synchronization

/// The query generations of one open SQLite store that somebody still reads.
///
/// They are not kept alive. The files of external data that a save makes superfluous stay until every generation has
/// gone that may still name them. The lock guards everything.
final class SQLiteGenerations: Sendable {
    /// Equal as long as nobody commits anything to the file.
    struct Stamp: Equatable {
        /// SQLite's `data_version`, which tells the commits of other connections.
        let others: Int64
        /// The commits of the store's own connection.
        let own: Int
    }

    private struct Entry {
        weak var generation: SQLiteGeneration?
        let stamp: Stamp?
    }

    private struct KeptFile {
        let name: String
        var readers: Set<Int>
    }

    private struct State {
        var commitCount = 0
        var nextNumber = 0
        var entries: [Int: Entry] = [:]
        var keptFiles: [KeptFile] = []
    }

    private let externalData: SQLiteExternalData
    private let state = Mutex(State())

    init(_ externalData: SQLiteExternalData) { self.externalData = externalData }

    /// Counts the commits of the store's own connection.
    var commitCount: Int { state.withLock { $0.commitCount } }

    /// The generation that was made when the file was as it is now, if somebody still reads it.
    func generation(at stamp: Stamp) -> SQLiteGeneration? {
        state.withLock { state in
            // Only what is returned is retained: a last reference must not go under the lock.
            for entry in state.entries.values where entry.stamp == stamp {
                if let generation = entry.generation { return generation }
            }
            return nil
        }
    }

    /// Lists a generation before anything more is committed to the store.
    ///
    /// - Parameter stamp: what the file was like when the generation was made; nil if that isn't certain.
    func add(_ generation: SQLiteGeneration, stamp: Stamp?) {
        state.withLock { state in state.entries[generation.number] = Entry(generation: generation, stamp: stamp) }
    }

    func takeNumber() -> Int {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
    }

    /// A save has been committed.
    ///
    /// - Parameter files: files of external data that no row of the store names any more.
    func noteCommit(removing files: [String]) {
        let superfluous = state.withLock { state in
            state.commitCount += 1
            let readers = Set(state.entries.keys)
            if readers.isEmpty { return files }
            state.keptFiles += files.map { KeptFile(name: $0, readers: readers) }
            return []
        }
        remove(superfluous)
    }

    /// A generation has gone, and its connection is closed.
    func noteEnd(of number: Int) {
        let superfluous = state.withLock { state in
            state.entries[number] = nil
            for index in state.keptFiles.indices { state.keptFiles[index].readers.remove(number) }
            defer { state.keptFiles.removeAll { $0.readers.isEmpty } }
            return state.keptFiles.filter { $0.readers.isEmpty }.map(\.name)
        }
        remove(superfluous)
    }

    /// The store is removed from its coordinator: nothing can be read any more.
    func closeAll() {
        let generations = state.withLock { $0.entries.values.compactMap(\.generation) }
        for generation in generations { generation.close() }
    }

    /// A file that can't be removed is no more than superfluous.
    private func remove(_ files: [String]) {
        for name in files { try? externalData.remove(file: name) }
    }
}
