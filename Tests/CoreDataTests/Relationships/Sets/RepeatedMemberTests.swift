import CoreData
import Testing

/// Files whose join table lacks its key, and has a member twice.
@Suite("Members that a file has twice")
struct RepeatedMemberTests {
    enum Change: String, CaseIterable {
        case add, addFirst, remove, removeAll, set, move, sort, replace

        func run(_ shelf: NSManagedObject, _ books: [NSManagedObject], _ new: NSManagedObject) {
            let list = shelf.mutableOrderedSetValue(forKey: "items")
            switch self {
            case .add: list.add(new)
            case .addFirst: list.insert(new, at: 0)
            case .remove: list.remove(books[1])
            case .removeAll: list.removeAllObjects()
            case .set: shelf.setValue(NSOrderedSet(array: [books[2], new]), forKey: "items")
            case .move: list.moveObjects(at: IndexSet(integer: 2), to: 0)
            case .sort:
                list.sort { ($0 as! NSManagedObject).text("name")!.compare(($1 as! NSManagedObject).text("name")!) }
            case .replace: list.replaceObject(at: 0, with: new)
            }
        }

        var result: [String] {
            switch self {
            case .add: ["3", "1", "2", "new"]
            case .addFirst: ["new", "3", "1", "2"]
            case .remove: ["3", "1"]
            case .removeAll: []
            case .set: ["3", "new"]
            case .move: ["2", "3", "1"]
            case .sort: ["1", "2", "3"]
            case .replace: ["new", "1", "2"]
            }
        }
    }

    @Test("each member is read once, and changes are saved", arguments: Change.allCases, [true, false])
    func changes(_ change: Change, _ isPrefetched: Bool) throws {
        let stack = try TestStack(.sqlite)
        try on(stack.context) {
            let shelf = stack.context.make("Shelf", "s")
            let books = ["1", "2", "3"].map { stack.context.make("Book", $0) }
            stack.context.make("Book", "new")
            shelf.setValue(NSOrderedSet(array: [books[2], books[0], books[1]]), forKey: "items")
            try stack.context.save()
            stack.context.reset()
        }
        try stack.coordinator.remove(stack.store)
        do {
            let file = try SQLiteFile(creating: stack.url)
            let name = try requireValue(
                try file.tables().first { table in
                    try table.hasPrefix("Z_") && file.columns(of: table).contains { $0.hasPrefix("Z_FOK") }
                })
            try file.run("CREATE TABLE COPY AS SELECT * FROM \(name)")
            try file.run("INSERT INTO COPY SELECT * FROM \(name)")
            try file.run("DROP TABLE \(name)")
            try file.run("ALTER TABLE COPY RENAME TO \(name)")
        }
        let context = try stack.afresh()
        try on(context) {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
            if isPrefetched { request.relationshipKeyPathsForPrefetching = ["items"] }
            let shelf = try context.fetch(request)[0]
            expectEqual(shelf.names("items"), ["3", "1", "2"])
            let books = try ["1", "2", "3"].map { try context.one("Book", $0) }
            change.run(shelf, books, try context.one("Book", "new"))
            expectEqual(shelf.names("items"), change.result)
            expectEqual(shelf.mutableOrderedSetValue(forKey: "items").count, change.result.count)
            try context.save()
            try checkInvariants(of: context)
            context.reset()
            try expectEqual(context.one("Shelf", "s").names("items"), change.result)
        }
    }
}
