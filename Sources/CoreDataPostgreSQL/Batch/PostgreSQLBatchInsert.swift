// SPDX-License-Identifier: Apache-2.0

/// Executes a batch insert.
///
/// Rows without conflicts are copied in the binary form of COPY, one row in memory. Where a uniqueness constraint and a
/// merge policy decide about rows, parts of them are inserted, and the refused rows of a part are handled together.
final class PostgreSQLBatchInsert {
    /// The number of keys that are reserved at a time.
    private static let rowsOfCopy: Int64 = 50_000
    /// The rows that are in memory at a time where they may have conflicts. There are fewer that have much to write.
    private static let rowsOfPart = 2_000

    private let insertion: BatchInsertion
    private let run: PostgreSQLBatchRun
    private let layout: EntityLayout
    private let plan: RowWritePlan
    private let computed: [PropertySlot]
    private var keysToDerive: [Int64] = []

    init(_ insertion: BatchInsertion, _ run: PostgreSQLBatchRun) throws {
        self.insertion = insertion
        self.run = run
        layout = insertion.layout
        plan = try run.plans.writePlan(layout)
        computed = try run.plans.computedProperties(layout)
    }

    func execute() throws {
        run.log.touch(layout)
        let mayConflict = insertion.conflict != .fail && !layout.uniquenessConstraints.isEmpty
        // A derivation may read other rows, which a connection can't do while it copies. In a cluster two servers
        // commit the transaction of a COPY one after the other, so that the history could miss it.
        if !mayConflict && computed.isEmpty && !run.session.dialect.cluster.isCluster {
            try copyRows()
        } else {
            try insertParts()
            try run.deriveAgain(layout, keysToDerive)
        }
    }

    /// Writes the values of the next row.
    ///
    /// - Returns: false if there are no more rows.
    private func next(_ row: BatchCells) throws -> Bool {
        guard try insertion.rows.next(row.cells) else { return false }
        try run.derived.write(computed, of: layout, row.cells, to: row.cells)
        return true
    }

    private var columnNames: [String] {
        plan.columns.flatMap { [$0.name] + ($0.entityColumn.map { [$0] } ?? []) }.map(SQLGenerator.identifier)
    }

    private func reserve(_ count: Int64) throws -> Int64 {
        try run.session.reserveKeys(run.layouts[layout.root], count: count)
    }

    private func didInsert(_ keys: Range<Int64>) throws {
        if let key = keys.first { run.engine.noteTrace(.inserted(layout: layout, key: key)) }
        if run.log.needsKeys {
            for key in keys { run.log.record(.insert, key: key, layout: layout) }
        } else {
            run.log.record(.insert, count: keys.count)
        }
        try run.recordRowsChangedByTriggers { [layout, run] row in
            keys.contains(row.key) && run.layouts[row.layout].root == layout.root
        }
        try run.history?.recordInsertions(layout, keys: Array(keys)[...])
    }

    // MARK: Rows without conflicts

    private func copyRows() throws {
        let row = BatchCells(layout)
        let text = """
            COPY \(run.session.dialect.table(plan.entity.tableName)) \
            (\((["Z_PK", "Z_ENT", "Z_OPT"] + columnNames).joined(separator: ", "))) FROM STDIN (FORMAT binary)
            """
        let width = 3 + columnNames.count
        let number = Int32(plan.entity.number)
        var isMore = try next(row)
        while isMore {
            let first = try reserve(Self.rowsOfCopy)
            var key = first
            func copy() throws {
                _ = try run.session.connection.copyIn(text) { writer in
                    while isMore && key < first + Self.rowsOfCopy {
                        writer.beginRow(columns: width)
                        writer.append(int64: key)
                        writer.append(int32: number)
                        writer.append(int32: 1)
                        for column in plan.columns {
                            try PostgreSQLCellWriter.append(
                                column, row.cells, nil, run.plans.mapping, to: &writer)
                        }
                        key += 1
                        row.reset()
                        isMore = try next(row)
                    }
                }
            }
            do {
                try copy()
            } catch let failure as PostgreSQLFailure where failure.isUniqueViolation {
                throw failure.storeError(url: run.session.url, operation: .writing)
            }
            try didInsert(first..<key)
        }
    }

    // MARK: Rows with conflicts

    private struct NewRow {
        let cells: BatchCells
        /// The positions of the properties that have values.
        let given: [Int]
    }

    private func insertParts() throws {
        let size = run.open.limits.withLock { $0.statementSize }
        func makeArrays() -> PostgreSQLRowArrays {
            PostgreSQLRowArrays(plan.columns, mapping: run.plans.mapping, capacity: Self.rowsOfPart)
        }
        var rows: [NewRow] = []
        var arrays = makeArrays()
        while true {
            let row = BatchCells(layout)
            let isMore = try next(row)
            if isMore {
                rows.append(NewRow(cells: row, given: insertion.rows.given(row.cells)))
                // The keys are reserved for all rows of the part.
                try arrays.append(key: 0, version: 1, row.cells, nil)
            }
            if !rows.isEmpty, !isMore || rows.count == Self.rowsOfPart || arrays.size >= size {
                try insert(rows, arrays)
                rows.removeAll(keepingCapacity: true)
                arrays = makeArrays()
            }
            if !isMore { return }
        }
    }

