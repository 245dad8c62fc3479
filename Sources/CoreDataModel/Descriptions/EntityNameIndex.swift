/// The entities of a large mutable model by name, made at the first look-up after a change.
///
/// Guarded by its lock, since several threads may read a model that nobody changes.
final class EntityNameIndex: @unchecked Sendable {
    /// Fewer entities are searched as quickly as they are hashed.
    private static let leastCount = 32

    private let lock = NSLock()
    private var entities: [String: NSEntityDescription]?

    func entity(named name: String, in list: [NSEntityDescription]) -> NSEntityDescription? {
        guard list.count >= Self.leastCount else { return list.last { $0.nameStorage == name } }
        return lock.withLock {
            let index = entities ?? Dictionary(list.map { ($0.nameStorage ?? "", $0) }, uniquingKeysWith: { $1 })
            entities = index
            return index[name]
        }
    }

    /// To be called when a name or the list changes.
    func forget() { lock.withLock { entities = nil } }
}
