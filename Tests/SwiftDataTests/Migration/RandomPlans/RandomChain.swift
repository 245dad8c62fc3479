/// A form of each model in the pool: the schema of one version.
struct PoolSchema: Sendable {
    let item: any PoolRow.Type
    let pair: (any PoolPair.Type)?

    var models: [any PersistentModel.Type] { [item] + (pair?.models ?? []) }

    static func random(_ random: inout SeededGenerator) -> PoolSchema {
        PoolSchema(
            item: PoolItems.all.randomElement(using: &random)!,
            pair: random.chance(3, of: 4) ? PoolPairs.all.randomElement(using: &random) : nil)
    }

    func isEqual(to other: PoolSchema) -> Bool {
        item == other.item && pair.map { $0 == other.pair } ?? (other.pair == nil)
    }
}

/// Three versions, and the stages between them.
struct RandomChain: Sendable {
    enum Stage { case lightweight, will, did, both }

    let schemas: [PoolSchema]
    let stages: [Stage]

    init(_ random: inout SeededGenerator) {
        var schemas = [PoolSchema.random(&random)]
        while schemas.count < 3 {
            let next = PoolSchema.random(&random)
            // Versions with equal hashes are no chain.
            if !schemas.contains(where: { $0.isEqual(to: next) }) { schemas.append(next) }
        }
        self.schemas = schemas
        stages = (0..<2).map { _ in [.lightweight, .will, .did, .both].randomElement(using: &random)! }
    }

    var text: String {
        schemas.map { "\(_typeName($0.item)) \($0.pair.map { "\($0)" } ?? "-")" }.joined(separator: " → ")
            + " by \(stages)"
    }

    // MARK: The work of stages

    /// Marks the items, and takes one away.
    static func willChange<Item: PoolRow>(_ type: Item.Type, _ context: ModelContext) throws {
        let items = try context.fetch(FetchDescriptor<Item>()).sorted { $0.key < $1.key }
        for item in items { item.values = PoolMemory.marked(item.values) }
        if let last = items.last { context.delete(last) }
        try context.save()
    }

    /// Adds an item.
    static func didChange<Item: PoolRow>(_ type: Item.Type, _ context: ModelContext) throws {
        let keys = try Item.read(context).keys
        Item.insert(["name": .text("did")], key: (keys.max() ?? 0) + 1, into: context)
        try context.save()
    }
}

/// The plan of the present chain.
enum RandomPlan: SchemaMigrationPlan {
    @TaskLocal static var chain: RandomChain?

    static var versions: [any VersionedSchema.Type] {
        [Version<Oldest>.self, Version<Middle>.self, Version<Newest>.self]
    }

    static var schemas: [any VersionedSchema.Type] { versions }

    static var stages: [MigrationStage] {
        guard let chain else { return [] }
        return chain.stages.enumerated().map { index, stage in
            let (from, to) = (versions[index], versions[index + 1])
            let (old, new) = (chain.schemas[index].item, chain.schemas[index + 1].item)
            if stage == .lightweight { return .lightweight(fromVersion: from, toVersion: to) }
            let will: @Sendable (ModelContext) throws -> Void = { try RandomChain.willChange(old, $0) }
            let did: @Sendable (ModelContext) throws -> Void = { try RandomChain.didChange(new, $0) }
            return .custom(
                fromVersion: from, toVersion: to, willMigrate: stage == .did ? nil : will,
                didMigrate: stage == .will ? nil : did)
        }
    }

    enum Version<Place: ChainPlace>: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(Place.index + 1, 0, 0) }
        static var models: [any PersistentModel.Type] { RandomPlan.chain?.schemas[Place.index].models ?? [] }
    }

    protocol ChainPlace { static var index: Int { get } }

    enum Oldest: ChainPlace { static let index = 0 }
    enum Middle: ChainPlace { static let index = 1 }
    enum Newest: ChainPlace { static let index = 2 }
}
