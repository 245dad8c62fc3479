/// The address of a value. The code that stores it knows its type and lifetime.
struct MemoryAddress: Equatable, BitwiseCopyable, @unchecked Sendable {
    let pointer: UnsafeRawPointer

    @inline(__always) init(_ pointer: UnsafeRawPointer) { self.pointer = pointer }
    @inline(__always) init(_ object: AnyObject) {
        pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
}

/// Addresses that are added to a table at once.
struct MemoryAddressList: @unchecked Sendable {
    let addresses: UnsafeBufferPointer<UnsafeRawPointer>

    init(_ addresses: UnsafeBufferPointer<UnsafeRawPointer>) { self.addresses = addresses }
}
