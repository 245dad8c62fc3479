extension SQLCondition {
    /// How deep conjunctions and disjunctions are nested.
    var depth: Int {
        switch self {
        case .all(let conditions), .any(let conditions): 1 + (conditions.map(\.depth).max() ?? 0)
        case .fails(let condition): condition.depth
        default: 0
        }
    }

    /// True if the conditions are nested deeper than any engine takes for granted.
    var isDeep: Bool { depth > 12 }
}
