import CoreDataModel

extension SQLQualifier {
    /// The condition that a collection has an element among the rows of a select, which begin with those of the
    /// collection's owner.
    ///
    /// Where an index leads to the elements, their owners are looked up: `t0.Z_PK IN (SELECT t1.ZARTIST … WHERE
    /// t1.ZTITLE = ?)`. Else each owner looks for an element: `EXISTS (SELECT 1 … WHERE t1.ZARTIST = t0.Z_PK AND …)`.
    func exists(_ select: SQLSelect) -> SQLCondition {
        guard case .table(let first, let alias) = select.source, case .all(let conditions) = select.condition,
            case .comparison(.column(alias, let ownerColumn), .equal, let owner) = conditions[0], owner.isSimple
        else { return .exists(select, isNegated: false) }
        let tables = [alias: first].merging(select.joins.map { ($0.alias, $0.table) }) { one, _ in one }
        let others = conditions.dropFirst()
        guard select.joins.allSatisfy({ $0.kind == .inner && Self.isSelfContained($0.condition, tables) }),
            others.allSatisfy({ Self.isSelfContained($0, tables) }), others.contains(where: { isIndexed($0, tables) })
        else { return .exists(select, isNegated: false) }
        var owners = select
        owners.columns = [.column(alias: alias, name: ownerColumn)]
        owners.condition = .conjunction(
            Array(others) + [.missing(.column(alias: alias, name: ownerColumn), isNegated: true)])
        return .memberOfSelect(owner, owners)
    }

    /// True for a simple test of values of these tables alone.
    private static func isSelfContained(_ condition: SQLCondition, _ tables: [String: String]) -> Bool {
        func isInside(_ expression: SQLExpression) -> Bool {
            switch expression {
            case .value: true
            case .column(let alias, _): tables[alias] != nil
            default: false
            }
        }
        switch condition {
        case .constant: return true
        case .comparison(let left, _, let right), .same(let left, let right, _), .text(_, let left, let right, _, _):
            return isInside(left) && isInside(right)
        case .missing(let expression, _), .member(let expression, _): return isInside(expression)
        case .all(let parts), .any(let parts): return parts.allSatisfy { isSelfContained($0, tables) }
        default: return false
        }
    }

    /// True if an index finds the rows that are equal to a value, or to one of a list.
    private func isIndexed(_ condition: SQLCondition, _ tables: [String: String]) -> Bool {
        switch condition {
        case .comparison(.column(let alias, let name), .equal, .value), .member(.column(let alias, let name), _):
            tables[alias].flatMap { table in constants.schema.tables.first { $0.name == table } }?.isIndexed(name)
                ?? false
        default: false
        }
    }
}
