// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Writes the text of a statement and collects the values to bind. No other type writes the text of queries.
package struct SQLGenerator {
    let dialect: any SQLDialect
    private(set) var text = ""
    private(set) var bindings: [SQLValue] = []
    /// The number of parameters that are bound to the keys of each run.
    private(set) var keyParameterCount = 0
    private var parameterCount = 0
    private var keyPlaceholder: String?
    private var knownBindings = KnownBindings()
    /// The first part that the engine can't evaluate. The text is then of no use.
    private(set) var lacking: SQLUnavailable?

    init(dialect: any SQLDialect) {
        self.dialect = dialect
    }

    /// The text and values of a complete statement.
    ///
    /// - Throws: `NSCoreDataError` (134060) for more values than the engine accepts, and `SQLUnavailable` for a part
    ///   that the engine can't evaluate.
    static func statement(_ select: SQLSelect, dialect: any SQLDialect) throws -> SQLStatement {
        var generator = SQLGenerator(dialect: dialect)
        // A column takes some 16 bytes. The text grows by itself where that isn't enough.
        generator.text.reserveCapacity(128 + 16 * select.columns.count)
        generator.append(select)
        if let lacking = generator.lacking { throw lacking }
        guard generator.bindings.count <= dialect.maximumParameterCount else {
            throw SQLQueryError.unsupported(
                "a predicate with \(generator.bindings.count) values",
                because: "a statement takes at most \(dialect.maximumParameterCount); fetch in parts")
        }
        return SQLStatement(text: generator.text, bindings: generator.bindings)
    }

    package mutating func append(_ select: SQLSelect) {
        write(select.isDistinct ? "SELECT DISTINCT " : "SELECT ")
        if select.columns.isEmpty { write("1") }
        list(select.columns) { $0.append($1) }
        write(" FROM ")
        switch select.source {
        case .table(let name, let alias):
            write(dialect.table(name) + " " + alias)
        case .select(let inner, let alias):
            write("(")
            append(inner)
            write(") " + alias)
        case .union(let selects, let alias):
            write("(")
            list(selects, separator: " UNION ") { $0.append($1) }
            write(") " + alias)
        }
        for join in select.joins {
            write(" \(join.kind.rawValue) \(dialect.table(join.table)) \(join.alias) ON ")
            append(join.condition)
        }
        if select.condition != .constant(true) {
            write(" WHERE ")
            append(select.condition)
        }
        if !select.grouping.isEmpty {
            write(" GROUP BY ")
            list(select.grouping) { $0.append($1) }
        }
        if select.having != .constant(true) {
            write(" HAVING ")
            append(select.having)
        }
        if !select.ordering.isEmpty {
            if select.isDistinct, dialect.ordersDistinctRowsBySelectedValues,
                !select.ordering.allSatisfy({ select.columns.contains($0.expression) })
            {
                lack("DISTINCT with another order")
            }
            write(" ORDER BY ")
            list(select.ordering) { $0.append($1) }
        }
        appendLimits(of: select)
    }

    private mutating func append(_ term: SQLOrderTerm) {
        append(term.expression)
        if let collation = term.collation { write(" COLLATE " + Self.identifier(collation)) }
        if !term.isAscending { write(" DESC") }
        write(dialect.nullOrder(isAscending: term.isAscending))
    }

    private mutating func appendLimits(of select: SQLSelect) {
        if let limit = select.limit {
            write(" LIMIT ")
            bind(limit)
        } else if select.offset != nil {
            write(" LIMIT " + dialect.unlimited)
        }
        if let offset = select.offset {
            write(" OFFSET ")
            bind(offset)
        }
    }

    // MARK: Writing

    mutating func write(_ string: String) {
        text += string
    }

    /// Records that the engine can't evaluate a part.
    mutating func lack(_ part: String) {
        if lacking == nil { lacking = SQLUnavailable(part: part) }
    }

    /// Writes a placeholder for a value.
    mutating func bind(_ value: SQLValue) {
        write(addParameter(value))
    }

    /// Adds a parameter.
    ///
    /// - Returns: the placeholder, to be written by the caller.
    mutating func addParameter(_ value: SQLValue) -> String {
        // An expression that is selected and grouped by must have the same text in both places.
        if dialect.canRepeatPlaceholders, keyParameterCount == 0, let known = knownBindings.index(of: value, bindings) {
            return dialect.placeholder(known + 1)
        }
        if !dialect.canBind(value) { lack("a value that the engine doesn't have") }
        bindings.append(value)
        parameterCount += 1
        return dialect.placeholder(parameterCount)
    }

    /// Adds a parameter whose value the caller binds. It is NULL here.
    ///
    /// - Returns: the placeholder, to be written by the caller.
    mutating func addConstant() -> String {
        bindings.append(.null)
        parameterCount += 1
        return dialect.placeholder(parameterCount)
    }

    /// The placeholder of the keys that are bound at each run.
    mutating func addKeyParameter() -> String {
        if dialect.canRepeatPlaceholders, let keyPlaceholder { return keyPlaceholder }
        parameterCount += 1
        keyParameterCount += 1
        let placeholder = dialect.placeholder(parameterCount)
        keyPlaceholder = placeholder
        return placeholder
    }

    mutating func list<Element>(
        _ elements: [Element], separator: String = ", ", _ body: (inout SQLGenerator, Element) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { write(separator) }
            body(&self, element)
        }
    }

    private static func isWordCharacter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
    }

    /// A name without quotes if it consists of ASCII letters, digits and underscores, otherwise with quotes.
    package static func identifier(_ name: String) -> String {
        let isWord = name.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isWordCharacter) } ?? false
        return isWord && !name.isEmpty ? name : "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}

/// Finds values that a statement binds already: few by comparing them, many by their hashes.
private struct KnownBindings {
    private static let fewCount = 16

    private var indexes: [SQLValue: [Int]] = [:]
    private var indexedCount = 0

    mutating func index(of value: SQLValue, _ bindings: [SQLValue]) -> Int? {
        if bindings.count <= Self.fewCount { return bindings.firstIndex(where: value.isIdentical) }
        for index in indexedCount..<bindings.count { indexes[bindings[index], default: []].append(index) }
        indexedCount = bindings.count
        return indexes[value]?.first { bindings[$0].isIdentical(to: value) }
    }
}
