// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

extension SQLQualifier {
    /// The condition that a select of the elements of a collection has a row.
    ///
    /// The first condition of the select compares the elements' owner. Where an index finds the elements, the select
    /// returns their owners: `t0.Z_PK IN (SELECT t1.ZARTIST … WHERE t1.ZTITLE = ?)`. Otherwise each owner searches for
    /// an element: `EXISTS (SELECT 1 … WHERE t1.ZARTIST = t0.Z_PK AND …)`.
    func exists(_ select: SQLSelect) -> SQLCondition {
        guard case .table(let first, let alias) = select.source, case .and(let conditions) = select.condition,
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
            Array(others) + [.isNull(.column(alias: alias, name: ownerColumn), isNegated: true)])
        return .inSelect(owner, owners)
    }

    /// Whether a condition is a simple test that uses columns of these tables only.
    private static func isSelfContained(_ condition: SQLCondition, _ tables: [String: String]) -> Bool {
        func isInside(_ expression: SQLExpression) -> Bool {
            switch expression {
            case .value: true
            case .column(let alias, _): tables[alias] != nil
            case .conversion(let operand, to: .seconds), .conversion(let operand, to: .date): isInside(operand)
            default: false
            }
        }
        switch condition {
        case .comparison(let left, _, let right), .nullSafeEqual(let left, let right, _),
            .text(_, let left, let right, _, _):
            return isInside(left) && isInside(right)
        case .isNull(let expression, _), .inValues(let expression, _): return isInside(expression)
        case .and(let parts), .or(let parts): return parts.allSatisfy { isSelfContained($0, tables) }
        default: return false
        }
    }

    /// Whether an index finds the rows that are equal to a value, or to one of a list.
    private func isIndexed(_ condition: SQLCondition, _ tables: [String: String]) -> Bool {
        switch condition {
        case .comparison(.column(let alias, let name), .equal, .value), .inValues(.column(let alias, let name), _):
            constants.schema.tables.contains { $0.name == tables[alias] && $0.isIndexed(name) }
        default: false
        }
    }
}
