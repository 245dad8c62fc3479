// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Foundation's sets, made of a Swift set.
///
/// `NSSet`'s initializers cast each member, and let the set grow member by member, so that most of them are hashed
/// several times. An `NSSet` contains a Swift set, which is made here in its final size.
///
/// A self-check at first use compares such a set with one that Foundation has made. On a toolchain whose class has
/// other stored properties Foundation makes all sets: slower, and as correct. Tested by `FoundationStorageTests`.
enum SetStorage {
    /// 0 before the self-check, then 1 (usable) or 2.
    private static let checked = Atomic<UInt8>(0)

    /// A set of objects; nil on another toolchain.
    static func makeSet(_ objects: [NSManagedObject]) -> NSSet? {
        guard isUsable else { return nil }
        var storage = Set<NSObject>(minimumCapacity: objects.count)
        for object in objects { storage.insert(object) }
        return makeSet(containing: storage)
    }

    static var isUsable: Bool {
        let state = checked.load(ordering: .relaxed)
        return state == 0 ? check() : state == 1
    }

    /// A word with flags of CoreFoundation, and the Swift set.
    private static let storageWords = 2
    private static var position: Int { ClassMetadata.headerWords + 1 }

    /// Invariant: the word of a new `NSSet` at this position is its Swift set, as the self-check finds: there it is the
    /// empty one. No other code has the new `NSSet` yet. The assignment releases the empty set and retains the other
    /// one, which the `deinit` of the `NSSet` releases.
    private static func makeSet(containing storage: Set<NSObject>) -> NSSet {
        let set = NSSet()
        withExtendedLifetime(set) {
            UnsafeMutableRawPointer(ClassMetadata.words(of: set) + position)
                .assumingMemoryBound(to: Set<NSObject>.self).pointee = storage
        }
        return set
    }

    @inline(never)
    private static func check() -> Bool {
        let isUsable = hasExpectedStorage && makesEqualSets()
        checked.store(isUsable ? 1 : 2, ordering: .relaxed)
        return isUsable
    }

    private static var hasExpectedStorage: Bool {
        guard MemoryLayout<Set<NSObject>>.size == MemoryLayout<UInt>.size,
            ClassMetadata.instanceWords(of: NSObject.self) == ClassMetadata.headerWords,
            ClassMetadata.instanceWords(of: NSSet.self) == ClassMetadata.headerWords + storageWords
        else { return false }
        let (set, other) = (NSSet(), NSSet())
        return withExtendedLifetime((set, other)) {
            let empty = unsafeBitCast(Set<NSObject>(), to: UInt.self)
            return set !== other && ClassMetadata.words(of: set)[position] == empty
                && ClassMetadata.words(of: other)[position] == empty
                && ClassMetadata.words(of: set)[position - 1] != empty
        }
    }

    private static func makesEqualSets() -> Bool {
        let objects = (0..<5).map { _ in NSObject() }
        let (made, expected) = (makeSet(containing: Set(objects)), NSSet(array: objects))
        var enumerated: Set<ObjectIdentifier> = []
        for object in made { enumerated.insert(ObjectIdentifier(object as AnyObject)) }
        return type(of: made) == NSSet.self && made.count == 5 && made.isEqual(expected) && expected.isEqual(made)
            && enumerated == Set(objects.map { ObjectIdentifier($0) })
            && objects.allSatisfy { made.contains($0) } && !made.contains(NSObject())
            && (made.mutableCopy() as? NSMutableSet)?.count == 5 && NSSet().count == 0
    }
}
