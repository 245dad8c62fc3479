import CoreData
import Testing

@Suite("Fetch requests on some of several stores")
struct AffectedStoresTests {
    /// Two stores of two kinds: maps, old and sky are in the first, nature and void in the second.
    private func withStores(_ kinds: [StoreKind], _ body: (NSManagedObjectContext, [NSPersistentStore]) throws -> Void)
        throws
    {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: RealmModel.make())
        let stores = try kinds.enumerated().map {
            try coordinator.addPersistentStore(
                ofType: $1.type, configurationName: nil, at: folder.file("\($0).sqlite"), options: nil)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let tags: [(String, Int?, Int)] = [
                ("maps", 1, 0), ("nature", 2, 1), ("old", nil, 0), ("sky", 3, 0), ("void", 5, 1),
            ]
            for (name, weight, store) in tags {
                context.assign(context.make("Tag", name, weight.map { ["weight": $0] } ?? [:]), to: stores[store])
            }
            try context.save()
            context.reset()
            try body(context, stores)
        }
    }

    @Test(
        "find what is in these stores, in one order",
        arguments: [[StoreKind.sqlite, .sqlite], [.memory, .memory], [.sqlite, .memory]],
        FetchRow.table(
            "Tag",
            """
            stores 01; sort name -> maps nature old sky void
            stores 0; sort name -> maps old sky
            stores 1; sort -name -> void nature
            sort name -> maps nature old sky void
            sort -weight -> void sky nature maps old
            sort weight; limit 3 -> old maps nature
            sort name; offset 3 -> sky void
            sort name; limit 2; offset 1 -> nature old
            stores 0; sort name; limit 2; offset 1 -> old sky
            stores 1; where weight > 1; sort weight -> nature void
            where weight > 1; sort name; limit 2 -> nature sky
            stores 0; where name == 'void' ->
            where name IN {'maps', 'void'} -> maps void
            """))
    func find(_ kinds: [StoreKind], _ row: FetchRow) throws {
        try withStores(kinds) { context, stores in
            func prepared<Result: NSFetchRequestResult>(_ request: NSFetchRequest<Result>) -> NSFetchRequest<Result> {
                request.affectedStores = row.clauses["stores"].map { $0.map { stores[Int(String($0))!] } }
                return request
            }
            let names = row.arranged(try context.fetch(prepared(row.request())).map { $0.text("name")! })
            expectEqual(names, row.names)
            let ids = prepared(row.request(NSManagedObjectID.self))
            ids.resultType = .managedObjectIDResultType
            let found = row.arranged(try context.fetch(ids).map { context.object(with: $0).text("name")! })
            expectEqual(found, row.names)
            try expectEqual(context.count(for: prepared(row.request())), row.names.count)
        }
    }

    @Test(
        "with unsaved changes find the changed objects of these stores",
        arguments: [[StoreKind.sqlite, .sqlite], [.sqlite, .memory]])
    func changed(_ kinds: [StoreKind]) throws {
        try withStores(kinds) { context, stores in
            try context.one("Tag", "maps").setValue(9, forKey: "weight")
            try context.one("Tag", "void").setValue(0, forKey: "weight")
            func names(_ affected: [NSPersistentStore]?) throws -> [String] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
                request.affectedStores = affected
                request.predicate = NSPredicate(format: "weight > 2")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                return try context.fetch(request).map { $0.text("name")! }
            }
            try expectEqual(names(nil), ["maps", "sky"])
            try expectEqual(names([stores[0]]), ["maps", "sky"])
            try expectEqual(names([stores[1]]), [])
        }
    }
}
