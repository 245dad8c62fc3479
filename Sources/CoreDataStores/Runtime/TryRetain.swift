// SPDX-License-Identifier: Apache-2.0

internal import CSwiftRuntime

/// Retains the object at `address` unless it is being deallocated.
///
/// Identity tables and row caches contain plain addresses, so that a registered object needs no side table and no
/// dictionary entry. A look-up may run at the same time as the last release; the runtime's conditional retain, which
/// Swift's own `weak` uses, decides which comes first. The memory at `address` must still be allocated: the caller has
/// the lock that the object's `deinit` takes. Tested by `RuntimeTests`.
@inlinable @inline(__always)
package func tryRetain<Object: AnyObject>(_ address: MemoryAddress, as type: Object.Type) -> Object? {
    guard let retained = retainedPointer(address.pointer) else { return nil }
    return Unmanaged<Object>.fromOpaque(retained).takeRetainedValue()
}

@usableFromInline
func retainedPointer(_ pointer: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    swift_tryRetain(UnsafeMutableRawPointer(mutating: pointer))
}
