// SPDX-License-Identifier: Apache-2.0

/// The cells of rows as arrays, one for each column of a statement: the parameters of `unnest`.
struct PostgreSQLRowArrays {
    private let columns: [RowWritePlan.Column]
    private let mapping: LayoutMapping
    private var keys: PostgreSQLArray
    private var versions: PostgreSQLArray
    /// One for each column, and one for each entity column behind it.
    private var arrays: [PostgreSQLArray] = []

    init(_ columns: [RowWritePlan.Column], mapping: LayoutMapping, capacity: Int) {
        self.columns = columns
        self.mapping = mapping
        keys = PostgreSQLArray(type: .int8, capacity: capacity)
        versions = PostgreSQLArray(type: .int4, capacity: capacity)
        arrays = PostgreSQLRowText(columns).types.dropFirst(2).map { PostgreSQLArray(type: $0, capacity: capacity) }
    }

    mutating func append(key: Int64, version: Int32, _ cells: Cells, _ permanentKeys: PermanentKeys?) throws {
        keys.append(int64: key)
        versions.append(int32: version)
        var index = 0
        for column in columns {
            try PostgreSQLCellWriter.append(column, cells, permanentKeys, to: &arrays[index])
            index += 1
            guard column.entityColumn != nil else { continue }
            if let number = mapping.entityNumber(of: column, cells) {
                arrays[index].append(int32: number)
            } else {
                arrays[index].appendNull()
            }
            index += 1
        }
    }

    /// Replaces the keys by consecutive ones.
    mutating func setKeys(from first: Int64) {
        let count = keys.count
        keys.removeAll()
        for offset in 0..<Int64(count) { keys.append(int64: first + offset) }
    }

    /// The number of rows.
    var count: Int { keys.count }

    /// How many bytes the parameters have.
    var size: Int {
        var size = keys.size + versions.size
        for index in arrays.indices { size += arrays[index].size }
        return size
    }

    var parameters: PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.reserve(arrays.count + 2, bytes: size)
        parameters.append(array: keys)
        parameters.append(array: versions)
        for array in arrays { parameters.append(array: array) }
        return parameters
    }

    /// The text of statements with these parameters.
    var text: PostgreSQLRowText { PostgreSQLRowText(columns) }

    /// The parameters of a statement for one row: a value for each column.
    static func parameters(
        _ columns: [RowWritePlan.Column], mapping: LayoutMapping, key: Int64, version: Int32, _ cells: Cells,
        _ permanentKeys: PermanentKeys?
    ) throws -> PostgreSQLParameters {
        var writer = PostgreSQLOneRowWriter(columnCount: columns.count)
        writer.append(int64: key)
        writer.append(int32: version)
        for column in columns {
            try PostgreSQLCellWriter.append(column, cells, permanentKeys, mapping, to: &writer)
        }
        return writer.parameters
    }
}

extension LayoutMapping {
    /// The number of the entity to which a relationship of a row leads; nil for none.
    func entityNumber(of column: RowWritePlan.Column, _ cells: Cells) -> Int32? {
        guard cells.isPresent(column.cell) else { return nil }
        return entity(layout: cells.referenceLayout(column.cell)).map { Int32($0.number) }
    }
}

/// The parts of statements that write rows. A statement for many rows reads them from arrays. The server plans such a
/// statement at each use, since the arrays could be short or long, so a single row has a separate statement.
struct PostgreSQLRowText {
    /// The names of the columns that the arrays after the versions fill.
    let names: [String]
    /// The types of all columns, beginning with the key and the version.
    let types: [PostgreSQLType]

    init(_ columns: [RowWritePlan.Column]) {
        names = columns.flatMap { [$0.name] + ($0.entityColumn.map { [$0] } ?? []) }.map(SQLGenerator.identifier)
        types =
            [.int8, .int4]
            + columns.flatMap { [PostgreSQLType($0.kind)] + ($0.entityColumn.map { _ in [.int4] } ?? []) }
    }

    /// The source of a statement: `unnest($1::bigint[], …) AS v(c1, …)`. The first columns are the key and the version.
    var source: String {
        let lists = types.enumerated().map { "$\($0 + 1)::\($1.name)[]" }.joined(separator: ", ")
        return "unnest(\(lists)) AS v(\((1...types.count).map { "c\($0)" }.joined(separator: ", ")))"
    }

    /// The condition of a statement for one row: the row of a table `t` has its key and its version.
    static let rowCondition = "t.Z_PK = $1::bigint AND t.Z_OPT = $2::integer"

    /// The parameter of a column after the versions, in a statement for one row.
    func parameter(_ index: Int) -> String { "$\(index + 3)::\(types[index + 2].name)" }

    /// Compares the columns of a table `t` with the arrays.
    var condition: String { names.enumerated().map { "t.\($1) = v.c\($0 + 3)" }.joined(separator: " AND ") }
}

/// Writes the values of one row as parameters, each of the type that its column has.
private struct PostgreSQLOneRowWriter: PostgreSQLValueWriter {
    private(set) var parameters = PostgreSQLParameters()

    init(columnCount: Int) {
        parameters.reserve(2 * columnCount + 2, bytes: (columnCount + 2) * PostgreSQLArray.elementSize)
    }

    var bytes: PostgreSQLBytes {
        get { parameters.bytes }
        _modify { yield &parameters.bytes }
    }

    @inline(__always) mutating func beginValue(_ type: PostgreSQLType) { parameters.beginValue(type) }

    @inline(__always) mutating func endValue() { parameters.endValue() }

    @inline(__always) mutating func writeNull(_ type: PostgreSQLType) { parameters.writeNull(type) }
}
