import Foundation
import SwiftData
import Testing

@Suite struct BudgetTests {
    let store: AppStore

    init() throws {
        store = try AppStore(BudgetAccount.self, Transaction.self, BudgetCategory.self, Payee.self)
    }

    private func fill(_ context: ModelContext) {
        let checking = BudgetAccount(name: "Checking", openingBalance: Decimal(string: "100.10")!)
        let savings = BudgetAccount(name: "Savings", kind: .savings)
        let food = BudgetCategory("Food", monthlyLimit: 300)
        let lunch = BudgetCategory("Lunch", parent: food)
        let baker = Payee(name: "Baker")
        // The leaves come first.
        context.insert(
            Transaction(
                date: day(1), amount: Decimal(string: "-3.45")!, memo: "Rolls", account: checking, category: lunch,
                payee: baker))
        context.insert(
            Transaction(date: day(2), amount: -20, account: checking, category: lunch, payee: baker))
        let transfer = Transaction(date: day(3), amount: -50, account: checking)
        transfer.counterpart = Transaction(date: day(3), amount: 50, account: savings)
        context.insert(transfer)
    }

    @Test func decimalsKeepTheirDigits() throws {
        let context = try store.relaunched(after: fill)
        let checking = try context.one(BudgetAccount.self, where: #Predicate { $0.name == "Checking" })
        expectEqual(checking.openingBalance, Decimal(string: "100.10")!)
        expectEqual(checking.balance, Decimal(string: "26.65")!)
    }

    @Test func leavesBringTheTree() throws {
        let context = try store.relaunched(after: fill)
        let lunch = try context.one(BudgetCategory.self, where: #Predicate { $0.name == "Lunch" })
        expectEqual(lunch.path, "Food / Lunch")
        expectEqual(lunch.parent?.children.count, 1)
        expectEqual(lunch.transactions.count, 2)
    }

    @Test func transferIsOneToOne() throws {
        let context = try store.relaunched(after: fill)
        let transfers = try context.fetch(FetchDescriptor<Transaction>()).filter(\.isTransfer)
        expectEqual(transfers.count, 2)
        let outgoing = try requireValue(transfers.first { $0.amount < 0 })
        #expect(outgoing.counterpart?.counterpartOf === outgoing)
        expectEqual(outgoing.counterpart?.account?.name, "Savings")
    }

    @Test func transactionTakesItsCounterpart() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Transaction.self, where: #Predicate { $0.counterpart != nil }))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(Transaction.self), 2)
    }

    @Test func categoryInUseIsNotDeleted() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(BudgetCategory.self, where: #Predicate { $0.name == "Lunch" }))
        #expect(throws: (any Error).self) { try context.save() }
        let after = try store.launch()
        try expectEqual(after.count(BudgetCategory.self), 2)
    }

    @Test func expensesOfAPeriodAreFetchedInOrder() throws {
        let context = try store.relaunched(after: fill)
        let descriptor = FetchDescriptor(
            predicate: Transaction.expenses(from: day(1), to: day(3)), sortBy: Transaction.latestFirst)
        try expectEqual(context.fetch(descriptor).map(\.amount), [-20, Decimal(string: "-3.45")!])
    }

    @Test func enumerationIsAskedByValue() throws {
        let context = try store.relaunched(after: fill)
        let kind = AccountKind.savings
        try expectEqual(context.one(BudgetAccount.self, where: #Predicate { $0.kind == kind }).name, "Savings")
    }

    @Test func privateSettersAreSaved() throws {
        let context = try store.relaunched { context in
            fill(context)
            for account in try context.fetch(FetchDescriptor<BudgetAccount>()) where account.kind == .savings {
                account.close(on: day(9))
            }
        }
        let closed = try context.one(BudgetAccount.self, where: #Predicate { $0.isClosed })
        expectEqual(closed.closedOn, day(9))
    }

    @Test func structureOfMoneyIsOptional() throws {
        let context = try store.relaunched { context in
            fill(context)
            context.insert(BudgetAccount(name: "Cash"))
            let transaction = Transaction(date: day(5), amount: -9)
            transaction.original = Money(amount: Decimal(string: "9.99")!, currencyCode: "USD")
            context.insert(transaction)
        }
        let transactions = try context.fetch(FetchDescriptor<Transaction>())
        expectEqual(transactions.compactMap(\.original), [Money(amount: Decimal(string: "9.99")!, currencyCode: "USD")])
    }

    @Test func rollbackForgetsChanges() throws {
        let context = try store.relaunched(after: fill)
        let baker = try context.one(Payee.self)
        baker.name = "Grocer"
        context.insert(Payee(name: "Dentist"))
        context.rollback()
        expectEqual(baker.name, "Baker")
        expectFalse(context.hasChanges)
        try expectEqual(context.count(Payee.self), 1)
    }
}
