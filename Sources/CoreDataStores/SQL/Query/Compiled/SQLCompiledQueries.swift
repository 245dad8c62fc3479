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
    private let isOn = FastPath.compiledQueries.isOn
    private var entries = BoundedDictionary<[UInt8], Entry>(capacity: 256)

    package init(_ translator: SQLQueryTranslator) { self.translator = translator }

    /// The number of the shapes that are known.
    package var count: Int { entries.count }

    /// The statement for a query, as ``SQLQueryTranslator/statement(_:selecting:)`` gives it. Equal values may have
    /// separate parameters.
    ///
    /// - Throws: the errors of the translator.
    package func statement(_ query: StoreQuery, selecting selection: SQLSelection) throws -> SQLStatement {
        guard isOn, let shape = SQLQueryShape(query, selecting: selection),
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
    private let text: String
    /// The values of all parameters. A `parameter` stands for a value of each query.
    private let bindings: [SQLValue]

    /// Translates a query with parameters in place of its values.
    ///
    /// - Returns: nil if a value has no parameter: then the statement depends on it in another way.
    init?(
        _ query: StoreQuery, _ shape: SQLQueryShape, selecting selection: SQLSelection, translator: SQLQueryTranslator
    ) {
        var count = 0
        var parametrized = query
        parametrized.predicate = query.predicate?.replacingComparisons { comparison in
            func replacing(_ expression: NSExpression) -> NSExpression {
                guard expression.node.type == .constantValue, let constant = expression.constantValue else {
                    return expression
                }
                count += 1
                return NSExpression(forConstantValue: SQLQueryConstant(index: count - 1, constant))
            }
            return comparison.with(
                left: replacing(comparison.leftExpression), right: replacing(comparison.rightExpression))
        }
        guard count == shape.values.count,
            let statement = try? translator.statement(parametrized, selecting: selection, isCompiled: true),
            statement.results.isEmpty,
            (0..<count).allSatisfy({ index in
                statement.bindings.contains {
                    if case .parameter(.constant(index), _) = $0 { true } else { false }
                }
            })
        else { return nil }
        text = statement.text
        bindings = statement.bindings
    }

    func statement(_ values: [SQLValue], _ query: StoreQuery) -> SQLStatement {
        let bindings = bindings.map { binding -> SQLValue in
            switch binding {
            case .parameter(.constant(let index), _): values[index]
            case .parameter(.limit, _): .integer(Int64(query.limit))
            case .parameter(.offset, _): .integer(Int64(query.offset))
            default: binding
            }
        }
        return SQLStatement(text: text, bindings: bindings)
    }
}
