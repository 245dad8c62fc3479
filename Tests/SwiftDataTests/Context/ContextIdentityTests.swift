import CoreData

/// The author and the editing state of a context.
@Suite struct ContextIdentityTests {
    private let place: LibraryPlace

    init() throws { place = try LibraryPlace() }

    @Test("each context has an editing state of its own, which stays", arguments: LibraryStore.allCases)
    func editingState(_ store: LibraryStore) throws {
        let (context, other) = try place.contexts(store)
        expectEqual(context.editingState.id, context.editingState.id)
        #expect(context.editingState.id != other.editingState.id)
        expectEqual(context.editingState.author, nil)
    }

    @Test("the author of the editing state is that of the context", arguments: LibraryStore.allCases)
    func author(_ store: LibraryStore) throws {
        let context = try place.context(store)
        context.author = "Ada"
        expectEqual(context.editingState.author, "Ada")
        context.editingState.author = "Grace"
        expectEqual(context.author, "Grace")
    }

    @Test("a save is recorded with its author", arguments: [LibraryStore.file])
    func history(_ store: LibraryStore) throws {
        let context = try place.context(store)
        context.author = "Ada"
        try context.savedBook("A")
        context.author = nil
        try context.savedBook("B")
        try expectEqual(authors(of: context.container), ["Ada", nil])
    }

    /// The authors of the transactions in a file, as Core Data reads them.
    private func authors(of container: ModelContainer) throws -> [String?] {
        let url = try requireValue(container.configurations.first).url
        let model = try requireValue(
            NSManagedObjectModel.makeManagedObjectModel(for: [
                Library.Author.self, Library.Book.self, Library.Shelf.self, Library.Loan.self, Library.Subject.self,
            ]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            let result = try context.execute(history) as? NSPersistentHistoryResult
            return try requireValue(result?.result as? [NSPersistentHistoryTransaction]).map(\.author)
        }
    }
}
