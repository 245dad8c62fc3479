// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The statements of queries by their shapes, so that a repeated query isn't translated again: only its values are
/// converted and bound. A shape is compiled at its second query: many queries come once.
///
/// Belongs to one session, and is used by one thread at a time.
package final class SQLCompiledQueries {
    private enum Entry {
        case seenOnce
        case compiled(SQLCompiledQuery)
        /// The statement depends on values in another way.
        case refused
    }

    private let translator: SQLQueryTranslator
    private var entries = BoundedDictionary<[UInt8], Entry>(capacity: 256)

    package init(_ translator: SQLQueryTranslator) { self.translator = translator }

    /// The number of the shapes that are known.
    package var count: Int { entries.count }

    /// The statement for a query, as ``SQLQueryTranslator/statement(_:selecting:)`` gives it. Equal values may have
    /// separate parameters.
    ///
    /// - Throws: the errors of the translator.
    package func statement(_ query: StoreQuery, selecting selection: SQLSelection) throws -> SQLStatement {
        guard let shape = SQLQueryShape(query, selecting: selection),
            shape.values.allSatisfy(translator.dialect.canBind)
        else { return try translator.statement(query, selecting: selection) }
        switch entries[shape.bytes] {
        case .compiled(let known):
            return known.statement(shape.values, query)
        case .seenOnce:
            let compiled = SQLCompiledQuery(query, shape, selecting: selection, translator: translator)
            entries[shape.bytes] = compiled.map(Entry.compiled) ?? .refused
        case .refused:
            break
        case nil:
            entries[shape.bytes] = .seenOnce
        }
        return try translator.statement(query, selecting: selection)
    }
}

/// The statement of one shape of queries.
private struct SQLCompiledQuery {
    private enum Source {
        case constant(Int)
        case limit
        case offset
    }

    private let text: String
    /// The values of all parameters. The parameters in ``sources`` get new values for each query.
    private let bindings: [SQLValue]
    /// Where values come from, by the positions of their parameters.
    private let sources: [(position: Int, source: Source)]

    /// Translates a query with marks in place of its values.
    ///
    /// - Returns: nil if a value has no parameter: then the statement depends on it in another way.
    init?(
        _ query: StoreQuery, _ shape: SQLQueryShape, selecting selection: SQLSelection, translator: SQLQueryTranslator
    ) {
        var marks: [SQLValue] = []
        var marked = query
        marked.predicate = query.predicate?.replacingComparisons { comparison in
            func marking(_ expression: NSExpression) -> NSExpression {
                guard expression.node.type == .constantValue, marks.count < shape.values.count else {
                    return expression
                }
                let mark = Self.mark(marks.count, shape.values[marks.count])
                marks.append(mark.value)
                return NSExpression(forConstantValue: mark.constant)
            }
            return comparison.with(
                left: marking(comparison.leftExpression), right: marking(comparison.rightExpression))
        }
        let (limit, offset) = (Self.number(shape.values.count), Self.number(shape.values.count + 1))
        if query.limit > 0 { marked.limit = Int(limit) }
        if query.offset > 0 { marked.offset = Int(offset) }
        guard marks.count == shape.values.count,
            let statement = try? translator.statement(marked, selecting: selection), statement.results.isEmpty
        else { return nil }
        var sources: [(position: Int, source: Source)] = []
        var found: Set<Int> = []
        for (position, binding) in statement.bindings.enumerated() {
            if let index = marks.firstIndex(of: binding) {
                found.insert(index)
                sources.append((position, .constant(index)))
            } else if query.limit > 0, binding == .integer(limit) {
                sources.append((position, .limit))
            } else if query.offset > 0, binding == .integer(offset) {
                sources.append((position, .offset))
            }
        }
        guard found.count == marks.count else { return nil }
        text = statement.text
        bindings = statement.bindings
        self.sources = sources
    }

    func statement(_ values: [SQLValue], _ query: StoreQuery) -> SQLStatement {
        var bindings = bindings
        for (position, source) in sources {
            switch source {
            case .constant(let index): bindings[position] = values[index]
            case .limit: bindings[position] = .integer(Int64(query.limit))
            case .offset: bindings[position] = .integer(Int64(query.offset))
            }
        }
        return SQLStatement(text: text, bindings: bindings)
    }

    // MARK: Marks

    /// A number that is in no statement by itself.
    private static func number(_ index: Int) -> Int64 { 0x4D41_524B_0000_0000 + Int64(index) }

    /// A constant in place of another one of its type, and its value in the statement.
    private static func mark(_ index: Int, _ value: SQLValue) -> (constant: Any, value: SQLValue) {
        let number = number(index)
        switch value {
        case .real:
            let real = Double(bitPattern: UInt64(number))
            return (NSNumber(value: real), .real(real))
        case .text:
            let text = "opencoredata.mark.\(number)"
            return (text, .text(text))
        case .timestamp:
            let date = Date(timeIntervalSinceReferenceDate: Double(number % 0x1_0000_0000) * 4096 + 0.5)
            return (date, .timestamp(date))
        case .uuid:
            let high = UInt64(number).bigEndian
            let uuid = withUnsafeBytes(of: (high, high)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            return (uuid, .uuid(uuid))
        default:
            return (NSNumber(value: number), .integer(number))
        }
    }
}
