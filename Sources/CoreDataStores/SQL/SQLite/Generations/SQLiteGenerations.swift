// SPDX-License-Identifier: Apache-2.0

/// The list of the query generations of one open SQLite store.
///
/// The list doesn't retain the generations. A file of external data that a save replaces is removed when no generation
/// is left whose rows may refer to it. The mutex guards all state.
final class SQLiteGenerations: Sendable {
    private struct Entry {
        weak var generation: SQLiteGeneration?
        let version: StoreCommitState?
    }

    /// A file of external data that only rows of older generations refer to.
    private struct RetainedFile {
        let name: String
        var readers: Set<Int>
        /// Retained until the file is removed.
        let journal: SQLiteExternalJournal?
    }

    private struct State {
        var commitCount = 0
        var nextNumber = 0
        var entries: [Int: Entry] = [:]
        var retainedFiles: [RetainedFile] = []
    }

    private let externalData: SQLiteExternalData
    private let state = Locked(State())

    init(_ externalData: SQLiteExternalData) { self.externalData = externalData }

    /// The number of commits of the store's own connection.
    var commitCount: Int { state.withLock { $0.commitCount } }

    /// The generation of a version of the file; nil if there is none.
    func generation(at version: StoreCommitState) -> SQLiteGeneration? {
        state.withLock { state in
            // Only the returned generation is retained: releasing a last reference here would lock the mutex again.
            for entry in state.entries.values where entry.version == version {
                if let generation = entry.generation { return generation }
            }
            return nil
        }
    }

    /// Adds a generation. The caller prevents commits of the store during the call.
    ///
    /// - Parameters:
    ///   - generation: the generation.
    ///   - version: the version of the file that the generation reads; nil if it is unknown.
    func add(_ generation: SQLiteGeneration, version: StoreCommitState?) {
        state.withLock { state in state.entries[generation.number] = Entry(generation: generation, version: version) }
    }

    /// A new number of a generation.
    func nextNumber() -> Int {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
    }

    /// Counts the commit of a save.
    ///
    /// - Parameters:
    ///   - files: the files of external data that no row of the store refers to after the save.
    ///   - journal: the journal that names them.
    func didCommit(removing files: [String], recordedIn journal: SQLiteExternalJournal? = nil) {
        let unused = state.withLock { state in
            state.commitCount += 1
            let readers = Set(state.entries.keys)
            if readers.isEmpty { return files }
            state.retainedFiles += files.map { RetainedFile(name: $0, readers: readers, journal: journal) }
            return []
        }
        remove(unused)
    }

    /// Removes a generation whose connection is closed.
    func didClose(_ number: Int) {
        let unused = state.withLock { state in
            state.entries[number] = nil
            for index in state.retainedFiles.indices { state.retainedFiles[index].readers.remove(number) }
            defer { state.retainedFiles.removeAll { $0.readers.isEmpty } }
            return state.retainedFiles.filter { $0.readers.isEmpty }
        }
        remove(unused.map(\.name))
    }

    /// Closes all generations, because the store is removed from its coordinator.
    func closeAll() {
        let generations = state.withLock { $0.entries.values.compactMap(\.generation) }
        for generation in generations { generation.close() }
    }

    /// Removes files. An error is ignored: a file that remains is unused.
    private func remove(_ files: [String]) {
        for name in files { try? externalData.remove(file: name) }
    }
}
