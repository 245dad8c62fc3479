// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The storage of Foundation's ordered sets, which two of them can exchange.
///
/// `NSMutableOrderedSet` inserts object by object, and a subclass has no other way to get many: `mutableCopy()`, which
/// takes a thirtieth of the time, makes an object of Foundation's class. So such a copy is made, and exchanges its
/// storage with the instance of the subclass.
///
/// A self-check at first use exchanges the storages of two sets and compares their members. On a toolchain whose class
/// has other stored properties nothing is exchanged: slower, and as correct. Tested by `FoundationStorageTests`.
enum OrderedSetStorage {
    /// 0 before the self-check, then 1 (usable) or 2.
    private static let checked = Atomic<UInt8>(0)

    /// Exchanges the members of two sets.
    ///
    /// - Returns: false on another toolchain; the sets are unchanged then.
    static func exchange(_ one: NSMutableOrderedSet, _ other: NSMutableOrderedSet) -> Bool {
        guard isExchangeable else { return false }
        exchangeWords(one, other)
        return true
    }

    static var isExchangeable: Bool {
        let state = checked.load(ordering: .relaxed)
        return state == 0 ? check() : state == 1
    }

    /// The set and the list of `NSOrderedSet`, then the mutable set and the mutable list of `NSMutableOrderedSet`.
    private static let storageWords = 4

    /// Exchanges the stored properties that `NSMutableOrderedSet` has and inherits.
    ///
    /// Invariant: both objects have these words after their headers, as the sizes of the classes show. Each is a
    /// retained reference to another object, and nothing refers to the words themselves. Exchanging the words exchanges
    /// the ownership, so that each object releases in its `deinit` the references that it has then. No other thread
    /// uses the sets at the same time.
    private static func exchangeWords(_ one: NSMutableOrderedSet, _ other: NSMutableOrderedSet) {
        withExtendedLifetime((one, other)) {
            let (first, second) = (ClassMetadata.words(of: one), ClassMetadata.words(of: other))
            for index in ClassMetadata.headerWords..<(ClassMetadata.headerWords + storageWords) {
                (first[index], second[index]) = (second[index], first[index])
            }
        }
    }

    @inline(never)
    private static func check() -> Bool {
        let header = ClassMetadata.headerWords
        let hasExpectedSize =
            ClassMetadata.instanceWords(of: NSObject.self) == header
            && ClassMetadata.instanceWords(of: NSOrderedSet.self) == header + storageWords / 2
            && ClassMetadata.instanceWords(of: NSMutableOrderedSet.self) == header + storageWords
        let isUsable = FastPath.setStorage.isOn && hasExpectedSize && exchangesMembers()
        checked.store(isUsable ? 1 : 2, ordering: .relaxed)
        return isUsable
    }

    private static func exchangesMembers() -> Bool {
        let objects = (0..<4).map { _ in NSObject() }
        guard
            let one = NSOrderedSet(array: [objects[0], objects[1], objects[2]]).mutableCopy() as? NSMutableOrderedSet
        else { return false }
        let other = NSMutableOrderedSet(array: [objects[3]])
        exchangeWords(one, other)
        other.insert(objects[3], at: 1)
        one.remove(objects[3])
        let expected = [objects[0], objects[3], objects[1], objects[2]]
        return one.count == 0 && other.count == 4 && !one.contains(objects[0])
            && expected.indices.allSatisfy {
                other.object(at: $0) as AnyObject === expected[$0] && other.contains(expected[$0])
            }
    }
}
