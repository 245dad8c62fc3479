internal import CSQLite

/// Reads the rows of one entity, and of its subentities, straight into a row buffer.
final class RowReader {
    /// The columns that a statement must select behind `Z_PK`, `Z_ENT`, `Z_OPT`, in this order.
    let columns: [SQLColumn]
    private let layout: EntityLayout
    private let includesSubentities: Bool
    private let properties: Set<Int>?
    private let mapping: LayoutMapping
    private let externalValues: ExternalValueReader
    /// One plan per `Z_ENT` that may come, beginning with `firstEntity`.
    private let plans: [EntityPlan?]
    private let firstEntity: Int

    private struct Step {
        enum Kind: UInt8 {
            case integer, real, string, decimal, data, externalData, uuid, uri, transformable, undefined, objectID,
                reference
        }
        let kind: Kind
        let column: Int32
        let cell: Int32
        /// For references: the column of the destination's `Z_ENT`, -1 without.
        let entityColumn: Int32
        /// For references: the destination's layout.
        let destination: UInt32
    }

    /// How the rows of one entity are read: plain memory, so that rows are read without touching reference counts.
    private struct EntityPlan {
        let number: UInt32
        let steps: UnsafeBufferPointer<Step>
        /// Cells that no column fills.
        let unread: UnsafeBufferPointer<Int>
        /// Whether some of those begin with a default: transient attributes, as in a new object.
        let hasDefaults: Bool

        init(layout: EntityLayout, steps: [Step], unread: [Int], hasDefaults: Bool) {
            number = layout.number
            self.steps = EntityPlan.copy(steps)
            self.unread = EntityPlan.copy(unread)
            self.hasDefaults = hasDefaults
        }

        private static func copy<Element>(_ array: [Element]) -> UnsafeBufferPointer<Element> {
            let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: array.count)
            _ = memory.initialize(from: array)
            return UnsafeBufferPointer(memory)
        }

