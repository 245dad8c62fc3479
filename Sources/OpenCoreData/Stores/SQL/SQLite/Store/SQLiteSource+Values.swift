extension SQLiteSource {
    func values(_ query: StoreQuery) throws -> ProjectedRows {
        guard let projection = query.projection else { return ProjectedRows(width: 0) }
        return try withOpen { open in
            let plan = try open.translate(query, selecting: .values(projection))
            let statement = try open.connection.statement(plan.text)
            try statement.bind(plan.bindings)
            let reader = ValueReader(
                projection.columns, plan.results, mapping: open.mapping, identity: identity,
                externalValues: open.externalValues)
            return try open.connection.cancellable(query.control) { try reader.readAll(statement) }
        }
    }
}
