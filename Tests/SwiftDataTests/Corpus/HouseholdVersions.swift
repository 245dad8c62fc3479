/// Seven versions of the schema of a household. The store in the corpus has the first version.
enum HouseholdV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Expense.self] }

    @Model final class Expense {
        var id: UUID = UUID()
        var amount: Decimal = 0
        var createdAt: Date = Date()
        var currencyCode: String = "INR"
        var date: Date = Date()
        var note: String?
        var updatedAt: Date = Date()

        init(amount: Decimal) { self.amount = amount }
    }
}

/// Categories, many-to-many.
enum HouseholdV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Expense.self, Category.self] }

    @Model final class Expense {
        var id: UUID = UUID()
        var amount: Decimal = 0
        var createdAt: Date = Date()
        var currencyCode: String = "INR"
        var date: Date = Date()
        var note: String?
        var updatedAt: Date = Date()
        var categories: [Category] = []

        init(amount: Decimal) { self.amount = amount }
    }

    @Model final class Category {
        #Unique<Category>([\.name])
        var name: String
        @Relationship(inverse: \Expense.categories) var expenses: [Expense] = []

        init(name: String) { self.name = name }
    }
}

/// The note is called memo, and there is a payment with two cases.
enum HouseholdV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Expense.self, Category.self] }

    enum Payment: Codable, Equatable {
        case cash
        case card(String)
    }

    @Model final class Expense {
        var id: UUID = UUID()
        var amount: Decimal = 0
        var createdAt: Date = Date()
        var currencyCode: String = "INR"
        var date: Date = Date()
        @Attribute(originalName: "note") var memo: String?
        var updatedAt: Date = Date()
        var payment: Payment = Payment.cash
        var categories: [Category] = []

        init(amount: Decimal) { self.amount = amount }
    }

    @Model final class Category {
        #Unique<Category>([\.name])
        var name: String
        @Relationship(inverse: \Expense.categories) var expenses: [Expense] = []

        init(name: String) { self.name = name }
    }
}

/// The payment has a third case.
enum HouseholdV4: VersionedSchema {
    static let versionIdentifier = Schema.Version(4, 0, 0)
    static var models: [any PersistentModel.Type] { [Expense.self, Category.self] }

    enum Payment: Codable, Equatable {
        case cash
        case card(String)
        case transfer(bank: String)
    }

    @Model final class Expense {
        var id: UUID = UUID()
        var amount: Decimal = 0
        var createdAt: Date = Date()
        var currencyCode: String = "INR"
        var date: Date = Date()
        var memo: String?
        var updatedAt: Date = Date()
        var payment: Payment = Payment.cash
        var categories: [Category] = []

        init(amount: Decimal) { self.amount = amount }
    }

    @Model final class Category {
        #Unique<Category>([\.name])
        var name: String
        @Relationship(inverse: \Expense.categories) var expenses: [Expense] = []

        init(name: String) { self.name = name }
    }
}

/// An expense may have an account.
enum HouseholdV5: VersionedSchema {
    static let versionIdentifier = Schema.Version(5, 0, 0)
    static var models: [any PersistentModel.Type] { [Expense.self, Category.self, Account.self] }

    @Model final class Expense {
        var id: UUID = UUID()
        var amount: Decimal = 0
        var createdAt: Date = Date()
        var currencyCode: String = "INR"
        var date: Date = Date()
        var memo: String?
        var updatedAt: Date = Date()
        var payment: HouseholdV4.Payment = HouseholdV4.Payment.cash
        var categories: [Category] = []
        var account: Account?

        init(amount: Decimal) { self.amount = amount }
    }

    @Model final class Category {
        #Unique<Category>([\.name])
        var name: String
        @Relationship(inverse: \Expense.categories) var expenses: [Expense] = []

        init(name: String) { self.name = name }
    }

    @Model final class Account {
        var name: String
        @Relationship(inverse: \Expense.account) var expenses: [Expense] = []

        init(name: String) { self.name = name }
    }
}

/// An expense has an account, and a sum beside its amount.
enum HouseholdV6: VersionedSchema {
    static let versionIdentifier = Schema.Version(6, 0, 0)
    static var models: [any PersistentModel.Type] { [Expense.self, Category.self, Account.self] }

    struct Money: Codable, Equatable {
        var cents: Int
        var currency: String
    }

