import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Plans that fetches read rows with")
struct RowPlanTests {
    private func plan(
        _ fixture: SaveFixture, _ entity: String, includesSubentities: Bool = true, properties: Set<Int>? = nil
    ) throws -> RowPlan {
        try fixture.plans.rowPlan(
            fixture.layout(entity), includesSubentities: includesSubentities, properties: properties)
    }

    @Test("each stored value has a column and fills the cell of its property")
    func steps() throws {
        let fixture = try SaveFixture()
        let plan = try plan(fixture, "Album")
        let layout = fixture.layout("Album")
        let steps = try requireValue(plan.entities[0]).steps
        expectEqual(
            plan.columns.map(\.name),
            [
                "ZADDED", "ZCOVER", "ZIDENT", "ZINFO", "ZISLIVE", "ZLINK", "ZPERFORMER", "Z2_PERFORMER", "ZPRICE",
                "ZRATING", "ZTITLE", "ZTRACKCOUNT",
            ])
        let forms = Dictionary(uniqueKeysWithValues: steps.map { (plan.selectedColumns[Int($0.column)], $0.form) })
        expectEqual(forms["ZADDED"], .real)
        expectEqual(forms["ZCOVER"], .object)
        expectEqual(forms["ZISLIVE"], .integer)
        expectEqual(forms["ZTITLE"], .string)
        expectEqual(forms["ZPERFORMER"], .reference)
        expectEqual(forms["ZTRACKCOUNT"], .integer)
        let cells = Set(steps.map { Int($0.cell) })
        expectEqual(cells, Set(layout.properties.map(\.cell).filter { $0 >= 0 }))
    }

    @Test("a reference reads the entity number behind its key")
    func reference() throws {
        let fixture = try SaveFixture()
        let plan = try plan(fixture, "Album")
        let entity = try requireValue(plan.entities[0])
        let step = try requireValue(entity.steps.first { $0.form == .reference })
        expectEqual(plan.selectedColumns[Int(step.entityColumn)], "Z2_PERFORMER")
        let band = fixture.layout("Band")
        let number = Int64(fixture.schema.entitiesByName["Band"]!.number)
        expectEqual(plan.destination(step, entity: number), band.number)
        // The number of another hierarchy, which only a damaged store has, leaves the declared entity.
        expectEqual(plan.destination(step, entity: 1), fixture.layout("Artist").number)
        expectEqual(plan.destination(step, entity: 99), fixture.layout("Artist").number)
    }

    @Test("subentities share inherited columns, and every cell of a row is filled")
    func subentities() throws {
        let fixture = try SaveFixture()
        let plan = try plan(fixture, "Artist")
        expectEqual(plan.columns.filter { $0.name == "ZNAME" }.count, 1)
        expectEqual(
            plan.entities.compactMap { $0?.number }, ["Artist", "Band", "Singer"].map { fixture.layout($0).number })
        for entity in plan.entities.compactMap({ $0 }) {
            let layout = fixture.layouts[entity.number]
            let stored = layout.properties.filter { $0.cell >= 0 && !$0.isTransient }.flatMap(\.ownCells)
            expectEqual(entity.steps.map { Int($0.cell) }.sorted(), stored.sorted())
            expectEqual(entity.wordCount, layout.wordCount)
        }
        try expectEqual(self.plan(fixture, "Artist", includesSubentities: false).entities.count, 1)
    }

    @Test("a partial plan reads the columns of its properties alone, and isn't used for others")
    func partial() throws {
        let fixture = try SaveFixture()
        let title = fixture.layout("Album").slot(named: "title")!.index
        let partial = try plan(fixture, "Album", properties: [title])
        expectEqual(partial.columns.map(\.name), ["ZTITLE"])
        expectTrue(partial.isPartial)
        let complete = try plan(fixture, "Album")
        let again = try plan(fixture, "Album")
        #expect(complete !== partial)
        #expect(complete === again)
        expectTrue(partial.makeList().isPartial)
        expectFalse(complete.makeList().isPartial)
    }
}
