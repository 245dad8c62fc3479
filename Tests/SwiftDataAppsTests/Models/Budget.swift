import Foundation
import SwiftData

enum AccountKind: String, Codable, CaseIterable, Identifiable {
    case checking = "Checking"
    case savings = "Savings"
    case credit = "Credit card"

    var id: Self { self }
}

struct Money: Codable, Hashable {
    var amount: Decimal
    var currencyCode: String = "EUR"
}

@Model
final class BudgetAccount {
    var name: String
    var kind: AccountKind
    var openingBalance: Decimal
    private(set) var isClosed: Bool = false
    var closedOn: Date?
    @Relationship(deleteRule: .cascade, inverse: \Transaction.account) private(set) var transactions: [Transaction] = []

    init(name: String, kind: AccountKind = .checking, openingBalance: Decimal = 0) {
        self.name = name
        self.kind = kind
        self.openingBalance = openingBalance
    }

    var balance: Decimal {
        transactions.reduce(openingBalance) { $0 + $1.amount }
    }

    func close(on date: Date) {
        isClosed = true
        closedOn = date
    }
}

@Model
final class Transaction {
    #Index<Transaction>([\.date], [\.date, \.amount])

    @Attribute(.unique) var reference: UUID
    var date: Date
    var amount: Decimal
    var memo: String = ""
    var account: BudgetAccount?
    var category: BudgetCategory?
    var payee: Payee?
    /// The other half of a transfer between two accounts.
    @Relationship(deleteRule: .cascade, inverse: \Transaction.counterpartOf) var counterpart: Transaction?
    var counterpartOf: Transaction?
    var original: Money?

    init(
        reference: UUID = UUID(), date: Date, amount: Decimal, memo: String = "", account: BudgetAccount? = nil,
        category: BudgetCategory? = nil, payee: Payee? = nil
    ) {
        self.reference = reference
        self.date = date
        self.amount = amount
        self.memo = memo
        self.account = account
        self.category = category
        self.payee = payee
    }

    var isExpense: Bool { amount < 0 }
    var isTransfer: Bool { counterpart != nil || counterpartOf != nil }
}

/// A category of expenses, within a category.
@Model
final class BudgetCategory {
    var name: String
    var monthlyLimit: Decimal?
    var parent: BudgetCategory?
    @Relationship(deleteRule: .cascade, inverse: \BudgetCategory.parent) var children: [BudgetCategory] = []
    @Relationship(deleteRule: .deny, inverse: \Transaction.category) var transactions: [Transaction] = []

    init(_ name: String, monthlyLimit: Decimal? = nil, parent: BudgetCategory? = nil) {
        self.name = name
        self.monthlyLimit = monthlyLimit
        self.parent = parent
    }

    var path: String {
        guard let parent else { return name }
        return parent.path + " / " + name
    }
}

@Model
final class Payee {
    @Attribute(.unique, originalName: "label") var name: String
    @Relationship(inverse: \Transaction.payee) var transactions: [Transaction]? = nil

    init(name: String) {
        self.name = name
    }
}

extension Transaction {
    static func expenses(from start: Date, to end: Date) -> Predicate<Transaction> {
        #Predicate<Transaction> { transaction in
            transaction.date >= start && transaction.date < end && transaction.amount < 0
        }
    }

    static var latestFirst: [SortDescriptor<Transaction>] {
        [SortDescriptor(\.date, order: .reverse), SortDescriptor(\.amount)]
    }
}
