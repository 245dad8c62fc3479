// SPDX-License-Identifier: Apache-2.0

internal import CSwiftRuntime

/// Strong references to one object that are counted at once, and then given away one by one.
///
/// A fetch makes many objects that keep the same buffer and the same table. Each count of a reference is an atomic
/// operation, which takes longer than all else of storing it.
package struct CountedReferences<Object: AnyObject> {
    @usableFromInline let object: Unmanaged<Object>
    @usableFromInline var count: Int

    /// - Parameter count: the number of references; all of them must be taken, or the rest released.
    @inlinable
    package init(_ object: Object, count: Int) {
        self.object = Unmanaged.passUnretained(object)
        self.count = count
        countReferences(self.object.toOpaque(), count)
    }

    /// Gives one reference away.
    @inlinable @inline(__always)
    package mutating func take() -> Object {
        assert(count > 0, "More references are taken than were counted.")
        count -= 1
        return object.takeRetainedValue()
    }

    /// Releases the references that were not given away.
    package mutating func releaseRest() {
        while count > 0 { _ = take() }
    }
}

@usableFromInline
func countReferences(_ object: UnsafeMutableRawPointer, _ count: Int) {
    if count > 0 { _ = swift_retain_n(object, UInt32(count)) }
}
