// SPDX-License-Identifier: Apache-2.0

/// A weak reference that the object knows.
///
/// `weak` gives its object a side table, and each retain and release of the object then takes several times as long. An
/// object of a hot path has a link instead, and removes itself from it in its `deinit`. Invariant: an address in the
/// link points to allocated memory, because the `deinit` takes the link's lock.
package final class ObjectLink<Object: AnyObject>: Sendable {
    private let address = Locked<MemoryAddress?>(nil)

    package init() {}

    /// Refers to an object, which keeps the link and calls ``remove()`` in its `deinit`.
    package func refer(to object: Object) {
        let new = MemoryAddress(object)
        address.withLock { $0 = new }
    }

    /// The object, if it is not deallocated.
    @inline(__always)
    package var object: Object? {
        address.withLock { address -> Object? in
            guard let address else { return nil }
            return tryRetain(address, as: Object.self)
        }
    }

    package func remove() { address.withLock { $0 = nil } }
}
