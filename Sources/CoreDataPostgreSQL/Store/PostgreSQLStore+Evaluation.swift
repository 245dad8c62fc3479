/// Queries with parts that the server can't evaluate as memory does: texts compared under options, regular expressions,
/// orders of languages. The server applies the conditions that it can, and the query is evaluated on the rows that are
/// left.
extension PostgreSQLSource {
    func evaluatedRows(_ query: StoreQuery) throws -> RowList {
        var list = RowList(
            layout: query.layout, includesSubentities: query.includesSubentities, properties: query.properties)
        for object in try evaluated(query) {
            let retained = object.retained
            let layout = retained.buffer.layouts[retained.row.layoutNumber]
            let row = list.bufferForAppending().appendUninitialized(
                primaryKey: retained.row.primaryKey, version: retained.row.version, layout: layout)
            layout.copy(retained.row.cells, to: row.cells)
        }
        return list
    }

    /// The objects of a query, in order.
    func evaluated(_ query: StoreQuery) throws -> [MemoryRow] {
        try evaluating(query) { try RowEvaluation.arrange($0, query) }
    }

    func evaluatedValues(_ query: StoreQuery) throws -> ProjectedRows {
        try evaluating(query) { RowEvaluation.values($0, query) }
    }

    private func evaluating<Result>(_ query: StoreQuery, _ body: ([MemoryRow]) throws -> Result) throws -> Result {
        var candidates = StoreQuery(layout: query.layout)
        candidates.includesSubentities = query.includesSubentities
        candidates.predicate = try conditionsOfServer(query)
        candidates.control = query.control
        let relations = ReadRowRelations(self)
        var objects: [MemoryRow] = []
        for buffer in try rows(candidates).buffers {
            for index in 0..<buffer.count {
                objects.append(MemoryRow(RetainedRow(buffer: buffer, row: buffer[index]), relations: relations))
            }
        }
        objects.sort { $0.retained.row.primaryKey < $1.retained.row.primaryKey }
        let result = try body(RowEvaluation.filter(objects, query))
        if let error = relations.error { throw error }
        return result
    }

    /// The parts of a query's predicate that the server can evaluate, joined by AND; nil for none.
    private func conditionsOfServer(_ query: StoreQuery) throws -> NSPredicate? {
        guard let predicate = query.predicate else { return nil }
        let parts: [NSPredicate]
        if case .compound(.and, let members) = predicate.kind { parts = members } else { parts = [predicate] }
        let usable = try read { session in
            parts.filter { part in
                var single = StoreQuery(layout: query.layout)
                single.predicate = part
                return (try? session.statement(single, selecting: .identifiers)) != nil
            }
        }
        return usable.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: usable)
    }
}
