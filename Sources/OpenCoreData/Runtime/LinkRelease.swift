// SPDX-License-Identifier: Apache-2.0

/// Releases the links of deallocated objects without recursion.
///
/// An object holds the objects that its relationships have led to. If each of a long chain of objects released the next
/// one in its `deinit`, the stack would overflow. So the outermost `deinit` of a thread releases its links, and then,
/// one after the other, the links of the objects that these releases have deallocated.
enum LinkRelease {
    private struct List {
        var waiting: [(links: UnsafeMutablePointer<AnyObject?>, count: Int)] = []
    }

    /// The list of the release that is under way on the current thread.
    private static let entry = OperatingSystem.ThreadLocalPointer()

    /// Releases links and frees their memory. If a release is under way on this thread, that release does it.
    static func release(_ links: UnsafeMutablePointer<AnyObject?>, count: Int) {
        guard (0..<count).contains(where: { endsLinks(&links[$0]) }) else { return end(links, count) }
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

    /// Whether the release of a link may deallocate an object with links. A link with other references ends nothing.
    private static func endsLinks(_ link: inout AnyObject?) -> Bool {
        guard isKnownUniquelyReferenced(&link) else { return false }
        return (link as? NSManagedObject).map { $0.links != nil } ?? true
    }

    private static func end(_ links: UnsafeMutablePointer<AnyObject?>, _ count: Int) {
        links.deinitialize(count: count)
        links.deallocate()
    }
}
