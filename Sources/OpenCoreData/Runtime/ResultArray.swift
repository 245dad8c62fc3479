internal import CSwiftRuntime

/// Looks at an array of objects that was given away, without keeping it.
///
/// An array is a reference to its storage, an object of the runtime's own, which can be referred to weakly. Whoever
/// changes the array while others hold its storage gets a copy; a sole owner changes it in place, so elements are
/// compared before they are relied on. Checked by `RuntimeTests`.
struct ResultArray {
    private weak var storage: AnyObject?

    /// Nil for an empty array, and where arrays are no single references.
    init?(_ objects: [NSManagedObject]) {
        guard !objects.isEmpty, MemoryLayout<[NSManagedObject]>.size == MemoryLayout<AnyObject>.size else { return nil }
        storage = unsafeBitCast(objects, to: AnyObject.self)
    }

    /// The array, if it is still there.
    var objects: [NSManagedObject]? { storage.map { unsafeBitCast($0, to: [NSManagedObject].self) } }
}

extension NSManagedObject {
    /// Whether nobody holds the object but one array and the given number of references of the caller.
    ///
    /// A reference that somebody uses across a call of ours is counted: the compiler can't know that the call leaves
    /// the array's element alone.
    @inline(never)
    final func isHeldOnlyByArray(and callers: Int) -> Bool {
        swift_retainCount(Unmanaged.passUnretained(self).toOpaque()) == callers + 1
    }
}
