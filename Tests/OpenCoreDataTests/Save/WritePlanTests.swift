import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// The parts of a save that depend on the schema alone.
@Suite("Plans that saves write with")
struct WritePlanTests {
    @Test("a row plan has the stored properties, without derived attributes that triggers maintain")
    func columns() throws {
        let fixture = try SaveFixture()
        let plan = try fixture.plans.writePlan(fixture.layout("Album"))
        #expect(!plan.columns.contains { $0.slot.name == "trackCount" })
        expectEqual(plan.externalColumns.map(\.name), ["ZCOVER"])
        expectEqual(
            plan.insertText,
            """
            INSERT INTO ZALBUM(Z_PK, Z_ENT, Z_OPT, ZADDED, ZCOVER, ZIDENT, ZINFO, ZISLIVE, ZLINK, ZPERFORMER, \
            Z2_PERFORMER, ZPRICE, ZRATING, ZTITLE) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        #expect(try fixture.plans.writePlan(fixture.layout("Album")) === plan)
    }

    @Test("the cells of a new row are those of its columns, each reference with an entity column twice")
    func insertCells() throws {
        let fixture = try SaveFixture()
        for layout in fixture.layouts.layouts {
            let plan = try fixture.plans.writePlan(layout)
            let names = plan.insertCells.map { cell in
                let column = plan.columns[cell.column]
                expectEqual(cell.kind, column.kind)
                expectEqual(cell.cell, column.cell)
                return cell.isEntity ? column.entityColumn : column.name
            }
            expectEqual(names, plan.insertColumns.dropFirst(3).map { $0 })
        }
    }

    @Test("a deleted row leaves join tables in every direction, and foreign keys of relationships without inverse")
    func deletedOwner() throws {
        let fixture = try SaveFixture()
        let artist = try fixture.plans.writePlan(fixture.layout("Artist"))
        expectEqual(
            artist.deletedOwnerTexts,
            [
                "DELETE FROM Z_2FRIENDS WHERE Z_2FRIENDS = ?", "DELETE FROM Z_2FRIENDS WHERE REFLEXIVE = ?",
            ])
        let album = try fixture.plans.writePlan(fixture.layout("Album"))
        expectEqual(album.deletedOwnerTexts, ["DELETE FROM Z_1TAGS WHERE Z_1ALBUMS = ?"])
        expectEmpty(try fixture.plans.writePlan(fixture.layout("Track")).deletedOwnerTexts)
        let list = fixture.schema.entitiesByName["WishList"]!
        guard case .foreignKey(let key)? = list.toMany("artists")?.storage, let entity = key.entityColumn else {
            Issue.record("no foreign keys")
            return
        }
        try expectEqual(
            fixture.plans.writePlan(fixture.layout("WishList")).deletedOwnerTexts.first,
            """
            UPDATE ZARTIST SET \(key.column.name) = NULL, \(entity.name) = NULL WHERE \(key.column.name) = ?
            """)
    }

    @Test("a unique value is looked up by the columns of its constraint")
    func lookup() throws {
        let fixture = try SaveFixture()
        let album = fixture.layout("Album")
        let lookup = try fixture.plans.writePlan(album).lookup(album.uniquenessConstraints[0])
        expectEqual(lookup?.text, "SELECT Z_PK FROM ZALBUM WHERE ZIDENT = ?")
        expectEqual(lookup?.columns.map(\.kind), [.uuid])
    }

    @Test("an entity that the store's configuration lacks is an error that names store and entity")
    func missingEntity() throws {
        let model = AlbumModel.make()
        model.setEntities([model.entitiesByName["Tag"]!], forConfigurationName: "Tags")
        let layouts = ModelLayout.of(model)
        let plans = SQLPlans(
            schema: try SQLSchema(model: model, configuration: "Tags"), layouts: layouts, dialect: SQLiteDialect(),
            location: "Tags.sqlite")
        let error = thrownError { _ = try plans.writePlan(layouts.byName["Artist"]!) }
        expectEqual(error?.code, NSPersistentStoreOperationError)
        expectEqual(error?.localizedDescription.contains("Artist"), true)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == "Tags.sqlite")
        _ = try plans.writePlan(layouts.byName["Tag"]!)
    }
}

@Suite("Permanent keys of a save")
struct PermanentKeysTests {
    @Test("new rows of one hierarchy get consecutive keys from one reservation")
    func oneHierarchy() throws {
        let fixture = try SaveFixture()
        fixture.insert("Artist", -1)
        fixture.insert("Band", -2)
        fixture.insert("Singer", -3)
        var counts: [Int64] = []
        let keys = try PermanentKeys(fixture.changes.inserted) { root, count in
            expectEqual(root, fixture.layout("Artist").number)
            counts.append(count)
            return 11
        }
        expectEqual(counts, [3])
        expectEqual(keys.inserted, [11, 12, 13])
    }

    @Test("hierarchies have keys of their own, and rows that were saved before retain theirs")
    func severalHierarchies() throws {
        let fixture = try SaveFixture()
        fixture.insert("Tag", -1)
        fixture.insert("Band", -2)
        fixture.insert("Tag", 8)
        fixture.insert("Tag", -4)
        let keys = try PermanentKeys(fixture.changes.inserted) { root, count in
            expectEqual(count, (root == fixture.layout("Tag").number ? 2 : 1))
            return root == fixture.layout("Tag").number ? 21 : 31
        }
        expectEqual(keys.inserted, [21, 31, 8, 22])
        try expectEqual(keys.permanentKey(-2), 31)
        try expectEqual(keys.permanentKey(-4), 22)
        try expectEqual(keys.permanentKey(8), 8)
        #expect(throws: (any Error).self) { try keys.permanentKey(-3) }
    }

    @Test("a save without new rows reserves nothing")
    func nothing() throws {
        let fixture = try SaveFixture()
        fixture.insert("Tag", 8)
        let keys = try PermanentKeys(fixture.changes.inserted) { _, _ in
            Issue.record("a reservation")
            return 1
        }
        expectEqual(keys.inserted, [8])
    }
}

@Suite("Positions that a save writes")
struct OrderWriteTests {
    private let plan = RelationshipWritePlan.Order(
        readText: "read", readAllText: "read all", readMemberText: "read one", writeText: "write")

    private func rows(_ members: OrderWrite.Members, added: [Int64] = [], stored: [Int64: Int64]) throws -> [[Int64]] {
        let write = OrderWrite(owner: 9, members: members, added: added)
        return SaveFixture.rows(
            try OrderWrites(plan: plan, owners: [write]).write({ _, _ in [:] }, { _ in [9: stored] }))
    }

    /// Writes placed members of a relationship with three members.
    private func rows(_ placement: OrderWrite.Placement, order: [Int64], stored: [Int64: Int64]) throws -> (
        rows: [[Int64]], readsAll: Bool
    ) {
        var readsAll = false
        let write = OrderWrite(owner: 9, members: .placed([placement], all: { order }), added: [])
        let result = try OrderWrites(plan: plan, owners: [write]).write(
            { _, members in stored.filter { members.contains($0.key) } },
            { _ in
                readsAll = true
                return [9: stored]
            })
        return (SaveFixture.rows(result), readsAll)
    }

    @Test("a placed member gets a position between its neighbours, which are all that is read")
    func placed() throws {
        let placement = OrderWrite.Placement(members: [3], previous: 1, next: 2)
        let result = try rows(placement, order: [1, 3, 2], stored: [1: 2048, 2: 3072, 3: 4096])
        expectEqual(result.rows, [[2560, 3, 9]])
        expectFalse(result.readsAll)
    }

    @Test("without room between the neighbours the positions of all members are read")
    func placedWithoutRoom() throws {
        let placement = OrderWrite.Placement(members: [3], previous: 1, next: 2)
        let result = try rows(placement, order: [1, 3, 2], stored: [1: 2048, 2: 2049, 3: 4096])
        expectTrue(result.readsAll)
        expectEqual(result.rows.count, 2)
    }

    @Test("neighbours that the store has in another order are numbered with all members")
    func placedAmongOthers() throws {
        let placement = OrderWrite.Placement(members: [3], previous: 1, next: 2)
        let result = try rows(placement, order: [1, 3, 2], stored: [1: 3072, 2: 2048, 3: 4096])
        expectTrue(result.readsAll)
    }

    @Test("members at their positions need no statement")
    func unchanged() throws {
        expectEmpty(try rows(.all([1, 2, 3]), stored: [1: 2048, 2: 3072, 3: 4096]))
    }

    @Test("a moved member gets a position between its neighbours")
    func moved() throws {
        try expectEqual(rows(.all([3, 1, 2]), stored: [1: 2048, 2: 3072, 3: 4096]), [[1024, 3, 9]])
    }

    @Test("the stored position of an added member counts for nothing")
    func added() throws {
        try expectEqual(rows(.all([1, 2]), added: [1], stored: [1: 5000, 2: 2048]), [[1024, 1, 9]])
    }

    @Test("added members come last when the others are known to the store alone")
    func last() throws {
        try expectEqual(
            rows(.last([7, 2]), added: [7], stored: [1: 2048, 2: 1024, 3: 4096]), [[5120, 7, 9], [6144, 2, 9]])
    }
}
