// SPDX-License-Identifier: Apache-2.0

/// Releases the links of deallocated objects without recursion.
///
/// An object holds the objects that its relationships have led to. If each of a long chain of objects released the next
/// one in its `deinit`, the stack would overflow. So the outermost `deinit` of a thread releases its links, and after
/// them, one after the other, those of the objects that were deallocated meanwhile.
enum LinkRelease {
    private struct List {
        var waiting: [(links: UnsafeMutablePointer<AnyObject?>, count: Int)] = []
    }

    /// The list of the release that is under way on the current thread.
    private static let entry = OperatingSystem.ThreadLocalPointer()

    /// Releases links, or has the caller of the release that is under way do so, and frees their memory.
    static func release(_ links: UnsafeMutablePointer<AnyObject?>, count: Int) {
        // Links that others hold, too, end no object.
        if !(0..<count).contains(where: { isKnownUniquelyReferenced(&links[$0]) }) { return end(links, count) }
        if let outer = entry.value {
            outer.assumingMemoryBound(to: List.self).pointee.waiting.append((links, count))
            return
        }
        var list = List()
        withUnsafeMutablePointer(to: &list) { list in
            entry.value = UnsafeMutableRawPointer(list)
            end(links, count)
            while let next = list.pointee.waiting.popLast() { end(next.links, next.count) }
            entry.value = nil
        }
    }

    private static func end(_ links: UnsafeMutablePointer<AnyObject?>, _ count: Int) {
        links.deinitialize(count: count)
        links.deallocate()
    }
}
