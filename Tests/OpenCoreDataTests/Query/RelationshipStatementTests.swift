import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("The statements for relationships and rows")
struct RelationshipStatementTests {
    let library: Library
    let statements = SQLKeyedStatements(dialect: SQLiteDialect())

    init() throws {
        library = try Library()
        var random = SeededGenerator(seed: 3)
        try library.fill(&random)
    }

    private static let relationships = [
        ("Artist", "songs"), ("Artist", "fans"), ("Artist", "friends"), ("Artist", "favourites"), ("Artist", "tracks"),
        ("Song", "tags"), ("Tag", "songs"),
    ]

    private func owners(_ entity: String) -> [LibraryObject] {
        entity == "Artist" ? library.artists : entity == "Song" ? library.songs : library.tags
    }

    private func content(_ owner: LibraryObject, _ relationship: SQLToMany) -> [Int64] {
        let keys = (owner.related[relationship.description.name] ?? []).map(\.key)
        return relationship.isOrdered ? keys : keys.sorted()
    }

    @Test("read the members of one owner in order", arguments: relationships)
    func one(entity: String, name: String) throws {
        let relationship = library.schema.entitiesByName[entity]!.toMany(name)!
        let statement = statements.content(of: relationship, keys: .one)
        for owner in owners(entity) {
            let rows = try library.rows(statement.text, statement.bindings(for: owner.key))
            expectEqual(rows.map { $0[0] }, content(owner, relationship), "\(statement.text)")
        }
    }

    @Test("read the members of many owners at once, owner by owner", arguments: relationships)
    func many(entity: String, name: String) throws {
        let relationship = library.schema.entitiesByName[entity]!.toMany(name)!
        let statement = statements.content(of: relationship, keys: .many)
        let owners = owners(entity).filter { $0.key % 3 != 0 }
        let rows = try library.rows(statement.text, statement.bindings(for: owners.map(\.key)))
        let expected = owners.flatMap { owner in content(owner, relationship).map { [owner.key, $0] } }
        expectEqual(rows.map { [$0[0], $0[1]] }, expected, "\(statement.text)")
        let number = rows.first.map { library.schema.entity(number: Int($0[2]))?.root.name }
        expectEqual(number, relationship.destination.root.name)
    }

    @Test("read the entity of members only if other entities share their table, so that an index is enough")
    func entityNumbers() throws {
        func text(_ entity: String, _ name: String) -> String {
            statements.content(of: library.schema.entitiesByName[entity]!.toMany(name)!, keys: .one).text
        }
        expectEqual(text("Artist", "songs"), "SELECT t0.Z_PK FROM ZSONG t0 WHERE t0.ZARTIST = ? ORDER BY t0.Z_PK")
        expectContains(text("Artist", "friends"), "SELECT t1.Z_PK, t1.Z_ENT FROM")
    }

    @Test("find a link of a self-inverse relationship that another program wrote in one direction only")
    func oneWay() throws {
        let friends = library.schema.entitiesByName["Artist"]!.toMany("friends")!
        try library.connection.run("DELETE FROM Z_1FRIENDS")
        try library.connection.run("INSERT INTO Z_1FRIENDS VALUES (1, 2), (3, 3)")
        let statement = statements.content(of: friends, keys: .one)
        try expectEqual(library.rows(statement.text, statement.bindings(for: 2)).map { $0[0] }, [1])
        try expectEqual(library.rows(statement.text, statement.bindings(for: 1)).map { $0[0] }, [2])
        try expectEqual(library.rows(statement.text, statement.bindings(for: 3)).map { $0[0] }, [3])
        try expectEqual(library.keys(library.query("Artist", .parse("friends.@count == 1"))), [1, 2, 3])
    }

    @Test("read one row or many rows by key")
    func rows() throws {
        let song = library.schema.entitiesByName["Song"]!
        let one = statements.rows(of: song.table, columns: [song.column("title")!], keys: .one)
        expectEqual(one.text, "SELECT t0.Z_PK, t0.Z_OPT, t0.ZTITLE FROM ZSONG t0 WHERE t0.Z_PK = ?")
        try expectEqual(library.rows(one.text, one.bindings(for: 5)).map { $0[0] }, [5])
        let many = statements.rows(of: song.table, columns: [], keys: .many)
        try expectEqual(library.rows(many.text, many.bindings(for: [3, 9, 99])).map { $0[0] }.sorted(), [3, 9])
        expectEmpty(try library.rows(many.text, many.bindings(for: [])))
    }
}
