// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Sets that share their storage with a set of members (`MemberSet`): typed Swift sets, and Foundation's sets.
///
/// `NSSet`'s initializers cast each member, and let the set grow member by member, so that most of them are hashed
/// several times. An `NSSet` contains a Swift set. The storage of a Swift set has the references to the members at
/// places that their hashes give, whatever type the references have. So a set of members can be used as a set of their
/// class.
///
/// A self-check at first use compares such sets with sets that Foundation and Swift have made. On a toolchain with
/// another storage Foundation and Swift make all sets: slower, and as correct. Tested by `FoundationStorageTests`.
enum SetStorage {
    typealias Member = MemberSet.Member

    /// 0 before the self-check, then 1 (usable) or 2.
    private static let checked = Atomic<UInt8>(0)

    /// A set of Foundation with members; nil on another toolchain.
    static func makeSet(_ members: Set<Member>) -> NSSet? {
        isUsable ? makeSet(containing: unsafeBitCast(members, to: Set<NSObject>.self)) : nil
    }

    /// The members as objects of a class that all of them have; nil on another toolchain.
    @inline(__always)
    static func objects<Object: NSManagedObject>(in members: Set<Member>) -> Set<Object>? {
        isUsable ? unsafeBitCast(members, to: Set<Object>.self) : nil
    }

    static var isUsable: Bool {
        let state = checked.load(ordering: .relaxed)
        return state == 0 ? check() : state == 1
    }

    /// A word with flags of CoreFoundation, and the Swift set.
    private static let storageWords = 2
    private static var position: Int { ClassMetadata.headerWords + 1 }

    /// Invariant: the word of a new `NSSet` at this position is its Swift set, as the self-check finds. In a new
    /// `NSSet` it is the empty set. No other code has the new `NSSet` yet. The assignment releases the empty set and
    /// retains the given set, which the `deinit` of the `NSSet` releases.
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
        let isUsable = FastPath.setStorage.isOn && hasExpectedStorage && makesEqualSets() && hasEqualPlaces()
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

    /// Whether a set of members, as one of objects, finds, adds and removes them.
    private static func hasEqualPlaces() -> Bool {
        guard MemoryLayout<Set<Member>>.size == MemoryLayout<UInt>.size,
            MemoryLayout<Member>.size == MemoryLayout<UInt>.size
        else { return false }
        let (model, entity) = (NSManagedObjectModel(), NSEntityDescription())
        entity.name = "Member"
        model.entities = [entity]
        let objects = (0..<20).map { _ in NSManagedObject(entity: entity, insertInto: nil) }
        let members = Set(objects.dropFirst().map { Member(object: $0) })
        let expected = Set(objects.dropFirst())
        let shared = unsafeBitCast(members, to: Set<NSManagedObject>.self)
        var changed = shared
        changed.remove(objects[1])
        changed.insert(objects[0])
        return shared.count == 19 && shared == expected && expected == shared && !shared.contains(objects[0])
            && objects.dropFirst().allSatisfy { shared.contains($0) && members.contains(Member(object: $0)) }
            && changed.count == 19 && changed == Set(objects.prefix(1) + objects.dropFirst(2))
            && Set(shared.map { ObjectIdentifier($0) }) == Set(expected.map { ObjectIdentifier($0) })
    }
}