        /// The memory holds plain values; the reader frees it in its `deinit`.
        func deallocate() {
            steps.deallocate()
            unread.deallocate()
        }
    }

    deinit {
        for plan in plans { plan?.deallocate() }
    }

    /// - Parameter properties: positions of the properties to read; nil for all.
    init(
        layout: EntityLayout, includesSubentities: Bool, properties: Set<Int>? = nil, entity: SQLEntity,
        mapping: LayoutMapping,
        externalValues: ExternalValueReader
    ) {
        self.layout = layout
        self.properties = properties
        self.includesSubentities = includesSubentities && layout.span > 0
        self.mapping = mapping
        self.externalValues = externalValues
        var positions: [String: Int32] = [:]
        var columns: [SQLColumn] = []
        func position(_ column: SQLColumn) -> Int32 {
            if let known = positions[column.name] { return known }
            let position = Int32(columns.count + 3)
            positions[column.name] = position
            columns.append(column)
            return position
        }
        let numbers = self.includesSubentities ? entity.numbers : entity.number...entity.number
        var plans: [EntityPlan?] = []
        for number in numbers {
            guard let layout = mapping.layout(entity: Int64(number)), let entity = mapping.entity(layout) else {
                plans.append(nil)
                continue
            }
            var steps: [Step] = []
            var unread: [Int] = []
            var hasDefaults = false
            func read(_ slot: PropertySlot, _ property: SQLProperty?) {
                switch property {
                case .attribute(let attribute)?:
                    steps.append(
                        Step(
                            kind: RowReader.kind(attribute.column.kind), column: position(attribute.column),
                            cell: Int32(slot.cell),
                            entityColumn: -1, destination: 0))
                case .composite(let composite)? where !slot.elements.isEmpty:
                    for element in slot.elements { read(element, composite.element(element.name)) }
                case .toOne(let relationship)?:
                    let column = position(relationship.column)
                    steps.append(
                        Step(
                            kind: .reference, column: column, cell: Int32(slot.cell),
                            entityColumn: relationship.entityColumn.map { position($0) } ?? -1,
                            destination: slot.destination))
                default:
                    unread.append(contentsOf: slot.ownCells)
                    if slot.isTransient && slot.defaultValue != nil { hasDefaults = true }
                }
            }
            for slot in layout.properties where slot.cell >= 0 {
                read(slot, properties?.contains(slot.index) ?? true ? entity.properties[slot.name] : nil)
            }
            plans.append(EntityPlan(layout: layout, steps: steps, unread: unread, hasDefaults: hasDefaults))
        }
        self.plans = plans
        self.columns = columns
        firstEntity = numbers.lowerBound
    }

    private static func kind(_ kind: SQLStorageKind) -> Step.Kind {
        switch kind {
        case .double, .float, .date: .real
        case .decimal: .decimal
        case .string: .string
        case .uri: .uri
        case .uuid: .uuid
        case .transformable: .transformable
        case .binary: .data
        case .externalBinary: .externalData
        case .undefined: .undefined
        case .objectID: .objectID
        default: .integer
        }
    }

    /// Steps a statement to its end.
    ///
    /// Rows of an entity that the model doesn't know, which only a damaged file has, are an error.
    func readAll(_ statement: SQLiteStatement, expected: Int = 0, control: FetchControl? = nil) throws -> RowList {
        defer { statement.reset() }
        var list = RowList(
            layout: layout, includesSubentities: includesSubentities, expected: expected, properties: properties)
        let handle = statement.handle
        var plan = plans.count == 1 ? plans[0] : nil
        var planNumber = plan == nil ? Int64.min : Int64(firstEntity)
        var isMore = try statement.step()
        while isMore {
            try control?.note(rowCount: list.count)
            let buffer = list.bufferForAppending()
            // Fill one buffer after the other: what is the same for all its rows is looked up once.
            var isFirst = true
            repeat {
                let number = sqlite3_column_int64(handle, 1)
                if number != planNumber {
                    plan = try entityPlan(number, handle)
                    planNumber = number
                }
                if !isFirst { list.didAppend() }
                isFirst = false
                try read(handle, plan.unsafelyUnwrapped, into: buffer)
                isMore = try statement.step()
            } while isMore && !buffer.isFull
        }
        return list
    }

    /// Steps a statement of relationship contents to its end: rows, each once, and the owner's key behind their
    /// columns.
    func readContents(_ statement: SQLiteStatement) throws -> StoreContents {
        defer { statement.reset() }
        var contents = StoreContents(rows: RowList(layout: layout, includesSubentities: includesSubentities))
        let handle = statement.handle
        let ownerColumn = Int32(columns.count + 3)
        // An object may be in the relationships of many owners.
        var known: Set<Int64> = []
        while try statement.step() {
            let key = sqlite3_column_int64(handle, 0)
            // Only a damaged file has such keys.
            guard key >= 0 else { continue }
            let plan = try entityPlan(sqlite3_column_int64(handle, 1), handle)
            contents.members.append(
                (sqlite3_column_int64(handle, ownerColumn), ObjectReference(key: key, layout: plan.number)))
            if known.insert(key).inserted { try read(handle, plan, into: contents.rows.bufferForAppending()) }
        }
        return contents
    }

    private func entityPlan(_ number: Int64, _ handle: OpaquePointer) throws -> EntityPlan {
        let index = Int(truncatingIfNeeded: number &- Int64(firstEntity))
        if index >= 0, index < plans.count, let found = plans[index] { return found }
        throw damaged(
            """
            a row of entity \(layout.name), Z_PK \(sqlite3_column_int64(handle, 0)), with the entity number \
            \(number), which the model doesn\u{2019}t have there
            """
        )
    }

    @inline(__always)
    private func read(_ handle: OpaquePointer, _ plan: EntityPlan, into buffer: RowBuffer) throws {
        let key = sqlite3_column_int64(handle, 0)
        // Negative keys are those of objects that no store has.
        guard key >= 0 else { throw damaged("a row of entity \(layout.name) with the key Z_PK \(key)") }
        let row = buffer.appendUninitialized(
            primaryKey: key, version: Int32(truncatingIfNeeded: sqlite3_column_int64(handle, 2)), layout: plan.number)
        let cells = row.cells
        for cell in plan.unread { cells[cell] = .empty }
        if plan.hasDefaults { writeDefaults(plan, cells) }
        for index in 0..<plan.steps.count {
            let step = plan.steps[index]
            let cell = Int(step.cell)
            // NULL reads as zero, so only a zero needs a look at the type.
            if step.kind == .integer {
                let integer = sqlite3_column_int64(handle, step.column)
                let isPresent = integer != 0 || sqlite3_column_type(handle, step.column) != SQLITE_NULL
                cells[cell] = Cell(payload: UInt64(bitPattern: integer), tag: isPresent ? 1 : 0)
                continue
            }
            if step.kind == .real {
                let double = sqlite3_column_double(handle, step.column)
                let isPresent = double != 0 || sqlite3_column_type(handle, step.column) != SQLITE_NULL
                cells[cell] = Cell(payload: double.bitPattern, tag: isPresent ? 1 : 0)
                continue
            }
            let value = sqlite3_column_value(handle, step.column)
            guard sqlite3_value_type(value) != SQLITE_NULL else {
                cells[cell] = .empty
                continue
            }
            switch step.kind {
            case .string:
                cells.string(cell).initialize(to: SQLiteColumnValue.text(value))
            case .reference:
                let key = sqlite3_value_int64(value)
                var destination = step.destination
                if step.entityColumn >= 0,
                    let layout = mapping.layout(entity: sqlite3_column_int64(handle, step.entityColumn)),
                    layout.isKind(of: layout.model[destination])
                {
                    destination = layout.number
                }
                // No row has such a key: the reference leads nowhere.
                cells[cell] = key < 0 ? .empty : Cell(payload: UInt64(bitPattern: key), tag: UInt64(destination))
            default:
                do {
                    try readObject(step, value, cells)
                } catch {
                    // The row is in its buffer and goes with it: every cell must be one that can be destroyed.
                    for rest in plan.steps[index...] { cells[Int(rest.cell)] = .empty }
                    throw error
                }
            }
        }
    }

    @inline(never)
    private func writeDefaults(_ plan: EntityPlan, _ cells: Cells) {
        let layout = layout.model[plan.number]
        for slot in layout.properties where slot.isTransient && slot.cell >= 0 && slot.defaultValue != nil {
            slot.write(slot.defaultValue, to: cells, entity: layout.name)
        }
    }

    @inline(never)
    private func readObject(_ step: Step, _ value: OpaquePointer?, _ cells: Cells) throws {
        let object: AnyObject?
        switch step.kind {
        case .decimal:
            object = SQLiteColumnValue.decimal(value)
        case .data: object = Box(SQLiteColumnValue.data(value))
        case .externalData:
            object = try externalValues.value(of: SQLiteColumnValue.data(value), entityName: layout.name).map {
                Box($0)
            }
        case .uuid: object = SQLiteColumnValue.uuid(SQLiteColumnValue.data(value)).map { Box($0) }
        case .uri: object = URL(string: SQLiteColumnValue.text(value)).map { Box($0) }
        case .transformable: object = StoredTransformable(SQLiteColumnValue.data(value))
        case .undefined: object = Box<Any>(SQLiteColumnValue.any(value))
        default: object = nil
        }
        cells.object(Int(step.cell)).initialize(to: object)
    }

    private func damaged(_ what: String) -> NSError {
        SQLiteFileCheck.corrupt(externalValues.externalData.storePath, "It has \(what).")
    }
}
