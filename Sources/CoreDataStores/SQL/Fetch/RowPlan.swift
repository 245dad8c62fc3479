// SPDX-License-Identifier: Apache-2.0

/// How the rows of one entity, and of its subentities, are read into a row buffer: which columns a statement selects,
/// and which cell each of them fills.
///
/// Immutable. Each engine steps its statements in a separate loop, which reads a plan and no other class.
package final class RowPlan {
    /// Fills one cell of a row.
    struct Step {
        /// How a value is read. A loop tests the frequent forms first.
        enum Form: UInt8 {
            /// Integers and Booleans.
            case integer
            /// Double, Float and Date.
            case real
            case string
            /// The key of the destination of a to-one relationship.
            case reference
            /// Values that are objects in a cell. The step's kind decides which.
            case object
        }

        let form: Form
        let kind: SQLStorageKind
        let column: Int32
        let cell: Int32
        /// For references: the column of the destination's `Z_ENT`, -1 without.
        let entityColumn: Int32
        /// For references: the layout of the destination entity.
        let destination: UInt32
    }

    /// How the rows of one entity are read. Plain memory: loops touch no reference counts.
    package struct Entity {
        /// The layout's number.
        package let number: UInt32
        let steps: UnsafeBufferPointer<Step>
        /// The size of a row.
        let wordCount: Int
        /// Whether transient attributes have default values: no column fills them, and they begin as in a new object.
        let hasDefaults: Bool
    }

    /// The columns that a statement selects after the header columns of the table, in this order.
    package let columns: [SQLColumn]
    /// The names of all selected columns.
    package let selectedColumns: [String]
    /// The column of `Z_ENT`, -1 for a table with one entity.
    let entityColumn: Int32
    /// The column of `Z_OPT`.
    let versionColumn: Int32
    package let layout: EntityLayout
    let includesSubentities: Bool
    /// Positions of the properties to read; nil for all.
    let properties: Set<Int>?
    package let mapping: LayoutMapping
    /// The first entity number of ``entities``.
    let firstEntity: Int
    /// By entity number; nil for numbers of other hierarchies' entities.
    package let entities: [Entity?]

    var isPartial: Bool { properties != nil }
    /// Whether rows have values that are objects in a cell, such as data of any size.
    let hasObjects: Bool

    /// The entity of all rows of a table with one entity; nil if the rows name theirs.
    var onlyEntity: Entity? { entityColumn < 0 ? entities[0] : nil }

    init(
        layout: EntityLayout, includesSubentities: Bool, properties: Set<Int>?, entity: SQLEntity,
        mapping: LayoutMapping
    ) {
        self.layout = layout
        self.includesSubentities = includesSubentities
        self.properties = properties
        self.mapping = mapping
        let numbers = includesSubentities ? entity.numbers : [entity.number]
        firstEntity = numbers[0]
        let header = entity.table.headerColumns
        entityColumn = header.count == 3 ? 1 : -1
        versionColumn = Int32(header.count - 1)
        var columns = ColumnList(headerCount: header.count)
        var entities = [Entity?](repeating: nil, count: numbers[numbers.count - 1] - numbers[0] + 1)
        for number in numbers {
            guard let layout = mapping.layout(entity: Int64(number)), let entity = mapping.entity(layout) else {
                continue
            }
            entities[number - numbers[0]] = Entity(layout, entity, properties, &columns)
        }
        self.entities = entities
        hasObjects = entities.contains { $0?.steps.contains { $0.form == .object } ?? false }
        self.columns = columns.list
        selectedColumns = (header + columns.list).map(\.name)
    }

    deinit {
        for entity in entities { entity?.deallocate() }
    }

    /// An empty list for rows that the plan reads.
    ///
    /// - Parameter expected: the number of rows if it is known, 0 otherwise.
    package func makeList(expected: Int = 0) -> RowList {
        RowList(layout: layout, includesSubentities: includesSubentities, expected: expected, properties: properties)
    }

    /// A buffer for one row.
    func makeBuffer() -> RowBuffer {
        RowBuffer(layout: layout, includesSubentities: includesSubentities, capacity: 1)
    }

    /// The layout of a reference's destination.
    ///
    /// - Parameter number: the `Z_ENT` of the row, which only a damaged store has wrong.
    @inline(__always)
    func destination(_ step: Step, entity number: Int64) -> UInt32 {
        guard let layout = mapping.layout(entity: number), layout.isKind(of: layout.model[step.destination]) else {
            return step.destination
        }
        return layout.number
    }
}

/// The columns of a statement, each once: subentities share inherited columns.
private struct ColumnList {
    private(set) var list: [SQLColumn] = []
    private var positions: [String: Int32] = [:]
    private let headerCount: Int

    init(headerCount: Int) { self.headerCount = headerCount }

    /// The position in the statement's rows.
    mutating func position(_ column: SQLColumn) -> Int32 {
        if let known = positions[column.name] { return known }
        let position = Int32(headerCount + list.count)
        positions[column.name] = position
        list.append(column)
        return position
    }
}

extension RowPlan.Entity {
    fileprivate init(
        _ layout: EntityLayout, _ entity: SQLEntity, _ properties: Set<Int>?, _ columns: inout ColumnList
    ) {
        var steps: [RowPlan.Step] = []
        var hasDefaults = false
        func add(_ slot: PropertySlot, _ property: SQLProperty?) {
            switch property {
            case .attribute(let attribute)?:
                steps.append(
                    RowPlan.Step(
                        form: .init(attribute.column.kind), kind: attribute.column.kind,
                        column: columns.position(attribute.column), cell: Int32(slot.cell), entityColumn: -1,
                        destination: 0))
            case .composite(let composite)? where !slot.elements.isEmpty:
                for element in slot.elements { add(element, composite.element(element.name)) }
            case .toOne(let relationship)?:
                let column = columns.position(relationship.column)
                steps.append(
                    RowPlan.Step(
                        form: .reference, kind: .relationshipKey, column: column, cell: Int32(slot.cell),
                        entityColumn: relationship.entityColumn.map { columns.position($0) } ?? -1,
                        destination: slot.destination))
            default:
                if slot.isTransient && slot.defaultValue != nil { hasDefaults = true }
            }
        }
        for slot in layout.properties where slot.cell >= 0 {
            add(slot, properties?.contains(slot.index) ?? true ? entity.properties[slot.name] : nil)
        }
        number = layout.number
        self.steps = Self.copy(steps)
        wordCount = layout.wordCount
        self.hasDefaults = hasDefaults
    }

    private static func copy<Element>(_ array: [Element]) -> UnsafeBufferPointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: array.count)
        _ = memory.initialize(from: array)
        return UnsafeBufferPointer(memory)
    }

    fileprivate func deallocate() {
        steps.deallocate()
    }
}

extension RowPlan.Step.Form {
    fileprivate init(_ kind: SQLStorageKind) {
        switch kind {
        case .double, .float, .date: self = .real
        case .string: self = .string
        case .decimal, .uri, .uuid, .transformable, .binary, .externalBinary, .undefined, .objectID: self = .object
        default: self = .integer
        }
    }
}
