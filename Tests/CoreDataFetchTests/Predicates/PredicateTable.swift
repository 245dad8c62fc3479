/// All rows, by theme.
enum PredicateTable {
    static let rows: [PredicateRow] =
        integers + textsAsNumbers + reals + booleans + dates + identifiers + texts + scripts + patterns + logic + keys
        + arithmetic
        + functions + casts + toOne + modifiers + containment + subqueries + aggregates + objects + inheritance
        + notations + words + variables
        + code + fetches + refusable
}
