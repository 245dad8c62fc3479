// SPDX-License-Identifier: Apache-2.0

/// The results of a closure for the objects of an array, in the memory of the array.
///
/// Another array would be another walk through the objects at its release, and each count of a reference is an atomic
/// operation.
///
/// - Parameters:
///   - objects: the objects. The array is copied before if another reference to it exists.
///   - transform: takes over the reference to an object, and gives its result; nil leaves the object out.
@inlinable
package func mapInPlace<Object: AnyObject, Result: AnyObject>(
    _ objects: consuming [Object], _ transform: (_ object: Unmanaged<Object>) -> Result?
) -> [Result] {
    // Arrays of objects have one layout.
    var places = unsafeBitCast(consume objects, to: [AnyObject].self)
    var count = 0
    places.withUnsafeMutableBufferPointer { elements in
        guard let start = UnsafeMutableRawPointer(elements.baseAddress) else { return }
        let stride = MemoryLayout<AnyObject>.stride
        for index in elements.indices {
            let object = (start + index * stride).load(as: UnsafeRawPointer.self)
            guard let result = transform(Unmanaged.fromOpaque(object)) else { continue }
            (start + count * stride).initializeMemory(as: Result.self, to: consume result)
            count += 1
        }
        guard count < elements.count else { return }
        // The array releases an element in each place of a left-out object, so a filler takes these places.
        let filler = Filler()
        for index in count..<elements.count {
            (start + index * stride).initializeMemory(as: AnyObject.self, to: filler)
        }
    }
    places.removeLast(places.count - count)
    return unsafeBitCast(places, to: [Result].self)
}

@usableFromInline final class Filler {
    @usableFromInline init() {}
}
