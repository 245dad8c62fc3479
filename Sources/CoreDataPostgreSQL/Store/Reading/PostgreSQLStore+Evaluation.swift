// SPDX-License-Identifier: Apache-2.0

/// Queries with parts that the server can't evaluate as memory does: texts compared under options, regular expressions,
/// orders of languages. The server applies the conditions that it can, and the query is evaluated on the rows that are
/// left.
extension PostgreSQLSource {
    func evaluatedRows(_ query: StoreQuery) throws -> RowList {
        var list = RowList(
            layout: query.layout, includesSubentities: query.includesSubentities, properties: query.properties)
        for retained in try evaluated(query) {
            let layout = retained.buffer.layouts[retained.row.layoutNumber]
            let row = list.bufferForAppending().appendUninitialized(
                primaryKey: retained.row.primaryKey, version: retained.row.version, layout: layout)
            layout.copy(retained.row.cells, to: row.cells)
        }
        return list
    }

    /// The rows of the objects of a query, in order.
    func evaluated(_ query: StoreQuery) throws -> [RetainedRow] {
        try evaluating(query) { try RowEvaluation.arrange($0, $1).map(\.retained) }
    }

    func evaluatedValues(_ query: StoreQuery) throws -> ProjectedRows {
        try evaluating(query) { RowEvaluation.values($0, $1) }
    }

    /// - Parameter body: gets the rows that satisfy the predicate, and the query as the process evaluates it.
    private func evaluating<Result>(
        _ query: StoreQuery, _ body: ([EvaluatedRow], StoreQuery) throws -> Result
    ) throws -> Result {
        var candidates = StoreQuery(layout: query.layout)
        candidates.includesSubentities = query.includesSubentities
        candidates.control = query.control
        let relations = ReadRowRelations(self)
        var objects: [EvaluatedRow] = []
        for buffer in try rows(of: candidates, query).buffers {
            for index in 0..<buffer.count {
                objects.append(EvaluatedRow(RetainedRow(buffer: buffer, row: buffer[index]), relations: relations))
            }
        }
        objects.sort { $0.retained.row.primaryKey < $1.retained.row.primaryKey }
        let evaluated = query.asInSQL
        let result = try body(RowEvaluation.filter(objects, evaluated), evaluated)
        if let error = relations.error { throw error }
        return result
    }

    /// The rows that the conditions of the server leave.
    private func rows(of candidates: StoreQuery, _ query: StoreQuery) throws -> RowList {
        var candidates = candidates
        do {
            candidates.predicate = try conditionsOfServer(query, allowsPrefilter: true)
            return try rows(candidates, asPrefilter: true)
        } catch is SQLUnavailable {
            // A comparison can lack its function for values of a type that only the server knows.
            candidates.predicate = try conditionsOfServer(query, allowsPrefilter: false)
        }
        do {
            return try rows(candidates, asPrefilter: false)
        } catch is SQLUnavailable {
            // A calculation with the values of a row can fail.
            candidates.predicate = nil
            return try rows(candidates, asPrefilter: false)
        }
    }

    /// The parts of a query's predicate that the server can evaluate, exactly or as a prefilter, joined by AND; nil for
    /// none.
    private func conditionsOfServer(_ query: StoreQuery, allowsPrefilter: Bool) throws -> NSPredicate? {
        guard let predicate = query.predicate else { return nil }
        let parts: [NSPredicate]
        if case .compound(.and, let members) = predicate.kind { parts = members } else { parts = [predicate] }
        let usable = try read { session in
            parts.filter { part in
                session.canEvaluate(part, query.layout)
                    || allowsPrefilter && session.canPrefilter(part, query.layout)
                        && session.canEvaluate(part, query.layout, asPrefilter: true)
            }
        }
        return usable.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: usable)
    }
}

extension PostgreSQLSession {
    fileprivate func canEvaluate(_ predicate: NSPredicate, _ layout: EntityLayout, asPrefilter: Bool = false) -> Bool {
        var query = StoreQuery(layout: layout)
        query.predicate = predicate
        return (try? statement(query, selecting: .identifiers, asPrefilter: asPrefilter)) != nil
    }

    /// Whether a predicate is a prefilter if its comparisons of texts are: it then holds for more objects, not for
    /// fewer.
    fileprivate func canPrefilter(_ predicate: NSPredicate, _ layout: EntityLayout) -> Bool {
        switch predicate.kind {
        case .compound(.and, let members), .compound(.or, let members):
            return members.allSatisfy { canPrefilter($0, layout) }
        case .compound, .block: return false
        case .constant: return true
        case .comparison(let comparison):
            let texts: [NSComparisonPredicate.Operator] = [.equalTo, .beginsWith, .endsWith, .contains]
            let plain: [NSExpression.ExpressionType] = [.keyPath, .constantValue]
            let isPlain =
                texts.contains(comparison.predicateOperatorType) && comparison.comparisonPredicateModifier != .all
                && plain.contains(comparison.leftExpression.expressionType)
                && plain.contains(comparison.rightExpression.expressionType)
            return isPlain || canEvaluate(comparison, layout)
        }
    }
}
