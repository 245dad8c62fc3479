// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The observers of a context and of its objects.
///
/// They are called at the end of each change event, on the context's queue. Observers can be added and removed on any
/// thread. One lock guards the lists. It is not held while an observer is called. The observed objects and the context
/// are not retained.
final class ChangeObservers: @unchecked Sendable {
    typealias ContextContinuation = AsyncStream<ManagedObjectContextChange>.Continuation

    /// The callbacks of one observer of an object.
    struct ObjectObserver {
        let onChange: (NSManagedObject, ManagedObjectChange) -> Void
        /// Called after the last change.
        let onFinish: () -> Void
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
        /// Whether the context was deallocated.
        var isFinished = false
    }

    private let lock = NSLock()
    private var state = State()
    private let count = Atomic<Int>(0)

    /// Whether there are observers. Without any, an event costs only this check.
    var isObserved: Bool { count.load(ordering: .relaxed) > 0 }

    // MARK: Adding and removing

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

    /// Adds an observer of an object. Called on the context's queue.
    ///
    /// - Returns: a closure that removes the observer. It can be called on any thread.
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
        // The observer and the entry are released outside the lock.
        let removed = lock.withLock { () -> (ObjectObserver?, ObjectEntry?) in
            let observer = state.objects[key]?.observers.removeValue(forKey: number)
            let entry = state.objects[key]?.observers.isEmpty == true ? state.objects.removeValue(forKey: key) : nil
            return (observer, entry)
        }
        if removed.0 != nil { count.subtract(1, ordering: .relaxed) }
    }

    /// Finishes the observers of an object. Called by the object's `deinit`, on any thread.
    func finishObject(_ key: ObjectIdentifier) {
        guard let entry = lock.withLock({ state.objects.removeValue(forKey: key) }) else { return }
        count.subtract(entry.observers.count, ordering: .relaxed)
        for observer in entry.observers.values { observer.onFinish() }
    }

    /// Finishes all observers. Called by the context's `deinit`.
    func finish() {
        let all = lock.withLock { () -> State in
            defer { state = State(isFinished: true) }
            return state
        }
        count.store(0, ordering: .relaxed)
        for continuation in all.contexts.values { continuation.finish() }
        for entry in all.objects.values { for observer in entry.observers.values { observer.onFinish() } }
    }

    // MARK: Posting, on the context's queue

    /// Posts the changes of an event. Finishes the observers of objects that are no longer in the context.
    func post(
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
                keys: kind == .deleted ? [] : entry.values.update(from: object))
            // An object can be reported as updated although its values are the same.
            if change.keys.isEmpty && (kind == .updated || kind == .refreshed) { continue }
            for observer in entry.observers { observer.onChange(object, change) }
        }
        finishDetachedObjects(observed.objects)
    }

    /// Posts that the context was reset. All its objects are detached.
    func postReset() {
        let observed = snapshot
        for continuation in observed.contexts { continuation.yield(ManagedObjectContextChange(isReset: true)) }
        finishDetachedObjects(observed.objects)
    }

    /// Records the permanent keys that a save has assigned. They are no changes of the objects that refer to them.
    func recordSavedReferences() {
        for entry in snapshot.objects {
            if let object = entry.object, object.flags.isDisjoint(with: [.detached, .deleted]) {
                entry.values.updateReferences(from: object)
            }
        }
    }

    /// Finishes the observers of objects whose deletion was saved.
    func finishDetachedObjects() { finishDetachedObjects(snapshot.objects) }

    private struct ObservedObject {
        let object: NSManagedObject?
        let values: ObservedValues
        let observers: [ObjectObserver]
    }

    /// The observers, in the order in which they were added.
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

    private func finishDetachedObjects(_ objects: [ObservedObject]) {
        for case let object? in objects.lazy.map(\.object) where object.flags.contains(.detached) {
            finishObject(ObjectIdentifier(object))
        }
    }
}
