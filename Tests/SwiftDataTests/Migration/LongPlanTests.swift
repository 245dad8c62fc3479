/// A plan of forty versions: each has one of two forms of an item, and a selection of further models.
@Suite struct LongPlanTests {
    private func store() throws -> (TemporaryFolder, ModelConfiguration) {
        let folder = try TemporaryFolder()
        return (folder, ModelConfiguration(url: folder.file("long.store")))
    }

    private func container(_ number: Int, _ configuration: ModelConfiguration) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(versionedSchema: LongPlan.schemas[number - 1]), migrationPlan: LongPlan.self,
            configurations: configuration)
    }

    @Test func fortyStagesAreExecuted() throws {
        let (folder, configuration) = try store()
        do {
            let context = ModelContext(try container(1, configuration))
            context.insert(LongPlan.Odd.Item(name: "first"))
            try context.save()
        }
        let context = ModelContext(try container(40, configuration))
        let item = try requireValue(try context.fetch(FetchDescriptor<LongPlan.Even.Item>()).first)
        expectEqual(item.name, "first")
        // Each stage has counted its two closures.
        expectEqual(item.count, 2 * 39)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [7, 20, 39]) func planBeginsInItsMiddle(start: Int) throws {
        let (folder, configuration) = try store()
        do {
            let context = ModelContext(try container(start, configuration))
            if start % 2 == 0 {
                context.insert(LongPlan.Even.Item(name: "first"))
            } else {
                context.insert(LongPlan.Odd.Item(name: "first"))
            }
            try context.save()
        }
        let context = ModelContext(try container(40, configuration))
        try expectEqual(context.fetch(FetchDescriptor<LongPlan.Even.Item>()).map(\.count), [2 * (40 - start)])
        withExtendedLifetime(folder) {}
    }

    @Test func lastVersionOpensWithoutStages() throws {
        let (folder, configuration) = try store()
        do { _ = try container(40, configuration) }
        expectEmpty(try LongPlan.preview(configuration))
        withExtendedLifetime(folder) {}
    }
}

private enum LongPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        digits.flatMap { tens in digits.map { ones in version(tens, ones) } }.filter {
            (1...40).contains($0.versionIdentifier.minor)
        }
    }

    static var stages: [MigrationStage] {
        zip(schemas, schemas.dropFirst()).map { from, to in
            .custom(
                fromVersion: from, toVersion: to, willMigrate: { try count($0, in: from) },
                didMigrate: { try count($0, in: to) })
        }
    }

    private static func count(_ context: ModelContext, in version: any VersionedSchema.Type) throws {
        if version.versionIdentifier.minor % 2 == 0 {
            for item in try context.fetch(FetchDescriptor<Even.Item>()) { item.count += 1 }
        } else {
            for item in try context.fetch(FetchDescriptor<Odd.Item>()) { item.count += 1 }
        }
        try context.save()
    }

    private static func version<Tens: Digit, Ones: Digit>(_ tens: Tens.Type, _ ones: Ones.Type)
        -> any VersionedSchema.Type
    { Numbered<Tens, Ones>.self }

    /// A version with a number of two digits.
    enum Numbered<Tens: Digit, Ones: Digit>: VersionedSchema {
        static var number: Int { Tens.value * 10 + Ones.value }
        static var versionIdentifier: Schema.Version { Schema.Version(1, number, 0) }

        static var models: [any PersistentModel.Type] {
            let further: [any PersistentModel.Type] = [One.self, Two.self, Four.self, Eight.self, Sixteen.self]
            let item: any PersistentModel.Type = number % 2 == 0 ? Even.Item.self : Odd.Item.self
            // The form of the item changes with the lowest bit, and the further models are the bits above it.
            return [item] + further.enumerated().filter { number >> ($0.offset + 1) & 1 == 1 }.map(\.element)
        }
    }

    enum Odd {
        @Model final class Item {
            var name: String
            @Attribute(originalName: "counter") var count: Int = 0

            init(name: String) { self.name = name }
        }
    }

    enum Even {
        @Model final class Item {
            var name: String
            var count: Int = 0
            var note: String?

            init(name: String) { self.name = name }
        }
    }

    @Model final class One {
        var value: Int = 1
        init() {}
    }

    @Model final class Two {
        var value: Int = 2
        init() {}
    }

    @Model final class Four {
        var value: Int = 4
        init() {}
    }

    @Model final class Eight {
        var value: Int = 8
        init() {}
    }

    @Model final class Sixteen {
        var value: Int = 16
        init() {}
    }

    protocol Digit { static var value: Int { get } }

    static var digits: [any Digit.Type] {
        [Zero.self, First.self, Second.self, Third.self, Fourth.self, Fifth.self, Sixth.self, Seventh.self] + [
            Eighth.self, Ninth.self,
        ]
    }

    enum Zero: Digit { static let value = 0 }
    enum First: Digit { static let value = 1 }
    enum Second: Digit { static let value = 2 }
    enum Third: Digit { static let value = 3 }
    enum Fourth: Digit { static let value = 4 }
    enum Fifth: Digit { static let value = 5 }
    enum Sixth: Digit { static let value = 6 }
    enum Seventh: Digit { static let value = 7 }
    enum Eighth: Digit { static let value = 8 }
    enum Ninth: Digit { static let value = 9 }
}
