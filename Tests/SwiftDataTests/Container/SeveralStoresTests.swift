/// Several configurations in one container, each with its own store.
@Suite struct SeveralStoresTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func configuration(_ name: String, _ types: any PersistentModel.Type...) -> ModelConfiguration {
        ModelConfiguration(name, schema: Schema(types), url: folder.file("\(name).store"))
    }

    /// Users and settings, in a file each.
    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Schema([Account.self, Note.self, Setting.self]),
            configurations: configuration("accounts", Account.self, Note.self), configuration("settings", Setting.self))
    }

    @Test("each model is saved in the store of its configuration")
    func places() throws {
        do {
            let context = ModelContext(try container())
            context.insert(Account("Ada"))
            context.insert(Setting("colour", "red"))
            try context.save()
        }
        let accounts = try ModelContainer(
            for: Schema([Account.self, Note.self]),
            configurations: ModelConfiguration(url: folder.file("accounts.store")))
        try expectEqual(ModelContext(accounts).fetch(FetchDescriptor<Account>()).map(\.name), ["Ada"])
        let settings = try ModelContainer(
            for: Schema([Setting.self]), configurations: ModelConfiguration(url: folder.file("settings.store")))
        try expectEqual(ModelContext(settings).fetch(FetchDescriptor<Setting>()).map(\.value), ["red"])
    }

    @Test("a context fetches, changes and deletes in all stores")
    func changes() throws {
        let context = ModelContext(try container())
        let (account, setting) = (Account("Ada"), Setting("colour", "red"))
        context.insert(account)
        context.insert(setting)
        account.notes = [Note("Hello")]
        try context.save()
        setting.value = "blue"
        context.delete(account)
        try context.save()
        let other = ModelContext(context.container)
        try expectEqual(other.fetchCount(FetchDescriptor<Account>()), 0)
        try expectEqual(other.fetchCount(FetchDescriptor<Note>()), 0)
        try expectEqual(other.fetch(FetchDescriptor<Setting>()).map(\.value), ["blue"])
    }

    @Test("identifiers name the store of their model")
    func identifiers() throws {
        let context = ModelContext(try container())
        let (account, setting) = (Account("Ada"), Setting("colour", "red"))
        context.insert(account)
        context.insert(setting)
        try context.save()
        let container = context.container
        let stores = [account.persistentModelID, setting.persistentModelID].map { $0.storeIdentifier ?? "" }
        expectEqual(stores.map { container.configurationName(forStoreIdentifier: $0) }, ["accounts", "settings"])
        expectEqual(stores.first, container.storeIdentifier(forConfigurationNamed: "accounts"))
    }

    @Test("one store may be in memory")
    func memory() throws {
        let container = try ModelContainer(
            for: Schema([Account.self, Note.self, Setting.self]),
            configurations: configuration("accounts", Account.self, Note.self),
            ModelConfiguration("settings", schema: Schema([Setting.self]), isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Account("Ada"))
        context.insert(Setting("colour", "red"))
        try context.save()
        try expectEqual(ModelContext(container).fetchCount(FetchDescriptor<Setting>()), 1)
        let reopened = ModelContext(try self.container())
        try expectEqual(reopened.fetchCount(FetchDescriptor<Account>()), 1)
        try expectEqual(reopened.fetchCount(FetchDescriptor<Setting>()), 0)
    }

    @Test("a store may be for reading alone")
    func readOnly() throws {
        do {
            let context = ModelContext(try container())
            context.insert(Setting("colour", "red"))
            try context.save()
        }
        let container = try ModelContainer(
            for: Schema([Account.self, Note.self, Setting.self]),
            configurations: configuration("accounts", Account.self, Note.self),
            ModelConfiguration(
                "settings", schema: Schema([Setting.self]), url: folder.file("settings.store"), allowsSave: false))
        let context = ModelContext(container)
        context.insert(Account("Ada"))
        try context.save()
        try requireValue(context.fetch(FetchDescriptor<Setting>()).first).value = "blue"
        #expect(throws: (any Error).self) { try context.save() }
    }

    @Test("a model of two stores is saved in the first")
    func twice() throws {
        let container = try ModelContainer(
            for: Schema([Setting.self]), configurations: configuration("one", Setting.self),
            configuration("two", Setting.self))
        let context = ModelContext(container)
        let setting = Setting("colour", "red")
        context.insert(setting)
        try context.save()
        let store = try requireValue(setting.persistentModelID.storeIdentifier)
        expectEqual(container.configurationName(forStoreIdentifier: store), "one")
        try expectEqual(context.fetchCount(FetchDescriptor<Setting>()), 1)
    }

    @Test("all files are erased")
    func erase() throws {
        let container = try container()
        try container.erase()
        for name in ["accounts", "settings"] {
            expectFalse(FileManager.default.fileExists(atPath: folder.file("\(name).store").path))
        }
    }
}

@Model private final class Account {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Note.account) var notes: [Note] = []

    init(_ name: String) { self.name = name }
}

@Model private final class Note {
    var text: String
    var account: Account?

    init(_ text: String) { self.text = text }
}

@Model private final class Setting {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
