// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The current change event of a context: the objects that its change notification reports, and their values at the
/// start of the event where their committed rows don't have them.
///
/// Used on the context's queue alone.
final class ChangeEvent {
    typealias Snapshots = [ObjectIdentifier: EventSnapshot]

    /// An event whose change notification is being posted.
    struct PostedEvent {
        let snapshots: Snapshots
        let inserted: ChangedObjects
        let updated: ChangedObjects
        let deleted: ChangedObjects
    }

    /// Objects that have changed since the last change notification. They have the flag `pending`.
    @exclusivity(unchecked) private(set) var pending: ContiguousArray<NSManagedObject> = []
    /// Objects that were refreshed since the last change notification.
    private(set) var refreshed: [NSManagedObject] = []
    /// Objects whose insertion a notification has reported, and which a rollback has removed since.
    private var withdrawn: [NSManagedObject] = []
    /// Objects that other contexts have inserted, for the next change notification.
    private var mergedInsertions: [NSManagedObject] = []
    /// Objects that another context or process has deleted. They stay registered until the next change notification was
    /// posted, and in this list until the event after it ends.
    private(set) var deletedExternally: [NSManagedObject] = []
    private var snapshots: Snapshots = [:]
    /// The last snapshot that was read: consecutive relationship changes mostly have one owner.
    @exclusivity(unchecked) private var last: EventSnapshot?
    private(set) var posted: PostedEvent?
    /// Whether changes are being processed.
    private var isProcessing = false
    /// The end of the event that is scheduled on the main queue.
    @exclusivity(unchecked) private var scheduledEnd: ScheduledEnd?
    /// Whether changes are recorded. False while an object awakes with its fetched values.
    private(set) var recordsChanges = true

    /// Whether the next change notification has changes to report.
    var hasChanges: Bool {
        !pending.isEmpty || !refreshed.isEmpty || !withdrawn.isEmpty || !mergedInsertions.isEmpty
    }

    // MARK: Recording changes

    /// Adds an object to the next change notification. The object must not be in it yet.
    @inline(__always)
    func add(_ object: NSManagedObject) {
        object.flags.insert(.pending)
        pending.append(object)
    }

    /// Adds an object to the refreshed objects of the next change notification.
    func addRefreshed(_ object: NSManagedObject) { refreshed.append(object) }

    /// Adds an object that another context has inserted to the inserted objects of the next change notification.
    func addMergedInsertion(_ object: NSManagedObject) { mergedInsertions.append(object) }

    /// Adds an object that another context or process has deleted to the deleted objects of the next change
    /// notification.
    func addExternalDeletion(_ object: NSManagedObject) { deletedExternally.append(object) }

    /// Forgets that another context or process has deleted an object, because it is inserted again.
    func removeExternalDeletion(_ object: NSManagedObject) { deletedExternally.removeAll { $0 === object } }

    /// Forgets the objects whose deletion by another context or process a notification has reported.
    func removeReportedDeletions() {
        if !deletedExternally.isEmpty { deletedExternally.removeAll { $0.flags.contains(.detached) } }
    }

    /// Runs a block whose changes are not recorded.
    func withoutRecording(_ body: () -> Void) {
        let before = recordsChanges
        recordsChanges = false
        body()
        recordsChanges = before
    }

    /// Stops the recording of changes.
    func endRecording() { recordsChanges = false }

    // MARK: Snapshots

    /// The snapshot of an object, if there is one.
    subscript(object: NSManagedObject) -> EventSnapshot? { snapshots[ObjectIdentifier(object)] }

    /// The snapshot of an object. Takes it unless there is one.
    func snapshot(of object: NSManagedObject) -> EventSnapshot {
        if let last, last.object === object { return last }
        let snapshot = snapshots[ObjectIdentifier(object)] ?? EventSnapshot(object)
        snapshots[ObjectIdentifier(object)] = snapshot
        last = snapshot
        return snapshot
    }

    /// Takes the snapshot of an object, unless its committed row has its values. Called before the object is added to
    /// the objects of the next change notification.
    func recordSnapshot(of object: NSManagedObject) {
        guard !object.flags.contains(.pending),
            !object.flags.isDisjoint(with: [.ownsCells, .inserted, .updated, .deleted])
        else { return }
        _ = snapshot(of: object)
    }

    /// Takes the snapshot of an object whose values don't change in this event, unless there is one.
    func recordState(of object: NSManagedObject) {
        guard snapshots[ObjectIdentifier(object)] == nil else { return }
        snapshots[ObjectIdentifier(object)] = EventSnapshot(object, copiesValues: false)
    }

    /// Records that another context has deleted an object. Replaces its snapshot: the deletion can't be undone here.
    func recordExternalDeletion(of object: NSManagedObject) {
        last = nil
        snapshots[ObjectIdentifier(object)] = EventSnapshot(object, state: .deletedExternally, copiesValues: false)
    }

