// Predicates never change after they are made, and Apple's SDK says so too; Linux's Foundation hasn't yet.
extension NSPredicate: @retroactive @unchecked Sendable {}
