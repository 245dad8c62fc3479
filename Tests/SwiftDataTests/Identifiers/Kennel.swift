import SwiftData

/// Pets of two kinds, with owners who refer to them.
enum Kennel {
    @Model class Pet {
        var name: String
        var owner: Owner?

        init(_ name: String) { self.name = name }
    }

    @Model final class Dog: Pet {
        var trick: String = "sits"

        override init(_ name: String) { super.init(name) }
    }

    @Model final class Cat: Pet {
        var lives = 9
        var claws: String = "sharp claws, all of them"

        override init(_ name: String) { super.init(name) }
    }

    @Model final class Owner {
        var name: String
        @Relationship(inverse: \Pet.owner) var pets: [Pet] = []
        var favourite: Cat?

        init(_ name: String) { self.name = name }
    }

    static func container(_ url: URL) throws -> ModelContainer {
        try ModelContainer(
            for: Schema([Pet.self, Dog.self, Cat.self, Owner.self]), configurations: ModelConfiguration(url: url))
    }

    static func fill(_ context: ModelContext) throws {
        let owner = Owner("Ann")
        let (tom, rex, pat) = (Cat("Tom"), Dog("Rex"), Pet("Pat"))
        for pet in [tom, rex, pat] { context.insert(pet) }
        context.insert(owner)
        owner.pets = [tom, rex]
        owner.favourite = tom
        try context.save()
    }

    /// The values of all rows, read anew.
    static func rows(_ container: ModelContainer) throws -> [String] {
        let context = ModelContext(container)
        let pets = try context.fetch(FetchDescriptor<Pet>()).map { pet in
            let special =
                switch pet {
                case let dog as Dog: "dog \(dog.trick)"
                case let cat as Cat: "cat \(cat.lives) \(cat.claws)"
                default: "pet"
                }
            return "\(pet.name): \(special), of \(pet.owner?.name ?? "none")"
        }
        let owners = try context.fetch(FetchDescriptor<Owner>()).map {
            "\($0.name): \($0.pets.map(\.name).sorted()), \($0.favourite?.name ?? "none")"
        }
        return (pets + owners).sorted()
    }
}
