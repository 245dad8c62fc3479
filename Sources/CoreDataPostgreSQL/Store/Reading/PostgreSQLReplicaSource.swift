// SPDX-License-Identifier: Apache-2.0

/// Reads a store on a replica of its server, or on the server itself where no replica is new enough.
///
/// Its rows may be older than the rows that the store has read, so the store's row cache doesn't keep them. But their
/// faults ask this row cache whether it has newer rows.
final class PostgreSQLReplicaSource: PostgreSQLSource, @unchecked Sendable {
    // Unchecked: nothing changes the weak reference.
    let identity: StoreIdentity
    let rowCache = RowCache()
    let faultMonitor: PostgreSQLFaultMonitor
    let replicas: PostgreSQLReplicas
    private weak var database: PostgreSQLDatabase?
    private let url: URL

    init(_ database: PostgreSQLDatabase, _ identity: StoreIdentity, _ replicas: PostgreSQLReplicas, url: URL) {
        self.database = database
        self.identity = identity
        self.replicas = replicas
        self.url = url
        faultMonitor = database.faultMonitor
    }

    var cacheGeneration: Int { (database?.rowCache ?? rowCache).generation.current }

    func keep(_ buffers: [RowBuffer], readIn generation: Int) {
        guard let cache = database?.rowCache else { return }
        for buffer in buffers { buffer.didAdd(to: cache, generation: generation, index: -1) }
    }

    func read<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result {
        guard let database else {
            throw ClosedStoreText.removed.error(
                NSPersistentStoreOperationError, of: url.absoluteString, userInfo: [NSURLErrorKey: url])
        }
        let result = try PostgreSQLStoreErrors.converting(url, .reading) { try replicas.read(body) }
        return try result ?? database.read(body)
    }
}
