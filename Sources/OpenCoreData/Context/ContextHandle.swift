// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The part of a context that its objects refer to; it outlives the context.
///
/// `context` is set to nil when the context is deallocated; it is read and written on the context's queue, by code that
/// runs while the context exists. Code on any other thread reads `link` instead, because the context may be deallocated
/// at any time.
package final class ContextHandle: @unchecked Sendable {
    unowned(unsafe) var context: NSManagedObjectContext?
    /// The context, for any thread.
    let link = ObjectLink<NSManagedObjectContext>()
    /// Keeps the stores as long as objects of them exist.
    private(set) var coordinator: NSPersistentStoreCoordinator?
    /// The numbers of the layouts of the coordinator's model. Unchecked: used on the context's queue alone.
    @exclusivity(unchecked) private(set) var layoutNumbers: Range<UInt32> = 0..<0
    /// The maximal age of cached rows, in seconds; negative for any age.
    var stalenessInterval: TimeInterval = -1
    /// The handle of the parent context.
    private(set) var parent: ContextHandle?
    /// False if the context has no unsaved changes; may be read on any thread.
    let mayHaveChanges = Atomic<Bool>(false)
    /// The context's name, read by messages on any thread.
    let name = Mutex<String?>(nil)
    /// The author of the context's transactions; a child reads it on its own queue.
    let transactionAuthor = Mutex<String?>(nil)
    /// Whether the context is pinned to a query generation, or to be pinned; may be read on any thread.
    let mayBePinned = Atomic<Bool>(false)
    /// The registered objects, if the context retains them. Unchecked: read at each registration, used on the context's
    /// queue alone.
    @exclusivity(unchecked) private(set) var retained: [ObjectIdentifier: NSManagedObject]?
    /// The observers of the context and its objects.
    let observers = ChangeObservers()
    /// The saves of other contexts that wait for `mergeCollectedSaves()`; nil for a context that doesn't collect them.
    let collectedSaves = Mutex<[MergedChanges]?>(nil)
    /// Whether a save waits.
    let hasCollectedSaves = Atomic<Bool>(false)

    init() {}

    func setCoordinator(_ newCoordinator: NSPersistentStoreCoordinator?) {
        coordinator = newCoordinator
        layoutNumbers = newCoordinator?.layouts.numbers ?? 0..<0
    }

    // MARK: Retained objects

    /// Retains the registered objects from now on; nil to release them.
    func setRetained(_ objects: [NSManagedObject]?) {
        retained = objects.map { objects in
            Dictionary(objects.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Retains an object that is registered, if the context retains its objects.
    @inline(__always)
    func retain(_ object: NSManagedObject) {
        if retained != nil { retained?[ObjectIdentifier(object)] = object }
    }

    /// Releases an object that is registered no longer.
    func release(_ object: NSManagedObject) { retained?[ObjectIdentifier(object)] = nil }

    // MARK: Ancestors

    func setParent(_ handle: ContextHandle?) { parent = handle }

    /// Whether an ancestor context may have unsaved changes.
    var ancestorsMayHaveChanges: Bool {
        var next = parent
        while let handle = next {
            if handle.mayHaveChanges.load(ordering: .relaxed) { return true }
            next = handle.parent
        }
        return false
    }
}
