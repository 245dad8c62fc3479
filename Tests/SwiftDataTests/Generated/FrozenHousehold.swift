import Foundation
import SwiftData

/// A frozen version of the schema: don't change it, add a new one.
enum FrozenHousehold: VersionedSchema {
    static let versionIdentifier = Schema.Version(6, 0, 0)
    static var models: [any PersistentModel.Type] {
        [
            Account.self,
            Category.self,
            Expense.self,
        ]
    }

    @Model final class Account {
        @Relationship(inverse: \Expense.account) var expenses: [Expense] = []
        var name: String

        init(name: String) {
            self.name = name
        }
    }

    @Model final class Category {
        @Relationship(inverse: \Expense.categories) var expenses: [Expense] = []
        @Attribute(.unique) var name: String

        init(name: String) {
            self.name = name
        }
    }

    @Model final class Expense {
        var account: Account
        var amount: Decimal = Decimal(string: "0")!
        var categories: [Category] = []
        var createdAt: Date = Date()
        var currencyCode: String = "INR"
        var date: Date = Date()
        var id: UUID = UUID()
        var memo: String?
        var payment: Expense.Payment
        var sum: Expense.Sum
        var updatedAt: Date = Date()

        init(account: Account, payment: Expense.Payment, sum: Expense.Sum) {
            self.account = account
            self.payment = payment
            self.sum = sum
        }

        enum Payment: Codable, Hashable {
            case card(Payload?)
            case transfer(Payload?)
            case cash

            struct Payload: Codable, Hashable {
                init(from decoder: any Decoder) {}

                func encode(to encoder: any Encoder) {}
            }
        }

        struct Sum: Codable, Hashable {
            var cents: Int
            var currency: String
        }
    }
}
