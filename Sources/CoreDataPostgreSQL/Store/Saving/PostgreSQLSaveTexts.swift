// SPDX-License-Identifier: Apache-2.0

/// The texts of statements that write rows, of one row and of many. The texts are long: writing them would take a good
/// part of the time of a save of one object.
struct PostgreSQLSaveTexts {
    private var beginnings: [PostgreSQLIsolation: PostgreSQLTransactionTexts] = [:]
    private var insertions: [Key<ObjectIdentifier>: String] = [:]
    /// The key is the row plan's statement for one row, which names the same columns. So each set of changed columns
    /// has one text.
    private var updates = BoundedDictionary<Key<String>, String>(capacity: 256)

    private struct Key<Plan: Hashable>: Hashable {
        let plan: Plan
        let isOfOneRow: Bool
    }

    /// The statements with which each save of the session begins, or a batch request of another isolation.
    mutating func beginning(
        _ isolation: PostgreSQLIsolation, _ make: () -> PostgreSQLTransactionTexts
    ) -> PostgreSQLTransactionTexts {
        if let known = beginnings[isolation] { return known }
        let new = make()
        beginnings[isolation] = new
        return new
    }

    /// The statement that inserts rows of a plan, which lives as long as these texts.
    mutating func insertion(_ plan: RowWritePlan, isOfOneRow: Bool, _ make: () -> String) -> String {
        let key = Key(plan: ObjectIdentifier(plan), isOfOneRow: isOfOneRow)
        if let text = insertions[key] { return text }
        let text = make()
        insertions[key] = text
        return text
    }

    mutating func update(_ update: RowUpdate, isOfOneRow: Bool, _ make: () -> String) -> String {
        updates.value(Key(plan: update.text, isOfOneRow: isOfOneRow), make)
    }
}
