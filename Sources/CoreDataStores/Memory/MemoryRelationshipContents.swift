// SPDX-License-Identifier: Apache-2.0

/// The contents of a to-many relationship in a store in memory, in order. Adding to large contents costs no search.
package struct MemoryRelationshipContents {
    private(set) var members: [ObjectReference] = []
    /// The keys of the members; nil for few members.
    private var keys: Set<Int64>?

    /// The number of members above which the keys are hashed.
    private static let unhashedLimit = 24

    init() {}

    package init(_ members: [ObjectReference]) {
        self.members = members
        hashKeys()
    }

    package func contains(_ key: Int64) -> Bool { keys?.contains(key) ?? members.contains { $0.key == key } }

    /// Adds a member at the end, unless it is a member already.
    package mutating func append(_ member: ObjectReference) {
        guard !contains(member.key) else { return }
        members.append(member)
        if keys == nil { hashKeys() } else { keys?.insert(member.key) }
    }

    /// Removes the members that are there.
    package mutating func remove(_ removed: Set<Int64>) {
        if removed.count == 1, let key = removed.first {
            guard contains(key), let index = members.firstIndex(where: { $0.key == key }) else { return }
            members.remove(at: index)
        } else {
            members.removeAll { removed.contains($0.key) }
        }
        if keys != nil { for key in removed { keys?.remove(key) } }
    }

    private mutating func hashKeys() {
        if members.count > Self.unhashedLimit { keys = Set(members.map(\.key)) }
    }
}
