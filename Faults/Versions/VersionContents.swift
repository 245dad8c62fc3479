import OpenCoreData

/// The contents of a store, as they are or as they should be.
struct VersionContents: Codable, Equatable {
    struct Entry: Codable, Equatable {
        var entity: String
        var owner: Int
        var slot: Int
        var position: Int
        var text: String?
        var image: String?
        var group: String?
        /// Sorted.
        var tags: [String] = []
        /// An attribute of the second version.
        var extra: String?
        /// An attribute of the first version.
        var seen: Int?
    }

    /// The entries by name.
    var entries: [String: Entry] = [:]
    var groups: Set<String> = []
    var tags: Set<String> = []
    /// Nil without a counter.
    var counter: Int?

    static func description(_ count: Int, _ byte: UInt8) -> String { "\(count) bytes \(byte)" }

    // MARK: Steps

    /// Makes the changes of a step.
    ///
    /// - Returns: whether there are changes, so that the history has a transaction of the step.
    mutating func apply(_ step: VersionStep, version: Int) -> Bool {
        switch step.kind {
        case .setUp:
            tags.insert(VersionStep.sharedTag)
            counter = 0
            return true
        case .insert, .batchInsert:
            if step.kind == .insert {
                groups.insert(step.group)
                tags.formUnion(step.tags)
            }
            for (name, entry) in step.insertedEntries(version) { entries[name] = entry }
            return true
        case .update: return change(step) { Self.update(&$0, step, version) }
        case .link:
            let group = step.hasGroup && groups.contains(step.group) ? step.group : nil
            let tags = tags.contains(step.tags[1]) ? [step.tags[1]] : []
            return change(step) {
                $0.text = step.text
                $0.group = group
                $0.tags = tags
            }
        case .batchUpdate: return change(step) { $0.text = step.text }
        case .delete, .batchDelete:
            return remove { $0.owner == step.owner && step.slots.contains($0.slot) }
        case .deleteGroup:
            let hasMembers = remove { $0.group == step.group }
            return groups.remove(step.group) != nil || hasMembers
        case .count:
            counter = counter.map { $0 + 1 }
            return counter != nil
        case .open, .close, .fetch, .history, .purge, .migrate: return false
        }
    }

    private static func update(_ entry: inout Entry, _ step: VersionStep, _ version: Int) {
        entry.text = step.text
        if step.number % 2 == 0 { entry.image = step.image(entry.position).map { description($0.count, $0.byte) } }
        if version == 1 { entry.seen = step.number } else { entry.extra = step.text }
    }

    private mutating func change(_ step: VersionStep, _ body: (inout Entry) -> Void) -> Bool {
        let names = entries.filter { $0.value.owner == step.owner && step.slots.contains($0.value.slot) }.keys
        for name in names where entries[name] != nil { body(&entries[name]!) }
        return !names.isEmpty
    }

    private mutating func remove(_ isRemoved: (Entry) -> Bool) -> Bool {
        let count = entries.count
        entries = entries.filter { !isRemoved($0.value) }
        return entries.count != count
    }

    /// A migration loses what the other version doesn't have.
    mutating func migrate(to version: Int) {
        if version == 1 { entries = entries.filter { $0.value.entity != "Draft" } }
        for name in entries.keys {
            entries[name]?.extra = version == 2 ? VersionedModel.newText : nil
            entries[name]?.seen = nil
        }
    }

    // MARK: Comparison

    /// The values that both versions have: another process may have migrated the store.
    var common: VersionContents {
        var result = self
        for name in entries.keys {
            result.entries[name]?.extra = nil
            result.entries[name]?.seen = nil
        }
        return result
    }

    /// Forgets the entries of the second version that another process has migrated away.
    mutating func forgetDrafts(missingIn found: VersionContents) {
        entries = entries.filter { $0.value.entity != "Draft" || found.entries[$0.key] != nil }
    }

    /// The first differences to what was found, for a message; empty if there are none.
    func differences(to found: VersionContents) -> String {
        var texts: [String] = []
        for name in Set(entries.keys).union(found.entries.keys).sorted() where entries[name] != found.entries[name] {
            texts.append(
                "\(name): \(entries[name].map { "\($0)" } ?? "none") expected, "
                    + "\(found.entries[name].map { "\($0)" } ?? "none") found")
        }
        if groups != found.groups { texts.append("groups \(groups.sorted()) expected, \(found.groups.sorted()) found") }
        if tags != found.tags { texts.append("tags \(tags.sorted()) expected, \(found.tags.sorted()) found") }
        if counter != found.counter { texts.append("counter \(counter ?? -1) expected, \(found.counter ?? -1) found") }
        let more = texts.count > 4 ? ["and \(texts.count - 4) more"] : []
        return (texts.prefix(4) + more).joined(separator: "; ")
    }

    // MARK: Reading

    /// Reads what a store has.
    ///
    /// - Parameter owner: whose entries, groups and tags are read; nil for all.
    init(_ context: NSManagedObjectContext, version: Int, owner: Int? = nil) throws {
        let predicate = owner.map { NSPredicate(format: "owner == %ld", $0) }
        for object in try context.all("Entry", where: predicate) {
            var entry = Entry(
                entity: object.entity.name ?? "", owner: object.number("owner"), slot: object.number("slot"),
                position: object.number("position"))
            entry.text = object.value(forKey: VersionedModel.textKey(version)) as? String
            entry.image = (object.value(forKey: "image") as? Data).map(Self.description)
            entry.group = (object.value(forKey: "group") as? NSManagedObject)?.value(forKey: "name") as? String
            let tags = object.value(forKey: "tags") as? Set<NSManagedObject> ?? []
            entry.tags = tags.map { $0.value(forKey: "name") as? String ?? "?" }.sorted()
            if version == 2 { entry.extra = object.value(forKey: "extra") as? String }
            if version == 1 { entry.seen = (object.value(forKey: "seen") as? NSNumber)?.intValue }
            let name = object.value(forKey: "name") as? String ?? "?"
            try expect(entries.updateValue(entry, forKey: name) == nil, "there are two entries \(name)")
        }
        groups = try Self.names("Group", context).filter { owner == nil || $0 == "group \(owner ?? 0)" }
        tags = try Self.names("Tag", context).filter {
            owner == nil || $0 == VersionStep.sharedTag || $0.hasPrefix("tag \(owner ?? 0).")
        }
        let counters = try context.all("Counter")
        try expect(counters.count <= 1, "there are \(counters.count) counters")
        counter = counters.first?.number("number")
    }

    init() {}

    private static func names(_ entity: String, _ context: NSManagedObjectContext) throws -> Set<String> {
        let names = try context.all(entity).map { $0.value(forKey: "name") as? String ?? "?" }
        let unique = Set(names)
        try expect(unique.count == names.count, "of \(entity) there are \(names.sorted())")
        return unique
    }

    private static func description(_ data: Data) -> String {
        guard let first = data.first, data == Data(repeating: first, count: data.count) else {
            return "\(data.count) damaged bytes"
        }
        return description(data.count, first)
    }
}
