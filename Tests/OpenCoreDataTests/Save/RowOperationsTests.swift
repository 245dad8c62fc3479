import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// The first stage of a save: changes become row operations.
@Suite("Row operations of a save")
struct RowOperationsTests {
    @Test("checks come first, then deletions, updates, insertions and relationships")
    func order() throws {
        let fixture = try SaveFixture()
        fixture.change("Album", -1, "tags", added: [fixture.reference("Tag", 5)], order: [fixture.reference("Tag", 5)])
        fixture.insert("Album", -1, ["title": "Kind of Blue"])
        fixture.update("Tag", 5, from: ["name": "jazz"], to: ["name": "Jazz"])
        fixture.delete("Track", 7)
        fixture.check("Artist", 9)
        try expectEqual(
            fixture.lines(),
            [
                "check Artist [9]", "delete Track [7]", #"update Tag ["ZNAME"] [5]"#, "insert Album [101]",
                "INSERT OR IGNORE INTO Z_1TAGS(Z_1ALBUMS, Z_5TAGS) VALUES(?, ?) [[101, 5]]", "order 101 all([5])",
            ])
    }

    @Test("rows of one entity share an operation while they follow one another")
    func runs() throws {
        let fixture = try SaveFixture()
        fixture.insert("Tag", -1)
        fixture.insert("Tag", -2)
        fixture.insert("Track", -3)
        fixture.delete("Track", 1)
        fixture.delete("Track", 2)
        fixture.delete("Track", 3, version: 0)
        fixture.delete("Track", 4, version: 0)
        fixture.delete("Tag", 5)
        fixture.delete("Track", 6)
        try expectEqual(
            fixture.lines(),
            [
                "delete Track [1, 2]", "delete Track [3, 4] any", "delete Tag [5]", "delete Track [6]",
                "insert Tag [101, 102]", "insert Track [101]",
            ])
    }

    @Test("an update writes the columns that differ from the committed snapshot, and the version")
    func updatedColumns() throws {
        let fixture = try SaveFixture()
        fixture.update(
            "Album", 3, from: ["title": "a", "rating": 1.5, "isLive": true, "performer": 1],
            to: ["title": "b", "rating": 1.5, "performer": 2], version: 4)
        guard case .update(let update) = try fixture.operations()[0] else {
            Issue.record("no update")
            return
        }
        expectEqual(update.columns.map(\.slot.name), ["isLive", "performer", "title"])
        expectEqual(
            update.text,
            """
            UPDATE ZALBUM SET ZISLIVE = ?, ZPERFORMER = ?, Z2_PERFORMER = ?, ZTITLE = ?, Z_OPT = ? \
            WHERE Z_PK = ? AND Z_OPT = ?
            """)
    }

    @Test("updates share a statement while they write the same columns")
    func updateRuns() throws {
        let fixture = try SaveFixture()
        fixture.update("Tag", 1, from: ["name": "a"], to: ["name": "b"])
        fixture.update("Tag", 2, from: ["name": "c"], to: [:])
        fixture.update("Tag", 3, from: ["name": "c"], to: ["name": "c"])
        fixture.update("Tag", 4, from: [:], to: ["name": "c"])
        fixture.update("Track", 5, from: [:], to: ["title": "c"])
        try expectEqual(
            fixture.lines(),
            [
                #"update Tag ["ZNAME"] [1, 2]"#, "update Tag [] [3]", #"update Tag ["ZNAME"] [4]"#,
                #"update Track ["ZTITLE"] [5]"#,
            ])
    }

    @Test("a reference that becomes nil clears the position in the ordered inverse, and one that changes doesn't")
    func clearedOrder() throws {
        let fixture = try SaveFixture()
        fixture.update("Track", 1, from: ["album": 1], to: ["album": 2])
        fixture.update("Track", 2, from: ["album": 1], to: [:])
        fixture.update("Track", 3, from: ["album": 1], to: ["album": 3])
        let texts = try fixture.operations().compactMap { operation -> String? in
            if case .update(let update) = operation { update.text } else { nil }
        }
        expectEqual(
            texts,
            [
                "UPDATE ZTRACK SET ZALBUM = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?",
                "UPDATE ZTRACK SET ZALBUM = ?, Z_FOK_ALBUM = NULL, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?",
                "UPDATE ZTRACK SET ZALBUM = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?",
            ])
    }

    @Test("rows inserted again retain their keys, which must be free")
    func replacements() throws {
        let fixture = try SaveFixture()
        fixture.insert("Tag", 7, isReplacement: true)
        fixture.insert("Tag", -1)
        try expectEqual(fixture.lines(), ["check absence Tag 7", "insert Tag [7, 101]"])
    }

