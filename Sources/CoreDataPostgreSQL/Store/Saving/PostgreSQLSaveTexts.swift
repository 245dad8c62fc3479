/// The texts of statements that write rows from arrays. They are long, and a save of one object would take a good part
/// of its time to write its own.
struct PostgreSQLSaveTexts {
    /// Different changes of one entity have texts of their own.
    private static let updateCapacity = 256

    private var beginning: PostgreSQLTransactionTexts?
    private var insertions: [ObjectIdentifier: String] = [:]
    /// By the statement for one row, which names the same columns.
    private var updates: [String: String] = [:]

    /// The statements with which each save of the session begins.
    mutating func beginning(_ make: () -> PostgreSQLTransactionTexts) -> PostgreSQLTransactionTexts {
        if let beginning { return beginning }
        let new = make()
        beginning = new
        return new
    }

    /// The statement that inserts rows of a plan, which lives as long as these texts.
    mutating func insertion(_ plan: RowWritePlan, _ make: () -> String) -> String {
        if let text = insertions[ObjectIdentifier(plan)] { return text }
        let text = make()
        insertions[ObjectIdentifier(plan)] = text
        return text
    }

    mutating func update(_ update: RowUpdate, _ make: () -> String) -> String {
        if let text = updates[update.text] { return text }
        if updates.count >= Self.updateCapacity { updates.removeAll() }
        let text = make()
        updates[update.text] = text
        return text
    }
}
