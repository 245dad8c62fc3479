/// A to-many content in a store in memory, in order. Adding to a large one costs no search.
struct MemoryContent {
    private(set) var members: [ObjectReference] = []
    /// The members' keys, once there are many.
    private var keys: Set<Int64>?

    /// From how many members on the keys are listed.
    private static let listingCount = 24

    init() {}

    init(_ members: [ObjectReference]) {
        self.members = members
        listKeys()
    }

    func contains(_ key: Int64) -> Bool { keys?.contains(key) ?? members.contains { $0.key == key } }

    /// Adds a member at the end, unless it is there.
    mutating func append(_ member: ObjectReference) {
        guard !contains(member.key) else { return }
        members.append(member)
        if keys == nil { listKeys() } else { keys?.insert(member.key) }
    }

    /// Removes the members that are there.
    mutating func remove(_ removed: Set<Int64>) {
        if removed.count == 1, let key = removed.first {
            guard contains(key), let index = members.firstIndex(where: { $0.key == key }) else { return }
            members.remove(at: index)
        } else {
            members.removeAll { removed.contains($0.key) }
        }
        if keys != nil { for key in removed { keys?.remove(key) } }
    }

    private mutating func listKeys() {
        if members.count > Self.listingCount { keys = Set(members.map(\.key)) }
    }
}
