import CoreData
import Testing

@Suite("Fetches that differ in their values alone")
struct RepeatedFetchTests {
    private static func names(
        _ context: NSManagedObjectContext, _ format: String, _ arguments: [Any], limit: Int = 0, offset: Int = 0
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = limit
        request.fetchOffset = offset
        return try context.fetch(request).compactMap { $0.text("name") }
    }

    /// Runs a body with a context whose store has books of some names, none of which is registered.
    private static func withBooks(
        _ names: [String], _ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        try withStack(kind) { stack in
            for name in names { stack.context.make("Book", name) }
            try stack.context.save()
            stack.context.reset()
            try body(stack.context)
        }
    }

    @Test("find the objects of their own values", arguments: StoreKind.everyKind)
    func values(_ kind: StoreKind) throws {
        try Self.withBooks(["a", "b", "c", "7"], kind) { context in
            for name in ["a", "b", "c", "d", "7", ""] {
                try expectEqual(
                    Self.names(context, "name == %@", [name]),
                    (["a", "b", "c", "7"].contains(name) ? [name] : []))
            }
            try expectEqual(Self.names(context, "name == %@", [NSNull()]), [])
            // Equal values, which a statement can share.
            for (one, two, found) in [("a", "a", ["a"]), ("a", "b", ["a", "b"]), ("b", "c", ["b", "c"])] {
                try expectEqual(Self.names(context, "name == %@ OR name == %@", [one, two]), found)
            }
            for (one, two, found) in [("a", "b", ["c"]), ("b", "b", ["c"]), ("0", "7", ["a", "b", "c"])] {
                try expectEqual(Self.names(context, "name > %@ AND name > %@", [one, two]), found)
            }
        }
    }

    @Test("have the limit and the offset of each request", arguments: StoreKind.everyKind)
    func limits(_ kind: StoreKind) throws {
        try Self.withBooks(["a", "b", "c", "d"], kind) { context in
            for (limit, offset, found) in [
                (1, 0, ["b"]), (2, 0, ["b", "c"]), (1, 1, ["c"]), (2, 2, ["d"]), (0, 1, ["c", "d"]),
            ] {
                try expectEqual(Self.names(context, "name > %@", ["a"], limit: limit, offset: offset), found)
            }
        }
    }
}
