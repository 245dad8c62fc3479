import CoreData
import Foundation
import SwiftData
import TestSupport
import Testing

/// The store file of an app in a new folder. Each context that opens it is a new launch of the app.
struct AppStore {
    let schema: Schema
    private let types: [any PersistentModel.Type]
    private let folder: TemporaryFolder

    init(_ types: any PersistentModel.Type...) throws {
        self.types = types
        schema = Schema(types)
        folder = try TemporaryFolder()
    }

    var url: URL { folder.file("app.store") }

    func launch() throws -> ModelContext { ModelContext(try container()) }

    func container(allowsSave: Bool = true) throws -> ModelContainer {
        let configuration = ModelConfiguration(schema: schema, url: url, allowsSave: allowsSave)
        return try ModelContainer(for: schema, configurations: [configuration])
    }

    /// Writes with one launch and reads with the next.
    func relaunched(after work: (ModelContext) throws -> Void) throws -> ModelContext {
        let context = try launch()
        try work(context)
        try context.save()
        return try launch()
    }

    /// A context of Core Data over the same file.
    func managedContext() throws -> NSManagedObjectContext {
        let model = try requireValue(NSManagedObjectModel.makeManagedObjectModel(for: types))
        let container = NSPersistentContainer(name: "app", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.shouldMigrateStoreAutomatically = false
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container.newBackgroundContext()
    }
}

/// A context of a store in memory.
func memoryContext(for types: any PersistentModel.Type...) throws -> ModelContext {
    let schema = Schema(types)
    let configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    return ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
}

extension ModelContext {
    /// The only model of a class.
    func one<Model: PersistentModel>(_ type: Model.Type, where predicate: Predicate<Model>? = nil) throws -> Model {
        let models = try fetch(FetchDescriptor<Model>(predicate: predicate))
        try #require(models.count == 1)
        return models[0]
    }
}

/// A fixed day, so that the tests don't depend on the clock.
func day(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number) * 86_400) }
