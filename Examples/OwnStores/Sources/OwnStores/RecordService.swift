import CoreData

/// A service that keeps records: behind HTTP, or in the process. May be used on any thread.
public protocol RecordService: AnyObject, Sendable {
    /// The UUID of the service.
    func identifier() throws -> String
    /// All records of an entity, without the records of its subentities.
    func records(of entity: String) throws -> [Record]
    /// A record; nil if there is none.
    func record(_ name: RecordName) throws -> Record?
    /// Makes all changes, or none.
    ///
    /// - Returns: the records that have other versions than the changes expect. Nothing has changed if there are any.
    func write(_ changes: RecordChanges) throws -> [RecordName]
}

/// Changes of records. They contain the versions that the client has read; each changed record gets the next one.
public struct RecordChanges: Codable, Sendable {
    public var inserted: [Record] = []
    public var updated: [Record] = []
    public var deleted: [Record] = []
    /// Records that don't change, but must have the same version.
    public var locked: [Record] = []

    public init() {}
}

/// A service within the process. The lock guards its records.
public final class MemoryRecordService: RecordService, @unchecked Sendable {
    private let lock = NSLock()
    private let uuid = UUID().uuidString
    private var records: [String: [String: Record]] = [:]

    public init() {}

    public func identifier() throws -> String { uuid }

    public func records(of entity: String) throws -> [Record] {
        lock.withLock { (records[entity] ?? [:]).values.sorted { $0.name.id < $1.name.id } }
    }

    public func record(_ name: RecordName) throws -> Record? { lock.withLock { records[name.entity]?[name.id] } }

    public func write(_ changes: RecordChanges) throws -> [RecordName] {
        lock.withLock {
            let conflicts = (changes.updated + changes.locked + changes.deleted).filter { record in
                records[record.name.entity]?[record.name.id]?.version != record.version
            }
            // A record that is deleted already is no conflict.
            let deleted = Set(changes.deleted.map(\.name))
            let real = conflicts.map(\.name).filter { name in
                !(deleted.contains(name) && records[name.entity]?[name.id] == nil)
            }
            guard real.isEmpty else { return real }
            for record in changes.deleted { records[record.name.entity]?[record.name.id] = nil }
            for record in changes.inserted { records[record.name.entity, default: [:]][record.name.id] = record }
            for var record in changes.updated {
                record.version += 1
                records[record.name.entity, default: [:]][record.name.id] = record
            }
            removeNames(of: deleted)
            return []
        }
    }

    /// No relationship leads to a record that is gone.
    private func removeNames(of deleted: Set<RecordName>) {
        guard !deleted.isEmpty else { return }
        for (entity, named) in records {
            for (id, record) in named {
                for (key, members) in record.relationships where members.contains(where: deleted.contains) {
                    records[entity]?[id]?.relationships[key] = members.filter { !deleted.contains($0) }
                }
            }
        }
    }
}
