/// Two related models in the pool. A version has one of the forms, or none.
protocol PoolPair: SendableMetatype {
    static var models: [any PersistentModel.Type] { get }
    /// The relationship that stays in forms with the same identity.
    static var identity: String { get }

    /// Inserts owners, and pets with their owners.
    static func insert(_ owners: Set<Int>, _ pets: [Int: Set<Int>], into context: ModelContext)
    /// The owners, and the pets with their owners.
    static func read(_ context: ModelContext) throws -> (owners: Set<Int>, pets: [Int: Set<Int>])
}

enum PoolPairs {
    static let all: [any PoolPair.Type] = [Single.self, Kept.self, Shared.self]

    /// A pet has one owner.
    enum Single: PoolPair {
        static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
        static let identity = "owner"

        @Model final class Owner {
            var key: Int
            @Relationship(inverse: \Pet.owner) var pets: [Pet] = []

            init(key: Int) { self.key = key }
        }

        @Model final class Pet {
            var key: Int
            var owner: Owner?

            init(key: Int) { self.key = key }
        }

        static func insert(_ owners: Set<Int>, _ pets: [Int: Set<Int>], into context: ModelContext) {
            let models = Dictionary(uniqueKeysWithValues: owners.map { ($0, Owner(key: $0)) })
            for owner in models.values { context.insert(owner) }
            for (key, keys) in pets {
                let pet = Pet(key: key)
                context.insert(pet)
                pet.owner = keys.min().flatMap { models[$0] }
            }
        }

        static func read(_ context: ModelContext) throws -> (owners: Set<Int>, pets: [Int: Set<Int>]) {
            let pets = try context.fetch(FetchDescriptor<Pet>())
            return (
                Set(try context.fetch(FetchDescriptor<Owner>()).map(\.key)),
                Dictionary(uniqueKeysWithValues: pets.map { ($0.key, Set([$0.owner?.key].compactMap { $0 })) })
            )
        }
    }

    /// The owner has another name.
    enum Kept: PoolPair {
        static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
        static let identity = "owner"

        @Model final class Owner {
            var key: Int
            @Relationship(originalName: "pets", inverse: \Pet.keeper) var animals: [Pet] = []
            var city: String?

            init(key: Int) { self.key = key }
        }

        @Model final class Pet {
            var key: Int
            @Relationship(originalName: "owner") var keeper: Owner?

            init(key: Int) { self.key = key }
        }

        static func insert(_ owners: Set<Int>, _ pets: [Int: Set<Int>], into context: ModelContext) {
            let models = Dictionary(uniqueKeysWithValues: owners.map { ($0, Owner(key: $0)) })
            for owner in models.values { context.insert(owner) }
            for (key, keys) in pets {
                let pet = Pet(key: key)
                context.insert(pet)
                pet.keeper = keys.min().flatMap { models[$0] }
            }
        }

        static func read(_ context: ModelContext) throws -> (owners: Set<Int>, pets: [Int: Set<Int>]) {
            let pets = try context.fetch(FetchDescriptor<Pet>())
            return (
                Set(try context.fetch(FetchDescriptor<Owner>()).map(\.key)),
                Dictionary(uniqueKeysWithValues: pets.map { ($0.key, Set([$0.keeper?.key].compactMap { $0 })) })
            )
        }
    }

    /// A pet has several owners.
    enum Shared: PoolPair {
        static var models: [any PersistentModel.Type] { [Owner.self, Pet.self] }
        static let identity = "holders"

        @Model final class Owner {
            var key: Int
            @Relationship(inverse: \Pet.holders) var held: [Pet] = []

            init(key: Int) { self.key = key }
        }

        @Model final class Pet {
            var key: Int
            var holders: [Owner] = []

            init(key: Int) { self.key = key }
        }

        static func insert(_ owners: Set<Int>, _ pets: [Int: Set<Int>], into context: ModelContext) {
            let models = Dictionary(uniqueKeysWithValues: owners.map { ($0, Owner(key: $0)) })
            for owner in models.values { context.insert(owner) }
            for (key, keys) in pets {
                let pet = Pet(key: key)
                context.insert(pet)
                pet.holders = keys.compactMap { models[$0] }
            }
        }

        static func read(_ context: ModelContext) throws -> (owners: Set<Int>, pets: [Int: Set<Int>]) {
            let pets = try context.fetch(FetchDescriptor<Pet>())
            return (
                Set(try context.fetch(FetchDescriptor<Owner>()).map(\.key)),
                Dictionary(uniqueKeysWithValues: pets.map { ($0.key, Set($0.holders.map(\.key))) })
            )
        }
    }
}
