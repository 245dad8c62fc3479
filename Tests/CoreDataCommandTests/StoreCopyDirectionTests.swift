import CoreData
import Testing

/// `coredata store copy` between files of all kinds, in every direction.
struct StoreCopyDirectionTests {
    struct Direction: Sendable, CustomTestStringConvertible {
        let source: StoreKind
        let target: StoreKind
        var testDescription: String { "\(source) to \(target)" }
    }

    private static let kinds: [StoreKind] = [.sqlite, .xml, .binary]
    static let directions = kinds.flatMap { source in kinds.map { Direction(source: source, target: $0) } }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ kind: StoreKind, _ name: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EveryTypeModel.make())
        try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: folder.file(name))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func close(_ context: NSManagedObjectContext) throws {
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Makes a store, and another one of SQLite, which contains the model.
    private func makeStores(_ kind: StoreKind) throws -> [String: NSDictionary] {
        try close(try open(.sqlite, "model.sqlite"))
        let context = try open(kind, "original.\(kind)")
        let contents = try context.performAndWait {
            try EveryTypeModel.fill(context)
            return try EveryTypeModel.contents(context)
        }
        try close(context)
        return contents
    }

    private func copy(_ source: String, to destination: String) async throws {
        let run = try await CommandRun(
            "store", "copy", folder.path(source), folder.path(destination), "--model", folder.path("model.sqlite"))
        expectEqual(run.status, 0, "\(run.errors)")
    }

    @Test("A copy and its copy in the first kind have all values, links and orders", arguments: directions.sampled(5))
    func aCopyAndItsCopy(_ direction: Direction) async throws {
        let contents = try makeStores(direction.source)
        try await copy("original.\(direction.source)", to: "there.\(direction.target)")
        try await copy("there.\(direction.target)", to: "back.\(direction.source)")
        for (kind, name) in [(direction.target, "there"), (direction.source, "back")] {
            let context = try open(kind, "\(name).\(kind)")
            try on(context) {
                try expectEqual(EveryTypeModel.contents(context), contents)
                for entity in ["Item", "SpecialItem", "Group", "Tag"] { context.make(entity, "later") }
                try context.save()
            }
            try close(context)
            let again = try open(kind, "\(name).\(kind)")
            try on(again) {
                let after = try EveryTypeModel.contents(again)
                expectEqual(after.filter { !$0.key.hasSuffix("later") }, contents)
                expectEqual(after.count, contents.count + 4)
            }
            try close(again)
        }
    }
}