    @Test("unique values are cleared before updates, and only those that change")
    func uniqueValues() throws {
        let fixture = try SaveFixture()
        let (one, other) = (UUID(), UUID())
        fixture.update("Album", 1, from: ["ident": one, "title": "a"], to: ["ident": other, "title": "a"])
        fixture.update("Album", 2, from: ["ident": other, "title": "a"], to: ["ident": one, "title": "a"])
        fixture.update("Album", 3, from: ["title": "a"], to: ["title": "b"])
        let updates = [#"update Album ["ZIDENT"] [1, 2]"#, #"update Album ["ZTITLE"] [3]"#]
        try expectEqual(fixture.lines(), updates)
        try expectEqual(
            fixture.lines(clearsUniqueValues: true),
            [
                "UPDATE ZALBUM SET ZIDENT = NULL WHERE Z_PK = ? [[1], [2]]"
            ] + updates)
    }

    // MARK: Relationships

    @Test("join rows of all owners share a statement, those that go come first, a temporary member is not removed")
    func joinRows() throws {
        let fixture = try SaveFixture()
        fixture.insert("Album", -1)
        fixture.change("Tag", 5, "albums", added: [fixture.reference("Album", -1), fixture.reference("Album", 2)])
        fixture.change("Tag", 6, "albums", added: [fixture.reference("Album", 2)])
        fixture.change("Tag", 7, "albums", removed: [fixture.reference("Album", 3), fixture.reference("Album", -4)])
        try expectEqual(
            fixture.lines(),
            [
                "insert Album [101]",
                "DELETE FROM Z_1TAGS WHERE Z_5TAGS = ? AND Z_1ALBUMS = ? [[7, 3]]",
                "INSERT OR IGNORE INTO Z_1TAGS(Z_5TAGS, Z_1ALBUMS) VALUES(?, ?) [[5, 101], [5, 2], [6, 2]]",
            ])
    }

    @Test("a relationship that is its own inverse has join rows in both directions")
    func reflexiveJoinRows() throws {
        let fixture = try SaveFixture()
        fixture.change(
            "Artist", 1, "friends", added: [fixture.reference("Artist", 2)], removed: [fixture.reference("Band", 3)])
        try expectEqual(
            fixture.lines(),
            [
                "DELETE FROM Z_2FRIENDS WHERE Z_2FRIENDS = ? AND REFLEXIVE = ? [[1, 3], [3, 1]]",
                "INSERT OR IGNORE INTO Z_2FRIENDS(Z_2FRIENDS, REFLEXIVE) VALUES(?, ?) [[1, 2], [2, 1]]",
            ])
    }

    @Test("a to-many relationship with a to-one inverse writes positions alone")
    func inverse() throws {
        let fixture = try SaveFixture()
        let track = fixture.reference("Track", 2)
        fixture.change("Artist", 1, "albums", added: [fixture.reference("Album", 1)])
        fixture.change("Album", 1, "tracks", added: [track], last: [track])
        try expectEqual(fixture.lines(), ["order 1 last([2])"])
    }

    @Test("a relationship without inverse writes the foreign keys of its members")
    func foreignKeys() throws {
        let fixture = try SaveFixture()
        let list = fixture.schema.entitiesByName["WishList"]!
        guard case .foreignKey(let key)? = list.toMany("tracks")?.storage, let entity = key.entityColumn?.name,
            let order = key.orderColumn?.name
        else {
            Issue.record("no foreign keys")
            return
        }
        fixture.insert("Track", -2)
        let new = fixture.reference("Track", -2)
        fixture.change(
            "BirthdayList", 1, "tracks", added: [new], removed: [fixture.reference("Track", 3)], last: [new])
        let column = key.column.name
        let number = Int64(fixture.schema.entitiesByName["BirthdayList"]!.number)
        try expectEqual(
            fixture.lines(),
            [
                "insert Track [101]",
                """
                UPDATE ZTRACK SET \(column) = NULL, \(entity) = NULL, \(order) = NULL \
                WHERE Z_PK = ? AND \(column) = ? [[3, 1]]
                """,
                "UPDATE ZTRACK SET \(column) = ?, \(entity) = ? WHERE Z_PK = ? [[1, \(number), 101]]",
                "order 1 last([101])",
            ])
    }

    @Test("a member or owner that no store has and the save doesn't insert is an error")
    func unknownReferences() throws {
        let member = try SaveFixture()
        member.change("Tag", 5, "albums", added: [member.reference("Album", -9)])
        let owner = try SaveFixture()
        owner.change("Tag", -5, "albums", added: [owner.reference("Album", 1)])
        for fixture in [member, owner] {
            let error = thrownError { _ = try fixture.operations() }
            expectEqual(error?.domain, NSCocoaErrorDomain)
            expectEqual(error?.code, NSManagedObjectReferentialIntegrityError)
        }
    }
}
