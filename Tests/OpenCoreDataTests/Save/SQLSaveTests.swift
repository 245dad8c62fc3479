import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// A save, by the answers of an engine.
@Suite("A save into a SQL store")
struct SQLSaveTests {
    /// An engine that runs nothing: it records what it should run, and answers as a test says.
    private final class Engine: SQLSaveEngine {
        let fixture: SaveFixture
        private(set) var lines: [String] = []
        /// Keys of rows that have another version than the one a context saw.
        var changedKeys: Set<Int64> = []
        var missingKeys: Set<Int64> = []
        /// The key of the row that has unique values.
        var keyOfUniqueValues: Int64?
        /// How many insertions a unique index refuses.
        var refusals = 0
        private var rows: [RowBuffer] = []

        init(_ fixture: SaveFixture) { self.fixture = fixture }

        var plans: SQLPlans { fixture.plans }

        func withTransaction(_ body: () throws -> Void) throws {
            lines.append("begin")
            do {
                try body()
            } catch {
                lines.append("rollback")
                throw error
            }
            lines.append("commit")
        }

        func reserveKeys(root: UInt32, count: Int64) throws -> Int64 { 101 }

        func row(_ layout: EntityLayout, key: Int64) throws -> RetainedRow? {
            if missingKeys.contains(key) { return nil }
            let buffer = RowBuffer(layout: layout, includesSubentities: true, capacity: 1)
            return RetainedRow(buffer: buffer, row: buffer.append(primaryKey: key, version: 5, layout: layout))
        }

        func entityNumber(_ plan: RowWritePlan, key: Int64) throws -> Int64? {
            missingKeys.contains(key) ? nil : Int64(plan.entity.number)
        }

        func rows(_ lookup: UniqueRowLookup, _ cells: [Cells]) throws -> [RetainedRow?] {
            try cells.map { _ in try keyOfUniqueValues.flatMap { try row(lookup.plan.layout, key: $0) } }
        }

        func positions(_ order: RelationshipWritePlan.Order, owners: [Int64]) throws -> [Int64: [Int64: Int64]] { [:] }
        func positions(_ order: RelationshipWritePlan.Order, owner: Int64, members: [Int64]) throws -> [Int64: Int64] {
            [:]
        }

        func check(_ check: VersionCheck) throws -> [StoreChanges.CheckedRow] {
            lines.append(SaveFixture.line(.checkVersions(check)))
            return check.rows.filter { changedKeys.contains($0.key) }
        }

        func delete(_ deletion: RowDeletion) throws -> [StoreChanges.DeletedRow] {
            lines.append(SaveFixture.line(.delete(deletion)))
            return deletion.rows.filter { changedKeys.contains($0.key) || missingKeys.contains($0.key) }
        }

        func update(_ update: RowUpdate, _ keys: PermanentKeys) throws -> [StoreChanges.UpdatedRow] {
            lines.append(SaveFixture.line(.update(update)))
            return update.rows.filter { changedKeys.contains($0.key) || missingKeys.contains($0.key) }
        }

        func insert(_ insertion: RowInsertion, _ keys: PermanentKeys) throws {
            lines.append(SaveFixture.line(.insert(insertion)))
            guard refusals > 0 else { return }
            refusals -= 1
            throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectConstraintMergeError)
        }

        func write(_ write: KeyWrite) throws { lines.append(SaveFixture.line(.writeKeys(write))) }

        func rowsChangedByTriggers() -> [ObjectReference] { [fixture.reference("Album", 3)] }

        func save(beforeCommit: () throws -> Void = {}) throws -> StoreSaveResult {
            try SQLSave(fixture.changes, engine: self).run(beforeCommit: beforeCommit)
        }

