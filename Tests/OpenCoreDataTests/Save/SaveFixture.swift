@testable import CoreDataStores
@testable import OpenCoreData

/// A schema with its plans, and changes of rows that no store has.
final class SaveFixture {
    let schema: SQLSchema
    let layouts: ModelLayout
    let plans: SQLPlans
    var changes: StoreChanges
    private var buffers: [RowBuffer] = []

    init(_ model: NSManagedObjectModel = SaveFixture.model()) throws {
        layouts = ModelLayout.of(model)
        changes = StoreChanges(layouts)
        schema = try SQLSchema(model: model)
        plans = SQLPlans(schema: schema, layouts: layouts, dialect: SQLiteDialect(), location: "Albums.sqlite")
    }

    /// The albums, and wish lists, whose relationships have no inverse. The tracks on a wish list are ordered.
    static func model() -> NSManagedObjectModel {
        let model = AlbumModel.make()
        let (wishList, birthdayList) = (AlbumModel.entity("WishList"), AlbumModel.entity("BirthdayList"))
        wishList.properties = [
            AlbumModel.toMany("artists", model.entitiesByName["Artist"]!),
            AlbumModel.toMany("tracks", model.entitiesByName["Track"]!, ordered: true),
        ]
        wishList.subentities = [birthdayList]
        model.entities += [wishList, birthdayList]
        return model
    }

    func layout(_ entity: String) -> EntityLayout { layouts.byName[entity]! }

    func reference(_ entity: String, _ key: Int64) -> ObjectReference {
        ObjectReference(key: key, layout: layout(entity).number)
    }

    /// The cells of a row. A reference is given by its key.
    func cells(_ entity: String, _ values: [String: Any] = [:]) -> Cells {
        let layout = layout(entity)
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
        buffers.append(buffer)
        let cells = buffer.append(primaryKey: 1, version: 1, layout: layout).cells
        for (name, value) in values {
            let slot = layout.slot(named: name)!
            if slot.kind == .toOne {
                cells.setReference(Int64(value as! Int), layout: slot.destination, at: slot.cell)
            } else {
                slot.write(value, to: cells, entity: entity)
            }
        }
        return cells
    }

    func insert(_ entity: String, _ key: Int64, _ values: [String: Any] = [:], isReplacement: Bool = false) {
        changes.inserted.append(
            .init(layout: layout(entity), key: key, cells: cells(entity, values), isReplacement: isReplacement))
    }

    func update(_ entity: String, _ key: Int64, from old: [String: Any], to new: [String: Any], version: Int32 = 1) {
        changes.updated.append(
            .init(
                layout: layout(entity), key: key, version: version, cells: cells(entity, new),
                committed: cells(entity, old)))
    }

    func delete(_ entity: String, _ key: Int64, version: Int32 = 1) {
        changes.deleted.append(.init(layout: layout(entity), key: key, version: version))
    }

    func check(_ entity: String, _ key: Int64, version: Int32 = 1) {
        changes.checked.append(.init(layout: layout(entity), key: key, version: version))
    }

    func change(
        _ entity: String, _ owner: Int64, _ property: String, added: [ObjectReference] = [],
        removed: [ObjectReference] = [], last: [ObjectReference] = [], order: [ObjectReference]? = nil
    ) {
        let layout = layout(entity)
        changes.relationships.append(
            .init(
                layout: layout, property: layout.slot(named: property)!.index, owner: owner, added: added,
                removed: removed, last: last,
                order: order.map(StoreChanges.MemberList.init)))
    }

    /// The keys of the inserted rows, from 101 in each hierarchy.
    func keys() throws -> PermanentKeys { try PermanentKeys(changes.inserted) { _, _ in 101 } }

    func operations(clearsUniqueValues: Bool = false) throws -> [RowOperation] {
        try RowOperations(changes, keys: keys(), plans: plans, clearsUniqueValues: clearsUniqueValues).list
    }

    /// The operations, one line each.
    func lines(clearsUniqueValues: Bool = false) throws -> [String] {
        try operations(clearsUniqueValues: clearsUniqueValues).map(Self.line)
    }

    static func line(_ operation: RowOperation) -> String {
        switch operation {
        case .checkVersions(let check):
            "check \(check.plan.entity.name) \(check.rows.map(\.key))"
        case .checkAbsence(let row):
            "check absence \(row.layout.name) \(row.key)"
        case .delete(let deletion):
            "delete \(deletion.plan.entity.name) \(deletion.rows.map(\.key))" + (deletion.isVersioned ? "" : " any")
        case .update(let update):
            "update \(update.plan.entity.name) \(update.columns.map(\.name)) \(update.rows.map(\.key))"
        case .insert(let insertion):
            "insert \(insertion.plan.entity.name) \(Array(insertion.keys))"
        case .writeKeys(let write):
            "\(write.text) \(rows(write))"
        case .writeOrder(let orders):
            orders.owners.map { "order \($0.owner) \($0.members)" }.joined(separator: ", ")
        }
    }

    /// The parameters of each run of a statement.
    static func rows(_ write: KeyWrite) -> [[Int64]] {
        stride(from: 0, to: write.values.count, by: write.width).map {
            Array(write.values[$0..<$0 + write.width])
        }
    }
}
