/// The contents of a store in memory, with the same migrations.
struct PoolMemory: Equatable {
    var items: [Int: [String: PoolValue]] = [:]
    var owners: Set<Int> = []
    var pets: [Int: Set<Int>] = [:]

    /// Random contents for a schema.
    static func random(_ schema: PoolSchema, _ random: inout SeededGenerator) -> PoolMemory {
        var memory = PoolMemory()
        for key in 0..<Int.random(in: 0...12, using: &random) {
            memory.items[key] = Dictionary(
                uniqueKeysWithValues: schema.item.fields.map { ($0.identity, value(of: $0, &random)) })
        }
        guard let pair = schema.pair else { return memory }
        memory.owners = Set(0..<Int.random(in: 0...4, using: &random))
        for key in 0..<Int.random(in: 0...6, using: &random) {
            let owners = memory.owners.filter { _ in random.chance(1, of: 2) }
            memory.pets[key] = pair.identity == "owner" ? Set([owners.min()].compactMap { $0 }) : owners
        }
        return memory
    }

    private static func value(of field: PoolField, _ random: inout SeededGenerator) -> PoolValue {
        if field.isOptional, random.chance(1, of: 3) { return .nothing }
        switch field.identity {
        case "count": return .number(Double(Int.random(in: -1000...1000, using: &random)))
        case "isOpen": return .flag(random.chance(1, of: 2))
        case "grade": return .text(random.chance(1, of: 2) ? "low" : "high")
        default: return .text(["", "a", "ä€😀", "it's \"quoted\""].randomElement(using: &random)!)
        }
    }

    /// Writes the contents into a store.
    func write(_ schema: PoolSchema, into context: ModelContext) throws {
        for (key, values) in items { schema.item.insert(values, key: key, into: context) }
        schema.pair?.insert(owners, pets, into: context)
        try context.save()
    }

    /// The contents of a store.
    static func read(_ schema: PoolSchema, from context: ModelContext) throws -> PoolMemory {
        var memory = PoolMemory()
        memory.items = try schema.item.read(context)
        if let pair = schema.pair { (memory.owners, memory.pets) = try pair.read(context) }
        return memory
    }

    // MARK: Migrations

    mutating func migrate(from old: PoolSchema, to new: PoolSchema, by stage: RandomChain.Stage) {
        if stage == .will || stage == .both { willChange() }
        for key in items.keys {
            var values: [String: PoolValue] = [:]
            for field in new.item.fields {
                let value = items[key]?[field.identity]
                let isMissing = value == nil || (value == .nothing && !field.isOptional)
                values[field.identity] = isMissing ? field.defaultValue : value
            }
            items[key] = values
        }
        if old.pair == nil || new.pair == nil { (owners, pets) = ([], [:]) }
        if old.pair?.identity != new.pair?.identity { pets = pets.mapValues { _ in [] } }
        if stage == .did || stage == .both { didChange(new) }
    }

    static func marked(_ values: [String: PoolValue]) -> [String: PoolValue] {
        var values = values
        if let text = values["name"]?.text { values["name"] = .text(text + "+") }
        return values
    }

    private mutating func willChange() {
        items = items.mapValues { Self.marked($0) }
        if let last = items.keys.max() { items[last] = nil }
    }

    private mutating func didChange(_ schema: PoolSchema) {
        var values = Dictionary(uniqueKeysWithValues: schema.item.fields.map { ($0.identity, $0.defaultValue) })
        values["name"] = .text("did")
        items[(items.keys.max() ?? 0) + 1] = values
    }
}
