// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The object ID, which may be read on any thread while the context's queue registers and saves the object.
///
/// - The ID is made when it is first asked for. `storedObjectID` holds a retained reference to it, 0 before: stored
///   with release semantics, loaded with acquire semantics. Its lowest bit, which no reference has, marks a detached
///   object: the flags belong to the context's queue.
/// - A save that gives a known object its permanent key replaces the ID. The new ID keeps the replaced one, so that a
///   thread that has just loaded the old reference never reads deallocated memory. A permanent ID is not replaced as
///   long as the object is registered, so reading it takes no lock.
/// - Key, table, ID and mark change under `IdentityLocks`. The context's queue is the only writer of key and table,
///   and reads them without the lock.
extension NSManagedObject {
    /// The ID, if it was made already.
    @inline(__always)
    final var knownObjectID: NSManagedObjectID? {
        let stored = storedObjectID.load(ordering: .acquiring) & ~Self.detachedMark
        guard let address = UnsafeRawPointer(bitPattern: stored) else { return nil }
        return Unmanaged<NSManagedObjectID>.fromOpaque(address).takeUnretainedValue()
    }

    private static var detachedMark: UInt { 1 }

    /// Tells other threads whether the object has left its context.
    final func setDetached(_ isDetached: Bool) {
        if isDetached { flags.insert(.detached) } else { flags.remove(.detached) }
        IdentityLocks.withLock(of: self) {
            let id = storedObjectID.load(ordering: .relaxed) & ~Self.detachedMark
            storedObjectID.store(isDetached ? id | Self.detachedMark : id, ordering: .releasing)
        }
    }

    /// The result of `managedObjectContext`, on any thread.
    final func currentContext() -> NSManagedObjectContext? {
        if storedObjectID.load(ordering: .acquiring) & Self.detachedMark != 0 { return nil }
        return IdentityLocks.withLock(of: self) { table?.handle }?.link.object
    }

    /// The ID. It is made if it doesn't exist yet. A temporary ID is replaced if the parent context has a permanent key
    /// for it.
    @inline(never)
    final func currentObjectID() -> NSManagedObjectID {
        if layout.isRecording { _ = KeyRecording.value(forKey: "objectID", of: self) }
        let (key, table) = IdentityLocks.withLock(of: self) { (primaryKey, self.table) }
        if key < 0, let table, table.handle.parent != nil { table.handle.link.object?.applyPermanentKeysOnQueue() }
        return makeObjectID()
    }

    private func makeObjectID() -> NSManagedObjectID {
        IdentityLocks.withLock(of: self) {
            if let known = knownObjectID { return known }
            if table == nil {
                checkModel()
                if primaryKey == 0 { primaryKey = TemporaryKeys.make() }
            }
            let id = NSManagedObjectID(layout: layout, store: table?.store, key: primaryKey)
            setObjectID(id)
            return id
        }
    }

    /// The reference by which coordinator and stores name the object. A save replaces the temporary key of a new
    /// object.
    @inline(__always)
    final var reference: ObjectReference { ObjectReference(key: primaryKey, layout: layoutNumber) }

    /// Lets an object without context keep its model: its ID does.
    final func keepModel() {
        if table == nil && knownObjectID == nil && !flags.contains(.modelIsKept) { _ = makeObjectID() }
    }

    private func checkModel() {
        if layout.entity.owningModel != nil { return }
        programmingError(
            "The model of the entity '\(layout.name)' was deallocated, and an object without context is used.",
            remedy: "Keep the NSManagedObjectModel, or a container or coordinator that uses it.")
    }

    /// Gives the object another key and table, and another ID if its ID is known.
    final func setIdentity(table: IdentityTable, key: Int64) {
        IdentityLocks.withLock(of: self) {
            self.table = table
            primaryKey = key
            guard let old = knownObjectID, old.key != key || old.storeIdentity !== table.store else { return }
            setObjectID(NSManagedObjectID(layout: layout, store: table.store, key: key, replacing: old))
            // The new ID keeps the old one.
            Unmanaged.passUnretained(old).release()
        }
    }

    /// Makes a detached object one without context.
    final func removeTable() {
        let old = IdentityLocks.withLock(of: self) {
            let old = table
            table = nil
            return old
        }
        // The table is released without the lock.
        _ = old
    }

    /// Sets the ID of an object that no other thread knows yet, or under the lock.
    final func setObjectID(_ id: NSManagedObjectID) {
        let mark = storedObjectID.load(ordering: .relaxed) & Self.detachedMark
        storedObjectID.store(UInt(bitPattern: Unmanaged.passRetained(id).toOpaque()) | mark, ordering: .releasing)
    }

    /// Releases the ID of an object that no other thread knows.
    final func releaseObjectID() {
        guard let known = knownObjectID else { return }
        storedObjectID.store(0, ordering: .relaxed)
        Unmanaged.passUnretained(known).release()
    }
}

/// The locks of the objects' identities. An object has one of a fixed number of locks, chosen by its address, so that
/// the lock takes no memory in the object and threads seldom wait for each other.
private enum IdentityLocks {
    private final class Lock: Sendable {
        let mutex = Locked(())
    }

    private static let locks = (0..<64).map { _ in Lock() }

    @inline(__always)
    static func withLock<Result: Sendable>(of object: NSManagedObject, _ body: () -> Result) -> Result {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        // Objects are aligned to 16 bytes and about 112 bytes apart.
        let index = Int((address >> 4) ^ (address >> 10)) & 63
        return locks[index].mutex.withLock { _ in body() }
    }
}

extension NSManagedObject: IdentifiedObject {}
