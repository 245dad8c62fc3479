import TestSupport

/// One step of a process with one version of a model.
struct VersionStep: Codable {
    enum Kind: String, Codable, CaseIterable {
        /// The objects that all processes share.
        case setUp
        case open, close
        case insert, update, link, delete, deleteGroup, batchInsert, batchUpdate, batchDelete, count
        case fetch, history, purge
        /// A migration by a mapping model, which makes a new store.
        case migrate
    }

    /// How the process opens the store, if it isn't open.
    enum Opening: String, Codable {
        case plain, migrates
        /// Also to a former version.
        case migratesBack
    }

    let number: Int
    let kind: Kind
    /// Whose entries the step changes.
    let owner: Int
    let opening: Opening
    /// Whether the context forgets its objects before.
    var resets = false

    init(_ number: Int, _ kind: Kind, owner: Int, opening: Opening = .migrates) {
        self.number = number
        self.kind = kind
        self.owner = owner
        self.opening = opening
    }

    /// - Parameter goesBack: whether stores are migrated to former versions.
    static func random(_ number: Int, owner: Int, goesBack: Bool, _ random: inout SeededGenerator) -> VersionStep {
        let frequent: [Kind] = [.insert, .insert, .update, .update, .link, .batchInsert, .count, .fetch, .history]
        let rare: [Kind] = [.delete, .deleteGroup, .batchUpdate, .batchDelete, .purge, .close, .close, .migrate]
        let kinds = random.chance(3, of: 5) ? frequent : rare
        var openings: [Opening] = [.migrates, .migrates, .migrates, .plain]
        if goesBack { openings += [.migratesBack, .migratesBack] }
        var step = VersionStep(
            number, kinds[Int.random(in: 0..<kinds.count, using: &random)], owner: owner,
            opening: openings[Int.random(in: 0..<openings.count, using: &random)])
        step.resets = random.chance(1, of: 2)
        return step
    }

    // MARK: What the step writes

    static let slotCount = 12
    static let sharedTag = "shared"
    var group: String { "group \(owner)" }
    var tags: [String] { ["tag \(owner).0", "tag \(owner).1"] }
    var text: String { "\(kind) \(number)" }

    /// The slots of the entries that the step changes.
    var slots: [Int] {
        let divisor = kind == .link ? 2 : kind == .delete || kind == .batchDelete ? 4 : 3
        return (0..<Self.slotCount).filter { $0 % divisor == number % divisor }
    }

    /// Whether a step that links entries gives them a group. Otherwise it takes them out of theirs.
    var hasGroup: Bool { number % 4 < 2 }

    /// The image of an entry: none, one in the row, or one in a file.
    func image(_ position: Int) -> (count: Int, byte: UInt8)? {
        let count = [0, 10, 150_000][(number + position) % 3]
        return count == 0 ? nil : (count, UInt8((number &* 31 &+ position) & 0xFF))
    }

    /// The entries that the step inserts.
    func insertedEntries(_ version: Int) -> [(name: String, entry: VersionContents.Entry)] {
        let isBatch = kind == .batchInsert
        let entities = isBatch ? ["Note", "Note", "Note", "Note"] : ["Entry", "Note", version == 2 ? "Draft" : "Note"]
        return entities.enumerated().map { index, entity in
            let position = number * 10 + index
            let name = "\(owner).\(number).\(index)"
            var entry = VersionContents.Entry(
                entity: entity, owner: owner, slot: position % Self.slotCount, position: position, text: text)
            entry.image = image(position).map { VersionContents.description($0.count, $0.byte) }
            if version == 2 { entry.extra = index == 1 ? text : VersionedModel.newText }
            if version == 1, index == 1 { entry.seen = number }
            if isBatch { return (name, entry) }
            entry.group = index < 2 ? group : nil
            entry.tags = [[], [tags[0]], [Self.sharedTag, tags[0]]][index]
            return (name, entry)
        }
    }
}
