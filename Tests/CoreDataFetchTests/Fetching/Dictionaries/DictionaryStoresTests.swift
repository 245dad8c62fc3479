import CoreData
import Testing

@Suite("Dictionary results: several stores")
struct DictionaryStoresTests {
    /// Two stores of different kinds, both with albums of one year.
    private func withTwoStores(
        _ kinds: (StoreKind, StoreKind), _ body: (NSManagedObjectContext, [NSPersistentStore]) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AlbumModel.make())
        let stores = try [("one", kinds.0), ("two", kinds.1)].map { name, kind in
            try coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: kind.url(name + ".sqlite", in: folder))
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            for (store, albums) in zip(stores, [[("A", 1970), ("B", 1980), ("C", 1970)], [("D", 1970), ("A", 1990)]]) {
                for (title, year) in albums {
                    context.assign(context.make("Album", nil, ["title": title, "year": year]), to: store)
                }
            }
            try context.save()
            try body(context, stores)
        }
    }

    @Test(
        "results of all stores are sorted and limited together",
        arguments: StoreKind.allCases.without(.ownDictionaries), StoreKind.allCases.without(.ownDictionaries))
    func rows(_ one: StoreKind, _ two: StoreKind) throws {
        try withTwoStores((one, two)) { context, stores in
            let request = dictionaryRequest("Album", ["title"], sort: [down("year"), up("title")])
            try expectEqual(context.texts(request), ["title=A", "title=B", "title=A", "title=C", "title=D"])
            (request.fetchLimit, request.fetchOffset) = (2, 1)
            try expectEqual(context.texts(request), ["title=B", "title=A"])
            try expectEqual(context.count(for: request), 2)
            (request.fetchLimit, request.fetchOffset) = (0, 0)
            request.returnsDistinctResults = true
            request.sortDescriptors = [up("title")]
            try expectEqual(context.texts(request), ["title=A", "title=B", "title=C", "title=D"])
            try expectEqual(context.count(for: request), 4)
            request.affectedStores = [stores[1]]
            try expectEqual(context.texts(request), ["title=A", "title=D"])
            try expectEqual(context.count(for: request), 2)
        }
    }

    @Test(
        "groups and aggregates are those of all stores' rows together",
        arguments: StoreKind.allCases.without(.ownDictionaries),
        StoreKind.allCases.without(.ownDictionaries))
    func groups(_ one: StoreKind, _ two: StoreKind) throws {
        try withTwoStores((one, two)) { context, _ in
            let count = column("n", "count:(SELF)")
            try expectEqual(
                context.texts(
                    dictionaryRequest(
                        "Album", [count, column("mean", "average:(year)"), column("last", "max:(title)")])),
                [
                    "last=D mean=1976.0 n=5"
                ])
            try expectEqual(
                context.texts(
                    dictionaryRequest("Album", ["year", count], group: ["year"], sort: [down("n"), up("year")])),
                [
                    "n=3 year=1970", "n=1 year=1980", "n=1 year=1990",
                ])
            let request = dictionaryRequest(
                "Album", ["title", count], group: ["title"], having: NSPredicate(format: "n > 1"))
            try expectEqual(context.texts(request), ["n=2 title=A"])
            try expectEqual(context.count(for: request), 1)
        }
    }
}
