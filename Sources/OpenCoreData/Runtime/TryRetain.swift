internal import CSwiftRuntime

/// Retains the object at `address` unless it is being deallocated.
///
/// The identity tables and row caches hold plain addresses, so that a registered object costs no side table and no
/// dictionary entry. A look-up must then win or lose against a concurrent release; the runtime's conditional retain,
/// on which Swift's own `weak` rests, decides. The memory at `address` must still be allocated: callers hold the lock
/// that the object's `deinit` takes. Checked by `RuntimeTests`.
@inline(__always)
func tryRetain<Object: AnyObject>(_ address: KeyTable.Address, as type: Object.Type) -> Object? {
    guard let retained = swift_tryRetain(UnsafeMutableRawPointer(mutating: address.pointer)) else { return nil }
    return Unmanaged<Object>.fromOpaque(retained).takeRetainedValue()
}
