import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// The positions of properties in the bit vectors of the history.
@Suite("Bit vectors of the history")
struct HistoryPlanTests {
    private static func plan(_ entity: String) throws -> HistoryPlan {
        let model = AlbumModel.make()
        let layouts = ModelLayout.of(model)
        let schema = try SQLSchema(model: model)
        return withExtendedLifetime(model) {
            HistoryPlan(layout: layouts.byName[entity]!, entity: schema.entitiesByName[entity]!)
        }
    }

    private static func vector(_ plan: HistoryPlan, _ names: String...) -> [UInt8] {
        var columns = plan.emptyColumns
        for name in names { plan.mark(plan.layout.slot(named: name)!, in: &columns) }
        return columns
    }

    @Test("The example of the file format: an album's title and tags")
    func album() throws {
        let plan = try Self.plan("Album")
        expectEqual(plan.width, 14)
        expectEqual(Self.vector(plan, "title", "tags"), [0x00, 0x28])
        expectEqual(Self.vector(plan, "performer"), [0xC0, 0x00])
    }

    @Test("A vector is read back; bits behind the last property are ignored")
    func reading() throws {
        let plan = try Self.plan("Album")
        func names(_ bytes: [UInt8]) -> [String] {
            bytes.withUnsafeBytes { plan.properties($0) }.map(\.name)
        }
        expectEqual(names([0x00, 0x28]), ["title", "tags"])
        expectEqual(names([0xC0, 0x00]), ["performer"])
        expectEqual(names([0x00, 0x03, 0xFF]), [])
        expectEqual(names([]), [])
    }

    @Test("Order positions of to-one relationships stand between these and the attributes")
    func order() throws {
        let plan = try Self.plan("Track")
        expectEqual(plan.width, 3)
        expectEqual(Self.vector(plan, "album"), [0x80])
        expectEqual(Self.vector(plan, "title"), [0x20])
    }
}
