import Synchronization

/// Who observes a context and its objects.
///
/// Told at the end of each change event, on the context's queue. Observers may come and go on any thread; the lock
/// guards the lists, and is never held while an observer is called. Nothing here keeps an object or the context.
final class ChangeObservers: @unchecked Sendable {
    typealias ContextContinuation = AsyncStream<ManagedObjectContextChange>.Continuation

    /// What one observer of an object wants: to be told, and to be told that there will be no more.
    struct ObjectObserver {
        let tell: (NSManagedObject, ManagedObjectChange) -> Void
        let finish: () -> Void
    }

    private struct ObjectEntry {
        weak var object: NSManagedObject?
        let values: ObservedValues
        var observers: [Int: ObjectObserver]
    }

    private struct State {
        var nextNumber = 0
        var contexts: [Int: ContextContinuation] = [:]
        var objects: [ObjectIdentifier: ObjectEntry] = [:]
        /// The context is gone.
        var isFinished = false
    }

    private let lock = NSLock()
    private var state = State()
    private let count = Atomic<Int>(0)

    /// Whether anybody observes anything: all that an event costs when nobody does.
    var isObserved: Bool { count.load(ordering: .relaxed) > 0 }

    // MARK: Coming and going

    func add(_ continuation: ContextContinuation) {
        let number = lock.withLock { () -> Int? in
            if state.isFinished { return nil }
            state.nextNumber += 1
            let number = state.nextNumber
            state.contexts[number] = continuation
            return number
        }
        guard let number else { return continuation.finish() }
        count.add(1, ordering: .relaxed)
        continuation.onTermination = { [weak self] _ in self?.removeContextObserver(number) }
    }

    private func removeContextObserver(_ number: Int) {
        let removed = lock.withLock { state.contexts.removeValue(forKey: number) }
        if removed != nil { count.subtract(1, ordering: .relaxed) }
    }

    /// Adds an observer of an object, on the context's queue.
    ///
    /// - Returns: what takes the observer away again, to be called on any thread.
    func add(_ observer: ObjectObserver, of object: NSManagedObject) -> @Sendable () -> Void {
        let key = ObjectIdentifier(object)
        let values = ObservedValues(object)
        let number = lock.withLock { () -> Int in
            state.nextNumber += 1
            let number = state.nextNumber
            if state.objects[key]?.object !== object {
                state.objects[key] = ObjectEntry(object: object, values: values, observers: [:])
            }
            state.objects[key]?.observers[number] = observer
            return number
        }
        object.flags.insert(.observed)
        count.add(1, ordering: .relaxed)
        return { [weak self] in self?.removeObserver(number, of: key) }
    }

    private func removeObserver(_ number: Int, of key: ObjectIdentifier) {
        // What the observer holds goes outside of the lock.
        let removed = lock.withLock { () -> (ObjectObserver?, ObjectEntry?) in
            let observer = state.objects[key]?.observers.removeValue(forKey: number)
            let entry = state.objects[key]?.observers.isEmpty == true ? state.objects.removeValue(forKey: key) : nil
            return (observer, entry)
        }
        if removed.0 != nil { count.subtract(1, ordering: .relaxed) }
    }

    /// An object goes: called by its `deinit`, on any thread.
    func end(_ key: ObjectIdentifier) {
        guard let entry = lock.withLock({ state.objects.removeValue(forKey: key) }) else { return }
        count.subtract(entry.observers.count, ordering: .relaxed)
        for observer in entry.observers.values { observer.finish() }
    }

    /// The context goes.
    func finish() {
        let all = lock.withLock { () -> State in
            defer { state = State(isFinished: true) }
            return state
        }
        count.store(0, ordering: .relaxed)
        for continuation in all.contexts.values { continuation.finish() }
        for entry in all.objects.values { for observer in entry.observers.values { observer.finish() } }
    }

    // MARK: Telling, on the context's queue

    /// Tells what an event did. Objects that have left the context are told the last time.
    func tell(
        inserted: Set<NSManagedObject>, updated: Set<NSManagedObject>, deleted: Set<NSManagedObject>,
        refreshed: Set<NSManagedObject>
    ) {
        let observed = snapshot
        if !observed.contexts.isEmpty {
            func ids(_ objects: Set<NSManagedObject>) -> Set<NSManagedObjectID> { Set(objects.lazy.map(\.objectID)) }
            let change = ManagedObjectContextChange(
                inserted: ids(inserted), updated: ids(updated), deleted: ids(deleted), refreshed: ids(refreshed))
            if change != ManagedObjectContextChange() { for observer in observed.contexts { observer.yield(change) } }
        }
        for entry in observed.objects {
            guard let object = entry.object else { continue }
            let kind: ManagedObjectChange.Kind? =
                deleted.contains(object)
                ? .deleted
                : inserted.contains(object)
                    ? .inserted : updated.contains(object) ? .updated : refreshed.contains(object) ? .refreshed : nil
            guard let kind else { continue }
            let change = ManagedObjectChange(
                objectID: object.objectID, kind: kind,
                keys: kind == .deleted ? [] : entry.values.takeChanges(of: object))
            // An object can count as updated without being other than it was.
            if change.keys.isEmpty && (kind == .updated || kind == .refreshed) { continue }
            for observer in entry.observers { observer.tell(object, change) }
        }
        endGone(observed.objects)
    }

    /// The context was reset: its objects are gone.
    func tellReset() {
        let observed = snapshot
        for continuation in observed.contexts { continuation.yield(ManagedObjectContextChange(isReset: true)) }
        endGone(observed.objects)
    }

    /// A save has given objects permanent keys, which is no change of those that refer to them.
    func noteSaved() {
        for entry in snapshot.objects {
            if let object = entry.object, object.flags.isDisjoint(with: [.detached, .deleted]) {
                entry.values.takeReferences(of: object)
            }
        }
    }

    /// Objects whose deletion was saved have left the context.
    func endGone() { endGone(snapshot.objects) }

    private struct ObservedObject {
        let object: NSManagedObject?
        let values: ObservedValues
        let observers: [ObjectObserver]
    }

    /// Who is to be told, in the order in which they came.
    private var snapshot: (contexts: [ContextContinuation], objects: [ObservedObject]) {
        lock.withLock { () -> (contexts: [ContextContinuation], objects: [ObservedObject]) in
            func ordered<Observer>(_ observers: [Int: Observer]) -> [Observer] {
                observers.sorted { $0.key < $1.key }.map(\.value)
            }
            return (
                ordered(state.contexts),
                state.objects.values.map {
                    ObservedObject(object: $0.object, values: $0.values, observers: ordered($0.observers))
                }
            )
        }
    }

    private func endGone(_ objects: [ObservedObject]) {
        for case let object? in objects.lazy.map(\.object) where object.flags.contains(.detached) {
            end(ObjectIdentifier(object))
        }
    }
}
