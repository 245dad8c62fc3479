import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Managers and policies of classes that are known at run time only.
@Suite("Classes of migration managers and policies")
struct MigrationClassesTests {
    class Counting: NSMigrationManager, @unchecked Sendable {
        var numbers = [1, 2, 3]
        var text: String? = "text"
    }
    final class Deeper: Counting, @unchecked Sendable { var more = 1.0 }
    final class Overriding: NSMigrationManager, @unchecked Sendable {
        let number: Int
        override init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
            number = 7
            super.init(sourceModel: sourceModel, destinationModel: destinationModel)
        }
    }
    final class Own: NSMigrationManager, @unchecked Sendable {
        init(model: NSManagedObjectModel) { super.init(sourceModel: model, destinationModel: model) }
    }

    private let source = NSManagedObjectModel()
    private let destination = NSManagedObjectModel()

    private func make<Manager: NSMigrationManager>(_ type: Manager.Type) throws -> Manager {
        let made = try requireValue(MigrationClasses.manager(type, from: source, to: destination))
        #expect(made.sourceModel === source)
        #expect(made.destinationModel === destination)
        return try requireValue(made as? Manager)
    }

    @Test("The class itself is made")
    func plain() throws { #expect(try type(of: make(NSMigrationManager.self)) == NSMigrationManager.self) }

    @Test("A subclass without initializers has the values of its properties")
    func inherited() throws {
        try expectEqual(make(Counting.self).numbers, [1, 2, 3])
        let deeper = try make(Deeper.self)
        expectEqual(deeper.text, "text")
        expectEqual(deeper.more, 1)
    }

    @Test("The initializer of a subclass is called")
    func overriding() throws { try expectEqual(make(Overriding.self).number, 7) }

    @Test("A manager and its models are freed")
    func freed() throws {
        weak var manager: NSMigrationManager?
        weak var model: NSManagedObjectModel?
        do {
            let (old, new) = (NSManagedObjectModel(), NSManagedObjectModel())
            let made = try requireValue(MigrationClasses.manager(Deeper.self, from: old, to: new))
            (manager, model) = (made, old)
            #expect(made.sourceModel === model)
        }
        expectEqual(manager, nil)
        expectEqual(model, nil)
    }

    @Test("A subclass that has only initializers of its own stops the program with Swift's message")
    func ownInitializer() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = NSManagedObjectModel()
            _ = MigrationClasses.manager(Own.self, from: model, to: model)
        }
        let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
        expectContains(text, "unimplemented initializer", "\(text)")
    }

    // MARK: Policies

    class NotingPolicy: NSEntityMigrationPolicy { var notes = ["note"] }
    final class LowerPolicy: NotingPolicy { let number = 3 }
    final class InitializingPolicy: NSEntityMigrationPolicy {
        let number: Int
        override init() {
            number = 7
            super.init()
        }
    }

    private func make<Policy: NSEntityMigrationPolicy>(policy type: Policy.Type) throws -> Policy {
        try requireValue(MigrationClasses.policy(type) as? Policy)
    }

    @Test("Policies are made by an inherited initializer or by their own")
    func policies() throws {
        let plain = try make(policy: NSEntityMigrationPolicy.self)
        #expect(type(of: plain) == NSEntityMigrationPolicy.self)
        let lower = try make(policy: LowerPolicy.self)
        expectEqual(lower.notes, ["note"])
        expectEqual(lower.number, 3)
        try expectEqual(make(policy: InitializingPolicy.self).number, 7)
    }

    @Test("A policy is freed")
    func freedPolicy() throws {
        weak var policy: NSEntityMigrationPolicy?
        do { policy = try make(policy: LowerPolicy.self) }
        expectEqual(policy, nil)
    }
}
