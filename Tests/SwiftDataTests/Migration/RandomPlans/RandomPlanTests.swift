/// Random chains of three versions with random contents, compared with the same migrations in memory.
@Suite struct RandomPlanTests {
    @Test func storesEqualTheModelInMemory() throws {
        let seeds = TestRun.seeds(for: "RandomPlanTests", count: TestRun.quick(12, long: 500))
        for seed in seeds {
            var random = SeededGenerator(seed: seed)
            let chain = RandomChain(&random)
            try RandomPlan.$chain.withValue(chain) { try check(chain, seed, &random) }
        }
    }

    private func check(_ chain: RandomChain, _ seed: UInt64, _ random: inout SeededGenerator) throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("random.store"))
        // A store may begin at any version but the last one.
        let start = Int.random(in: 0...1, using: &random)
        var memory = PoolMemory.random(chain.schemas[start], &random)
        do {
            let container = try ModelContainer(
                for: Schema(versionedSchema: RandomPlan.versions[start]), configurations: configuration)
            try memory.write(chain.schemas[start], into: ModelContext(container))
        }
        for index in start..<2 {
            memory.migrate(from: chain.schemas[index], to: chain.schemas[index + 1], by: chain.stages[index])
        }
        try RandomPlan.check()
        let container = try ModelContainer(
            for: Schema(versionedSchema: RandomPlan.versions[2]), migrationPlan: RandomPlan.self,
            configurations: configuration)
        let stored = try PoolMemory.read(chain.schemas[2], from: ModelContext(container))
        expectEqual(stored, memory, "COREDATA_SEED=\(seed), from version \(start + 1) of \(chain.text)")
    }
}
