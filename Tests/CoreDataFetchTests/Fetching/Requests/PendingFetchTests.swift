import CoreData
import Testing

/// Unsaved changes of the realm, and what requests find then.
struct PendingFetch: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (Names) throws -> Void
    let rows: [FetchRow]

    init(_ entity: String, _ name: String, _ change: @escaping @Sendable (Names) throws -> Void, _ text: String) {
        testDescription = name
        self.change = change
        rows = FetchRow.table(entity, text)
    }

    /// Objects of a context by name.
    struct Names {
        let context: NSManagedObjectContext

        subscript(_ entity: String, _ name: String) -> NSManagedObject {
            get throws { try context.one(entity, name) }
        }

        func set(_ entity: String, _ name: String, _ key: String, _ value: Any?) throws {
            try self[entity, name].setValue(value, forKey: key)
        }
    }

    static let all: [PendingFetch] = [
        PendingFetch(
            "Work", "an inserted object", { $0.context.make("Work", "Hill", ["year": 2001]) },
            """
            sort name -> Atlas Birds Clouds Dreams Echo Fog Grass Hill
            where year == 2001; sort name -> Birds Clouds Hill
            sort name; limit 2; offset 6 -> Grass Hill
            sort -name; limit 2 -> Hill Grass
            sort pages name; limit 2 -> Dreams Hill
            where author == nil; sort name -> Fog Hill
            where tags.@count == 0; sort name -> Dreams Hill
            stored; sort name; offset 5 -> Fog Grass
            """),
        PendingFetch(
            "Work", "a deleted object", { $0.context.delete(try $0["Work", "Birds"]) },
            """
            sort name; limit 2 -> Atlas Clouds
            where year == 2001 -> Clouds
            sort name; offset 4 -> Fog Grass
            """),
        PendingFetch(
            "Work", "values that add to the result", { try $0.set("Work", "Atlas", "year", 2001) },
            """
            where year == 2001; sort name -> Atlas Birds Clouds
            where year == 1990 ->
            where year == 2001; sort name; limit 1 -> Atlas
            stored; where year == 1990 -> Atlas
            """),
        PendingFetch(
            "Work", "values that remove from the result", { try $0.set("Work", "Birds", "year", nil) },
            """
            where year == 2001 -> Clouds
            where year == nil; sort name -> Birds Dreams
            where year == nil OR NOT year == 2001; sort name; limit 3 -> Atlas Birds Dreams
            """),
        PendingFetch(
            "Work", "values that change the order", { try $0.set("Work", "Atlas", "name", "Zed") },
            """
            sort name; limit 2 -> Birds Clouds
            sort name; offset 6 -> Zed
            sort -name; limit 1 -> Zed
            where name == 'Atlas' ->
            """),
        PendingFetch(
            "Work", "a new author", { try $0.set("Work", "Fog", "author", $0["Person", "Fay"]) },
            """
            where author.name == 'Fay'; sort name -> Fog Grass
            where author == nil ->
            sort author.name name; limit 2 -> Atlas Birds
            sort -author.name name; limit 2 -> Fog Grass
            """),
        PendingFetch(
            "Person", "a new author, seen from the author",
            { try $0.set("Work", "Fog", "author", $0["Person", "Ann"]) },
            """
            where works.@count == 3 -> Ann
            where ANY works.name == 'Fog' -> Ann
            where SUBQUERY(works, $w, $w.year < 1900).@count == 1 -> Ann
            sort -works.@count name; limit 2 -> Ann Eva
            """),
        PendingFetch(
            "Work", "a new tag", { try $0["Work", "Dreams"].mutableSetValue(forKey: "tags").add($0["Tag", "void"]) },
            """
            where ANY tags.name == 'void' -> Dreams
            where tags.@count == 0 ->
            where tags.@sum.weight == 5; sort name -> Clouds Dreams
            """),
        PendingFetch(
            "Tag", "a new tag, seen from the tag",
            { try $0["Work", "Dreams"].mutableSetValue(forKey: "tags").add($0["Tag", "void"]) },
            """
            where works.@count == 1 -> void
            where ANY works.author.name == 'Eva'; sort name -> old void
            """),
        PendingFetch(
            "Work", "a deleted author", { $0.context.delete(try $0["Person", "Ann"]) },
            """
            where author == nil; sort name -> Atlas Birds Fog
            where author.name == 'Ann' ->
            """),
        PendingFetch(
            "Person", "a deleted person", { $0.context.delete(try $0["Person", "Ann"]) },
            """
            sort name -> Bob Cid Dot Eva Fay Gus Kid
            where age == 30; sort name -> Fay Gus
            where ANY friends.name == 'Ann' ->
            """),
        PendingFetch(
            "Person", "an object of a subentity", { $0.context.make("Scholar", "Zoe", ["age": 30]) },
            """
            where age == 30; sort name -> Ann Fay Gus Zoe
            exact; where age == 30; sort name -> Ann Gus
            sort -name; limit 1 -> Zoe
            """),
        PendingFetch(
            "Being", "an object seen as its superentity", { $0.context.make("Animal", "Ape", ["legs": 2]) },
            """
            where alive == nil; sort name -> Ape Fay Kid Sly Ufo
            where legs == 2 -> Ape
            where age == nil; sort name; limit 2 -> Ape Cid
            sort -legs name; limit 4 -> Rex Tom Mia Ape
            exact ->
            """),
        PendingFetch(
            "Work", "an object that was inserted and deleted", { $0.context.delete($0.context.make("Work", "Hill")) },
            """
            sort name; offset 5 -> Fog Grass
            """),
        PendingFetch(
            "Work", "a value that was set back",
            {
                try $0.set("Work", "Birds", "year", 5)
                try $0.set("Work", "Birds", "year", 2001)
            },
            """
            where year == 2001; sort name -> Birds Clouds
            """),
        PendingFetch(
            "Work", "changes of all kinds",
            {
                $0.context.make("Work", "Hill", ["year": 2001, "pages": 10])
                $0.context.delete(try $0["Work", "Clouds"])
                try $0.set("Work", "Grass", "year", 2001)
                try $0.set("Work", "Birds", "year", 1)
            },
            """
            where year == 2001; sort name -> Grass Hill
            sort year name -> Dreams Birds Fog Atlas Grass Hill Echo
            sort year name; offset 4; limit 2 -> Grass Hill
            where pages < 100; sort pages -> Hill Grass
            where year < 1900 OR pages == 10; sort -name -> Hill Fog Birds
            """),
        PendingFetch(
            "Work", "changes elsewhere",
            {
                $0.context.make("Tag", "new")
                try $0.set("Town", "Ald", "people", 5)
            },
            """
            sort name; limit 2 -> Atlas Birds
            where year == 2001 -> Birds Clouds
            """),
    ]
}

