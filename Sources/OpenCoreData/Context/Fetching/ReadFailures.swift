// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// Runs a body, and throws the error of a fault or relationship that could not be read during it. Such a fault got
    /// empty values, which the caller must not use. Used on the context's queue.
    ///
    /// - Throws: the last such error; without one, what the body throws.
    package final func throwingReadFailures<Value>(_ body: () throws -> Value) throws -> Value {
        try reading.throwingFailure(of: body)
    }
}

extension NSManagedObject {
    /// Makes an object whose row could not be read a fault again, so that the next access reads it. The failure has
    /// left the object with empty values, not as a fault.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) if the object was changed since then; a save
    ///   refuses it, too.
    package final func readAgainAfterFailure() throws {
        guard row == nil, primaryKey > 0 || table?.handle.parent != nil,
            flags.isDisjoint(with: [.fault, .inserted, .deleted, .detached])
        else { return }
        guard !flags.contains(.updated) else { throw SavePlan.unreadable(self) }
        refaultAfterFailedRead()
    }
}
