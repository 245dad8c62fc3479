import CoreData
import Testing

@Suite("Copies of stores in every direction")
struct CopyDirectionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Direction: Sendable, CustomTestStringConvertible {
        let source: StoreKind
        let target: StoreKind
        var testDescription: String { "\(source) to \(target)" }

        /// Whether a copy in this direction has the keys of the original.
        var keepsKeys: Bool {
            [.binary, .xml].contains(source) || ![.binary, .xml].contains(target)
        }
    }

    private static let kinds: [StoreKind] = [.sqlite, .memory, .binary, .xml]
    static let directions = kinds.flatMap { source in kinds.map { Direction(source: source, target: $0) } }

    private func open(_ kind: StoreKind, _ name: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EveryTypeModel.make())
        try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: folder.file(name))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Has the context use a copy of its store, opened afresh if the copy is a file.
    private func copied(_ context: NSManagedObjectContext, to kind: StoreKind, _ name: String) throws
        -> NSManagedObjectContext
    {
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        let copy = try coordinator.migratePersistentStore(
            coordinator.persistentStores[0], to: folder.file(name), withType: kind.type)
        guard kind.hasFile else { return context }
        try coordinator.remove(copy)
        return try open(kind, name)
    }

    private func insert(_ name: String, _ context: NSManagedObjectContext) throws {
        for entity in ["Item", "SpecialItem", "Group", "Tag"] { context.make(entity, name) }
        try context.save()
    }

    @Test("a copy, and its copy in the first kind, have every value, link, order and key", arguments: directions)
    func thereAndBack(_ direction: Direction) throws {
        let original = try open(direction.source, "original.store")
        var contents: [String: NSDictionary] = [:]
        var keys: [String: String] = [:]
        try on(original) {
            try EveryTypeModel.fill(original)
            contents = try EveryTypeModel.contents(original)
            keys = try EveryTypeModel.keys(original)
        }
        let there = try copied(original, to: direction.target, "there.store")
        var copiedKeys: [String: String] = [:]
        try on(there) {
            try expectEqual(EveryTypeModel.contents(there), contents)
            copiedKeys = try EveryTypeModel.keys(there)
        }
        if direction.keepsKeys { expectEqual(copiedKeys, keys) }
        let back = try copied(there, to: direction.source, "back.store")
        try on(back) {
            try expectEqual(EveryTypeModel.contents(back), contents)
            if Direction(source: direction.target, target: direction.source).keepsKeys {
                try expectEqual(EveryTypeModel.keys(back), copiedKeys)
            }
        }
    }

    @Test("objects that are inserted into a copy have keys of their own", arguments: directions)
    func laterObjects(_ direction: Direction) throws {
        let original = try open(direction.source, "original.store")
        var contents: [String: NSDictionary] = [:]
        try on(original) {
            try EveryTypeModel.fill(original)
            contents = try EveryTypeModel.contents(original)
        }
        let copy = try copied(original, to: direction.target, "copy.store")
        try on(copy) { try insert("later", copy) }
        let again = direction.target.hasFile ? try open(direction.target, "copy.store") : copy
        try on(again) {
            let after = try EveryTypeModel.contents(again)
            expectEqual(after.count, contents.count + 4)
            expectEqual(after.filter { !$0.key.hasSuffix("later") }, contents)
            try expectEqual(EveryTypeModel.keys(again).count, after.count)
        }
    }
}
