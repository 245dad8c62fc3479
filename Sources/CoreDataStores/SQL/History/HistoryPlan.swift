// SPDX-License-Identifier: Apache-2.0

/// How the history of a store records the changes of one entity: the positions of its properties in the bit vector of
/// an update, and the columns whose values outlive a deletion.
///
/// Immutable. An open store makes one for each entity.
package final class HistoryPlan {
    /// An attribute whose value is preserved when its object is deleted.
    package struct PreservedColumn {
        package let slot: PropertySlot
        /// The name of the attribute; of an element of a composite attribute its key path.
        package let key: String
        package let kind: SQLStorageKind
        package let name: String
    }

    let layout: EntityLayout
    package let tableName: String
    package let entityNumber: Int64
    /// In order of names: the n-th value is in the n-th tombstone column.
    package let preservedColumns: [PreservedColumn]
    /// The number of bits.
    let width: Int
    /// The bits of a property, by its position in the layout.
    private let positions: [Range<Int>]
    /// The property that each bit belongs to; nil for one that the model doesn't have.
    private let slots: [PropertySlot?]

    /// Positions: to-one relationships, each with a second one for the entity of its destination if that varies; the
    /// positions in ordered inverses; attributes, with one position for each element of a composite; to-many
    /// relationships. Inherited properties come first in each group, then names count.
    init(layout: EntityLayout, entity: SQLEntity) {
        self.layout = layout
        tableName = entity.tableName
        entityNumber = Int64(entity.number)
        var positions = [Range<Int>](repeating: 0..<0, count: layout.properties.count)
        var slots: [PropertySlot] = []
        func add(_ slot: PropertySlot, _ count: Int) {
            positions[slot.index] = slots.count..<slots.count + count
            for _ in 0..<count { slots.append(slot) }
        }
        let stored = layout.properties.compactMap { slot in entity.properties[slot.name].map { (slot, $0) } }
        for case (let slot, .toOne(let relationship)) in stored { add(slot, relationship.entityColumn == nil ? 1 : 2) }
        for case (let slot, .toOne(let relationship)) in stored where relationship.orderColumn != nil {
            slots.append(slot)
        }
        for (slot, property) in stored {
            switch property {
            case .attribute: add(slot, 1)
            case .composite(let composite): add(slot, composite.attributes.count)
            case .toOne, .toMany: break
            }
        }
        for case (let slot, .toMany) in stored { add(slot, 1) }
        self.positions = positions
        self.slots = slots
        width = slots.count
        preservedColumns = Self.preservedColumns(entity, layout)
    }

    /// Positions that outlive a version of the model: each property has one, by its name. A property without one isn't
    /// recorded.
    init(layout: EntityLayout, entity: SQLEntity, permanentPositions: [String: Int]) {
        self.layout = layout
        tableName = entity.tableName
        entityNumber = Int64(entity.number)
        width = (permanentPositions.values.max() ?? -1) + 1
        var slots = [PropertySlot?](repeating: nil, count: width)
        positions = layout.properties.map { slot in
            guard entity.properties[slot.name] != nil, let position = permanentPositions[slot.name] else {
                return 0..<0
            }
            slots[position] = slot
            return position..<position + 1
        }
        self.slots = slots
        preservedColumns = Self.preservedColumns(entity, layout)
    }

    /// The attributes with "preserve after deletion" by name, and the elements of composite ones by key path. Values
    /// with external storage are not preserved.
    private static func preservedAttributes(_ entity: SQLEntity) -> [(key: String, column: SQLColumn)] {
        entity.properties.flatMap { name, property -> [(key: String, column: SQLColumn)] in
            switch property {
            case .attribute(let attribute) where attribute.description.preservesValueInHistoryOnDeletion:
                columns(of: property, name)
            case .composite(let composite) where composite.description.preservesValueInHistoryOnDeletion:
                columns(of: property, name)
            case .attribute, .composite, .toOne, .toMany: []
            }
        }
    }

    private static func columns(of property: SQLProperty, _ key: String) -> [(key: String, column: SQLColumn)] {
        switch property {
        case .attribute(let attribute): attribute.column.kind == .externalBinary ? [] : [(key, attribute.column)]
        case .composite(let composite):
            composite.elements.flatMap { columns(of: $0.property, "\(key).\($0.name)") }
        case .toOne, .toMany: []
        }
    }

    private static func preservedColumns(_ entity: SQLEntity, _ layout: EntityLayout) -> [PreservedColumn] {
        preservedAttributes(entity).sorted { $0.key.precedesBytewise($1.key) }.compactMap { key, column in
            let names = key.split(separator: ".")
            let first = names.first.flatMap { layout.slot(named: String($0)) }
            let slot = names.dropFirst().reduce(first) { slot, name in slot?.elements.first { $0.name == name } }
            return slot.map { PreservedColumn(slot: $0, key: key, kind: column.kind, name: column.name) }
        }
    }

    /// The number of tombstone columns that the entities of a store need.
    static func tombstoneCount(_ schema: SQLSchema) -> Int {
        schema.entities.map { preservedAttributes($0).count }.max() ?? 0
    }

    // MARK: Bit vectors

    /// A vector without set bits.
    var emptyColumns: [UInt8] { [UInt8](repeating: 0, count: (width + 7) / 8) }

    /// Sets the bits of a property, or of an element of a composite attribute.
    func mark(_ slot: PropertySlot, in columns: inout [UInt8]) {
        let range = positions[slot.index]
        let property = layout.properties[slot.index]
        // A single position stands for all elements.
        if slot !== property, property.kind == .composite, range.count > 1 {
            // The cells of the elements are in the order of their columns.
            let position = range.lowerBound + slot.cell - property.cell
            if range.contains(position) { Self.set(position, in: &columns) }
        } else {
            for position in range { Self.set(position, in: &columns) }
        }
    }

    private static func set(_ position: Int, in columns: inout [UInt8]) {
        columns[position >> 3] |= 0x80 >> UInt8(position & 7)
    }

    /// The properties whose bits are set. Bits behind the last property count as not set.
    package func properties(_ columns: UnsafeRawBufferPointer) -> [NSPropertyDescription] {
        var found: [NSPropertyDescription] = []
        for (index, byte) in columns.prefix((width + 7) / 8).enumerated() where byte != 0 {
            for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 && index * 8 + bit < width {
                guard let property = slots[index * 8 + bit]?.property else { continue }
                if found.last !== property { found.append(property) }
            }
        }
        return found
    }
}
