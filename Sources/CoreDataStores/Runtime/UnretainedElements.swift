// SPDX-License-Identifier: Apache-2.0

extension Optional where Wrapped: AnyObject {
    /// The object of a stored reference, without a retain. The storage keeps the object alive.
    @inlinable @inline(__always)
    package var unretained: Unmanaged<Wrapped>? { map(Unmanaged.passUnretained) }
}

extension UnsafeBufferPointer where Element: AnyObject {
    /// An element, without a retain. The memory keeps the element alive.
    @inlinable @inline(__always)
    package func unretained(at index: Int) -> Unmanaged<Element> {
        precondition(index < count)
        return Unmanaged.fromOpaque(UnsafeRawPointer(baseAddress! + index).load(as: UnsafeRawPointer.self))
    }
}

/// Walks through many objects without counting references: a retain is an atomic operation, which waits for each object
/// that is not in the processor's cache. The array keeps the elements alive during the walk.
extension Array where Element: AnyObject {
    /// Calls a closure with each element, without counting references.
    @inlinable @inline(__always)
    package func forEachUnretained(_ body: (_ index: Int, _ element: Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { try $0.forEachUnretained(body) }
    }
}

extension ContiguousArray where Element: AnyObject {
    /// Calls a closure with each element, without counting references.
    @inlinable @inline(__always)
    package func forEachUnretained(_ body: (_ index: Int, _ element: Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { try $0.forEachUnretained(body) }
    }
}

extension UnsafeBufferPointer where Element: AnyObject {
    @inlinable @inline(__always)
    package func forEachUnretained(_ body: (_ index: Int, _ element: Element) throws -> Void) rethrows {
        for index in indices { try unretained(at: index)._withUnsafeGuaranteedRef { try body(index, $0) } }
    }
}