@Suite("A table of fetch requests with unsaved changes")
struct PendingFetchTests {
    @Test("objects, IDs and counts are those of the context", arguments: StoreKind.allCases, PendingFetch.all)
    func find(_ kind: StoreKind, _ pending: PendingFetch) throws {
        try withStack(kind, model: RealmModel.make()) { stack in
            try RealmData.fill(stack.context)
            try stack.context.save()
            try inFreshContext(stack) { context in
                try pending.change(PendingFetch.Names(context: context))
                for row in pending.rows {
                    let objects = try context.fetch(row.request())
                    let names = row.arranged(objects.map { $0.text("name")! })
                    expectEqual(names, row.names, "\(row.text): \(names)")
                    let ids = row.request(NSManagedObjectID.self)
                    ids.resultType = .managedObjectIDResultType
                    let found = try context.fetch(ids)
                    expectEqual(Set(found), Set(objects.map(\.objectID)), "\(row.text): \(found)")
                    expectEqual(found.count, objects.count, "\(row.text): \(found)")
                    let count = try context.count(for: row.request())
                    expectEqual(count, objects.count, "\(row.text): \(count)")
                }
                // Saved, they are the same.
                try context.save()
                for row in pending.rows where row.clauses["stored"] == nil {
                    let names = row.arranged(try context.fetch(row.request()).map { $0.text("name")! })
                    expectEqual(names, row.names, "\(row.text), saved: \(names)")
                }
            }
        }
    }
}