    /// - Parameter arrays: the values of the rows, without keys.
    private func insert(_ rows: [NewRow], _ arrays: PostgreSQLRowArrays) throws {
        let first = try reserve(Int64(rows.count))
        var arrays = arrays
        arrays.setKeys(from: first)
        let values = arrays.text.names.indices.map { "v.c\($0 + 3)" }
        let result = try run.execute(
            """
            INSERT INTO \(run.session.dialect.table(plan.entity.tableName)) \
            (\((["Z_PK", "Z_ENT", "Z_OPT"] + arrays.text.names).joined(separator: ", "))) \
            SELECT \((["v.c1", "\(plan.entity.number)", "v.c2"] + values).joined(separator: ", ")) \
            FROM \(arrays.text.source)\(run.session.dialect.sourceSuffix(insertingInto: plan.entity.tableName)) \
            ORDER BY v.c1\(insertion.conflict == .fail ? "" : " ON CONFLICT DO NOTHING") \
            RETURNING Z_PK
            """, arrays.parameters)
        let inserted = result.map { $0.int64(0) }
        if let key = inserted.first { run.engine.noteTrace(.inserted(layout: layout, key: key)) }
        for key in inserted { run.log.record(.insert, key: key, layout: layout) }
        let present = Set(inserted)
        try run.recordRowsChangedByTriggers { [layout, run] row in
            present.contains(row.key) && run.layouts[row.layout].root == layout.root
        }
        try run.history?.recordInsertions(layout, keys: inserted.sorted()[...])
        guard insertion.conflict != .keepStored, inserted.count < rows.count else { return }
        try updateExisting(rows.enumerated().filter { !present.contains(first + Int64($0.offset)) }.map(\.element))
    }

    /// Writes the values of refused rows into the rows that have their unique values, in order. Neighbours that write
    /// the same columns of different rows share a statement.
    private func updateExisting(_ rows: [NewRow]) throws {
        var part: [(key: Int64, row: NewRow)] = []
        var columns: [Int] = []
        var keys: Set<Int64> = []
        func flush() throws {
            defer {
                part = []
                keys = []
            }
            guard let sample = part.first?.row, !columns.isEmpty else { return }
            try update(part, columns, sample)
        }
        let existing = try keysOfExistingRows(rows)
        for (row, key) in zip(rows, existing) {
            let own = insertion.columnsToUpdate(plan, given: row.given)
            if own != columns || keys.contains(key) { try flush() }
            columns = own
            keys.insert(key)
            part.append((key, row))
        }
        try flush()
    }

    private func update(_ part: [(key: Int64, row: NewRow)], _ columns: [Int], _ sample: NewRow) throws {
        var arrays = PostgreSQLRowArrays(
            columns.map { plan.columns[$0] }, mapping: run.plans.mapping, capacity: part.count)
        for (key, row) in part { try arrays.append(key: key, version: 0, row.cells.cells, nil) }
        let assignments = arrays.text.names.enumerated().map { "\($1) = v.c\($0 + 3)" } + ["Z_OPT = t.Z_OPT + 1"]
        _ = try run.execute(
            """
            UPDATE \(run.session.dialect.table(plan.entity.tableName)) AS t SET \(assignments.joined(separator: ", ")) \
            FROM \(arrays.text.source) WHERE t.Z_PK = v.c1
            """, arrays.parameters)
        for (key, _) in part { run.log.record(.update, key: key, layout: layout) }
        let properties = insertion.updatedProperties(plan, columns, given: sample.given, computed: computed)
        try run.history?.recordUpdates(layout, keys: part.map(\.key), properties: properties)
        if insertion.conflict == .updateGiven, !layout.derivedProperties.isEmpty { keysToDerive += part.map(\.key) }
    }

    /// The keys of the rows that have the values of a constraint: one statement for each constraint.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` (133021) if the row is of another entity.
    private func keysOfExistingRows(_ rows: [NewRow]) throws -> [Int64] {
        var keys = [Int64?](repeating: nil, count: rows.count)
        for constraint in layout.uniquenessConstraints {
            guard let lookup = plan.lookup(constraint), keys.contains(nil) else { continue }
            var arrays = PostgreSQLRowArrays(lookup.columns, mapping: run.plans.mapping, capacity: rows.count)
            for (index, row) in rows.enumerated() where keys[index] == nil {
                try arrays.append(key: Int64(index), version: 0, row.cells.cells, nil)
            }
            let result = try run.execute(
                """
                SELECT v.c1, t.Z_PK FROM \(arrays.text.source) \
                JOIN \(run.session.dialect.table(plan.entity.tableName)) AS t ON \(arrays.text.condition) \
                WHERE t.Z_ENT = \(plan.entity.number)
                """, arrays.parameters)
            for row in result { keys[Int(row.int64(0))] = row.int64(1) }
        }
        return try keys.map { key in
            if let key { return key }
            throw insertion.conflictWithOtherEntity([NSURLErrorKey: run.session.url])
        }
    }
}