    @Model final class Expense {
        var id: UUID = UUID()
        var amount: Decimal = 0
        var createdAt: Date = Date()
        var currencyCode: String = "INR"
        var date: Date = Date()
        var memo: String?
        var updatedAt: Date = Date()
        var payment: HouseholdV4.Payment = HouseholdV4.Payment.cash
        var categories: [Category] = []
        var account: Account
        var sum: Money = Money(cents: 0, currency: "")

        init(amount: Decimal, account: Account) {
            self.amount = amount
            self.account = account
        }
    }

    @Model final class Category {
        #Unique<Category>([\.name])
        var name: String
        @Relationship(inverse: \Expense.categories) var expenses: [Expense] = []

        init(name: String) { self.name = name }
    }

    @Model final class Account {
        var name: String
        @Relationship(inverse: \Expense.account) var expenses: [Expense] = []

        init(name: String) { self.name = name }
    }
}

/// The sum alone is left.
enum HouseholdV7: VersionedSchema {
    static let versionIdentifier = Schema.Version(7, 0, 0)
    static var models: [any PersistentModel.Type] { [Expense.self, Category.self, Account.self] }

    @Model final class Expense {
        var id: UUID = UUID()
        var createdAt: Date = Date()
        var date: Date = Date()
        var memo: String?
        var updatedAt: Date = Date()
        var payment: HouseholdV4.Payment = HouseholdV4.Payment.cash
        var categories: [Category] = []
        var account: Account
        var sum: HouseholdV6.Money = HouseholdV6.Money(cents: 0, currency: "")

        init(account: Account) { self.account = account }
    }

    @Model final class Category {
        #Unique<Category>([\.name])
        var name: String
        @Relationship(inverse: \Expense.categories) var expenses: [Expense] = []

        init(name: String) { self.name = name }
    }

    @Model final class Account {
        var name: String
        @Relationship(inverse: \Expense.account) var expenses: [Expense] = []

        init(name: String) { self.name = name }
    }
}

enum HouseholdPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [HouseholdV1.self, HouseholdV2.self, HouseholdV3.self, HouseholdV4.self] + [
            HouseholdV5.self, HouseholdV6.self, HouseholdV7.self,
        ]
    }

    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: HouseholdV1.self, toVersion: HouseholdV2.self, willMigrate: nil,
                didMigrate: { context in
                    let categories = ["General", "Imported"].map { HouseholdV2.Category(name: $0) }
                    for expense in try context.fetch(FetchDescriptor<HouseholdV2.Expense>()) {
                        expense.categories = categories
                    }
                    try context.save()
                }),
            .custom(
                fromVersion: HouseholdV2.self, toVersion: HouseholdV3.self, willMigrate: nil,
                didMigrate: { context in
                    for expense in try context.fetch(FetchDescriptor<HouseholdV3.Expense>()) {
                        expense.payment = .card("1234")
                    }
                    let second = HouseholdV3.Expense(amount: Decimal(string: "19.99")!)
                    second.memo = "Second"
                    context.insert(second)
                    try context.save()
                }),
            .lightweight(fromVersion: HouseholdV3.self, toVersion: HouseholdV4.self),
            .custom(
                fromVersion: HouseholdV4.self, toVersion: HouseholdV5.self,
                willMigrate: { context in
                    for expense in try context.fetch(FetchDescriptor<HouseholdV4.Expense>())
                    where expense.memo == "Second" { expense.payment = .transfer(bank: "Bank") }
                    try context.save()
                }, didMigrate: nil),
            .custom(
                fromVersion: HouseholdV5.self, toVersion: HouseholdV6.self,
                willMigrate: { context in
                    let account = HouseholdV5.Account(name: "Main")
                    for expense in try context.fetch(FetchDescriptor<HouseholdV5.Expense>())
                    where expense.account == nil { expense.account = account }
                    try context.save()
                },
                didMigrate: { context in
                    for expense in try context.fetch(FetchDescriptor<HouseholdV6.Expense>()) {
                        let cents = NSDecimalNumber(decimal: expense.amount * 100).intValue
                        expense.sum = HouseholdV6.Money(cents: cents, currency: expense.currencyCode)
                    }
                    try context.save()
                }),
            .lightweight(fromVersion: HouseholdV6.self, toVersion: HouseholdV7.self),
        ]
    }
}
