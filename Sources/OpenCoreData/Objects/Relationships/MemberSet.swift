// SPDX-License-Identifier: Apache-2.0

/// The members of a to-many relationship as one Swift set. All sets that the program gets share it: the sets of typed
/// accessors, and the `NSSet`.
///
/// A Swift set that is shared is copied before it changes. So a set that a program got stays as it is: if the program
/// still has it, the first change after that copies all members, and further changes don't.
struct MemberSet {
    private var members: Set<Member>
    /// The set of Foundation for readers, if no member has changed since it was made.
    private var shown: NSSet?
    /// A class that all members are known to have.
    private var checkedClass: ObjectIdentifier?
    /// The number of changes since the last reader.
    private var unreadChanges = 0

    init(_ objects: [NSManagedObject]) {
        members = Set(minimumCapacity: objects.count)
        for object in objects { members.insert(Member(object: object)) }
    }

    /// The members as Foundation's set: the same object until the members change.
    var set: NSSet {
        mutating get {
            if let shown { return shown }
            unreadChanges = 0
            let new = SetStorage.makeSet(members) ?? NSSet(array: members.map(\.object))
            shown = new
            return new
        }
    }

    /// The members as objects of a class; nil if one of them has another class.
    mutating func objects<Object: NSManagedObject>(as type: Object.Type) -> Set<Object>? {
        unreadChanges = 0
        if checkedClass != ObjectIdentifier(type) {
            for member in members where Swift.type(of: member.object) != type {
                guard member.object is Object else { return nil }
            }
            checkedClass = ObjectIdentifier(type)
        }
        return SetStorage.objects(in: members)
            ?? Set(members.map { unsafeDowncast($0.object, to: Object.self) })
    }

    /// Adds a member.
    ///
    /// - Returns: false if making a new set later costs less than following the changes, because the program doesn't
    ///   read the set.
    mutating func insert(_ object: NSManagedObject) -> Bool {
        if checkedClass != ObjectIdentifier(type(of: object)) { checkedClass = nil }
        shown = nil
        members.insert(Member(object: object))
        return isWorthFollowing()
    }

    /// Removes a member.
    ///
    /// - Returns: as `insert(_:)`.
    mutating func remove(_ object: NSManagedObject) -> Bool {
        shown = nil
        members.remove(Member(object: object))
        return isWorthFollowing()
    }

    private mutating func isWorthFollowing() -> Bool {
        unreadChanges += 1
        return unreadChanges <= 16 || unreadChanges <= members.count / 4
    }

    /// Whether the sets have exactly some members; for tests.
    func hasMembers(_ objects: [NSManagedObject]) -> Bool {
        members == Set(objects.map { Member(object: $0) }) && shown?.isEqual(to: Set(objects)) != false
    }
}

extension MemberSet {
    /// An object in a set: at the place that its hash as an `NSObject` gives it, and compared by identity.
    struct Member: Hashable {
        let object: NSManagedObject

        @inline(__always)
        static func == (left: Member, right: Member) -> Bool { left.object === right.object }

        @inline(__always)
        func hash(into hasher: inout Hasher) { hasher.combine(object.hash) }
    }
}
