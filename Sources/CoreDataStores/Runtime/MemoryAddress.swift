// SPDX-License-Identifier: Apache-2.0

/// The address of a value. The code that stores it knows its type and lifetime.
@usableFromInline package struct MemoryAddress: Equatable, BitwiseCopyable, @unchecked Sendable {
    @usableFromInline package let pointer: UnsafeRawPointer

    @inlinable @inline(__always) package init(_ pointer: UnsafeRawPointer) { self.pointer = pointer }
    @inlinable @inline(__always) package init(_ object: AnyObject) {
        pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
}

/// Addresses that are added to a table at once.
package struct MemoryAddressList: @unchecked Sendable {
    package let addresses: UnsafeBufferPointer<UnsafeRawPointer>

    package init(_ addresses: UnsafeBufferPointer<UnsafeRawPointer>) { self.addresses = addresses }
}