        func conflict() -> StoreConflict? {
            do {
                _ = try save()
            } catch {
                return error as? StoreConflict
            }
            return nil
        }
    }

    private let clearing = "UPDATE ZALBUM SET ZIDENT = NULL WHERE Z_PK = ? [[1]]"

    @Test("the result has the keys of the inserted rows and the rows that triggers changed")
    func result() throws {
        let fixture = try SaveFixture()
        fixture.insert("Tag", -1)
        fixture.insert("Tag", -2)
        let result = try Engine(fixture).save()
        expectEqual(result.keys, [101, 102])
        expectEqual(result.affected, [fixture.reference("Album", 3)])
    }

    @Test("what throws before the commit undoes the transaction")
    func beforeCommit() throws {
        struct Refused: Error {}
        let engine = Engine(try SaveFixture())
        #expect(throws: Refused.self) { try engine.save { throw Refused() } }
        expectEqual(engine.lines, ["begin", "rollback"])
    }

    @Test("conflicts of all operations are collected, with the rows as they are in the store")
    func conflicts() throws {
        let fixture = try SaveFixture()
        fixture.check("Tag", 1)
        fixture.delete("Track", 2, version: 3)
        fixture.update("Artist", 4, from: ["name": "a"], to: ["name": "b"])
        fixture.update("Artist", 5, from: ["name": "a"], to: ["name": "b"])
        fixture.insert("Tag", 6, isReplacement: true)
        let engine = Engine(fixture)
        engine.changedKeys = [1, 2, 4]
        engine.missingKeys = [5]
        let rows = try requireValue(engine.conflict()).rows
        expectEqual(rows.map(\.key), [1, 6, 2, 4, 5])
        expectEqual(rows.map(\.version), [1, 0, 3, 1, 1])
        expectEqual(rows.map { $0.persisted?.row.version }, [5, 5, 5, 5, nil])
        expectEqual(engine.lines.last, "rollback")
    }

    @Test(
        "a row that is deleted already is no conflict, and its join rows are deleted; those of a conflicting row stay")
    func deletions() throws {
        let fixture = try SaveFixture()
        for key in 1...3 { fixture.delete("Album", Int64(key)) }
        let engine = Engine(fixture)
        engine.missingKeys = [1]
        engine.changedKeys = [2]
        try expectEqual(requireValue(engine.conflict()).rows.map(\.key), [2])
        expectEqual(
            engine.lines,
            [
                "begin", "delete Album [1, 2, 3]", "DELETE FROM Z_1TAGS WHERE Z_1ALBUMS = ? [[1], [3]]", "rollback",
            ])
    }

    @Test("when a unique index refuses a row, a second attempt clears the values that change")
    func secondAttempt() throws {
        let fixture = try SaveFixture()
        fixture.update("Album", 1, from: ["ident": UUID()], to: ["ident": UUID()])
        fixture.insert("Tag", -1)
        let engine = Engine(fixture)
        engine.refusals = 1
        try expectEqual(engine.save().keys, [101])
        expectEqual(
            engine.lines,
            [
                "begin", #"update Album ["ZIDENT"] [1]"#, "insert Tag [101]", "rollback",
                "begin", clearing, #"update Album ["ZIDENT"] [1]"#, "insert Tag [101]", "commit",
            ])
    }

    @Test("an index that refuses the second attempt is an error")
    func secondRefusal() throws {
        let fixture = try SaveFixture()
        fixture.insert("Tag", -1)
        let engine = Engine(fixture)
        engine.refusals = 2
        let error = thrownError { _ = try engine.save() }
        expectEqual(error?.code, NSManagedObjectConstraintMergeError)
    }

    @Test("a row that has the values of a constraint is a violation, and nothing is written again")
    func violation() throws {
        let fixture = try SaveFixture()
        fixture.insert("Album", -1, ["ident": UUID()])
        let engine = Engine(fixture)
        engine.refusals = 1
        engine.keyOfUniqueValues = 7
        let violation = try requireValue(engine.conflict()?.violations.first)
        expectEqual(violation.stored?.row.primaryKey, 7)
        expectEqual(violation.rows, [fixture.reference("Album", -1)])
        expectEqual(engine.lines, ["begin", "insert Album [101]", "rollback", "begin", "rollback"])
    }

    @Test("version conflicts are reported rather than the refusal of an index, which may be their result")
    func conflictAndRefusal() throws {
        let fixture = try SaveFixture()
        fixture.update("Album", 1, from: ["title": "a"], to: ["title": "b"])
        fixture.insert("Album", -1, ["ident": UUID()])
        let engine = Engine(fixture)
        engine.refusals = 1
        engine.changedKeys = [1]
        try expectEqual(requireValue(engine.conflict()).rows.map(\.key), [1])
    }
}