    // MARK: Ending the event

    /// An end that is scheduled on the main queue, until the event ends before.
    final class ScheduledEnd: Sendable {
        private let isRemoved = Atomic(false)

        var isNeeded: Bool { !isRemoved.load(ordering: .relaxed) }

        fileprivate func remove() { isRemoved.store(true, ordering: .relaxed) }
    }

    /// Whether the end of the event is scheduled on the main queue.
    var isEndScheduled: Bool { scheduledEnd != nil }

    /// Notes that the end of the event is scheduled on the main queue.
    func scheduleEnd() -> ScheduledEnd {
        let end = ScheduledEnd()
        scheduledEnd = end
        return end
    }

    /// Notes that the event ends before the scheduled end, or with it.
    func removeScheduledEnd() {
        scheduledEnd?.remove()
        scheduledEnd = nil
    }

    /// Begins to process the event.
    ///
    /// - Returns: false if it is being processed.
    func beginProcessing() -> Bool {
        if isProcessing { return false }
        isProcessing = true
        return true
    }

    /// Ends what `beginProcessing()` has begun.
    func endProcessing() {
        let former = posted
        isProcessing = false
        posted = nil
        // Values of the program may be deallocated with the snapshots, and their `deinit` may change objects.
        withExtendedLifetime(former) {}
    }

    /// Runs a block that can process the event, though a caller may be processing it already.
    func withNestedProcessing<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasProcessing = isProcessing
        isProcessing = false
        defer { isProcessing = wasProcessing }
        return try body()
    }

    /// Ends the event and starts the next one. The caller takes the flag `pending` from the objects.
    ///
    /// - Returns: the objects that have changed, and the snapshots of the event that ended.
    func end() -> (changed: ContiguousArray<NSManagedObject>, snapshots: Snapshots) {
        defer {
            pending = []
            removeSnapshots()
        }
        return (pending, snapshots)
    }

    /// Removes the snapshots of objects that were about to change, and did not.
    func removeSnapshots() {
        let former = (last, snapshots)
        last = nil
        if !snapshots.isEmpty { snapshots = [:] }
        withExtendedLifetime(former) {}
    }

    func removeWithdrawn() -> [NSManagedObject] { Self.take(&withdrawn) }
    func removeRefreshed() -> [NSManagedObject] { Self.take(&refreshed) }
    func removeMergedInsertions() -> [NSManagedObject] { Self.take(&mergedInsertions) }

    private static func take(_ objects: inout [NSManagedObject]) -> [NSManagedObject] {
        if objects.isEmpty { return [] }
        defer { objects = [] }
        return objects
    }

    /// Begins to post the change notification of an event. `endProcessing()` ends it.
    func beginPosting(_ event: PostedEvent) { posted = event }

    // MARK: Discarding changes

    /// Replaces the event by the removal of all its changes.
    ///
    /// - Parameters:
    ///   - withdrawn: objects whose insertion was discarded.
    ///   - restored: objects whose other changes were discarded.
    func discard(withdrawn: [NSManagedObject], restored: [NSManagedObject]) {
        for object in pending { object.flags.remove(.pending) }
        pending = []
        removeSnapshots()
        self.withdrawn += withdrawn
        refreshed += restored
    }

    /// Forgets all objects. The caller takes the flag `pending` from them.
    func removeAll() {
        pending = []
        refreshed = []
        withdrawn = []
        mergedInsertions = []
        deletedExternally = []
        removeSnapshots()
    }

    // MARK: Invariants

    /// The violated invariants, for tests.
    ///
    /// - A pending object has the flag `pending`, unless it is detached, and is in the list once.
    /// - An object that another context or process has deleted counts as deleted, and is in no list of unsaved changes.
    /// - A snapshot belongs to its object.
    /// - An event is posted only while it is processed. Changes are recorded between the calls of the program.
    func checkInvariants() -> [String] {
        var violations: [String] = []
        var seen: Set<ObjectIdentifier> = []
        for object in pending where !object.flags.contains(.detached) {
            let isFlagged = object.flags.contains(.pending)
            if !isFlagged { violations.append("\(object.diagnosticName): is pending without the flag") }
            let isNew = seen.insert(ObjectIdentifier(object)).inserted
            if !isNew { violations.append("\(object.diagnosticName): is pending twice") }
        }
        for object in deletedExternally where !object.flags.contains(.deleted) || object.changeIndex != -1 {
            violations.append("\(object.diagnosticName): is deleted by others, but listed")
        }
        for (identifier, snapshot) in snapshots where ObjectIdentifier(snapshot.object) != identifier {
            violations.append("\(snapshot.object.diagnosticName): is the object of another snapshot")
        }
        if posted != nil && !isProcessing { violations.append("An event is posted that isn't processed.") }
        return violations
    }
}
