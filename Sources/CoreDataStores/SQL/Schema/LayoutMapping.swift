// SPDX-License-Identifier: Apache-2.0

/// Maps the entity numbers of a store to the layouts of the process, and back.
package struct LayoutMapping {
    private let layoutByEntity: [EntityLayout?]
    private let entityByLayout: [SQLEntity?]
    private let base: UInt32

    init(schema: SQLSchema, layouts: ModelLayout) {
        base = layouts.base
        var byEntity = [EntityLayout?](repeating: nil, count: (schema.entities.map(\.number).max() ?? 0) + 1)
        var byLayout = [SQLEntity?](repeating: nil, count: layouts.layouts.count)
        for entity in schema.entities {
            guard let layout = layouts.byName[entity.name] else { continue }
            byEntity[entity.number] = layout
            byLayout[Int(layout.number - base)] = entity
        }
        layoutByEntity = byEntity
        entityByLayout = byLayout
    }

    /// The layout of a `Z_ENT`; nil for a number that the model doesn't have.
    @inline(__always)
    func layout(entity number: Int64) -> EntityLayout? {
        number > 0 && number < layoutByEntity.count ? layoutByEntity[Int(number)] : nil
    }

    /// The layout of a row of a declared entity or its subentities, whose number only a damaged store has wrong.
    package func layout(entity number: Int64, of declared: EntityLayout) -> EntityLayout {
        layout(entity: number).flatMap { $0.isKind(of: declared) ? $0 : nil } ?? declared
    }

    /// The layout of a member of a relationship by the `Z_ENT` of its row; nil for a row of another entity, which only
    /// a damaged store has there.
    func layout(ofMember number: Int64, declared: EntityLayout) -> EntityLayout? {
        guard let layout = layout(entity: number) else { return declared }
        return layout.isKind(of: declared) ? layout : nil
    }

    /// The rows of entities that the model has, each once.
    package func references(of rows: some Sequence<(entity: Int64, key: Int64)>) -> [ObjectReference] {
        var known: Set<ObjectReference> = []
        return rows.compactMap { row in
            guard let layout = layout(entity: row.entity) else { return nil }
            let reference = ObjectReference(key: row.key, layout: layout.number)
            return known.insert(reference).inserted ? reference : nil
        }
    }

    /// The entity of a layout; nil if the store's configuration lacks it.
    @inline(__always)
    package func entity(_ layout: EntityLayout) -> SQLEntity? { entity(layout: layout.number) }

    @inline(__always)
    package func entity(layout number: UInt32) -> SQLEntity? {
        let index = Int(number &- base)
        return index < entityByLayout.count ? entityByLayout[index] : nil
    }
}
