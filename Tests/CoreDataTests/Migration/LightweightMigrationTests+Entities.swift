import CoreData
import Testing

/// Entities that are added, removed, renamed and moved in their hierarchies.
extension LightweightMigrationTests {
    @Test("added, removed and renamed entities; numbers of the others change")
    func entities() throws {
        let old = model([
            entity("Middle", [attribute("name", .stringAttributeType)]),
            entity("Removed", [attribute("name", .stringAttributeType)]),
            entity("Zebra", [attribute("name", .stringAttributeType)]),
        ])
        let horse = entity("Horse", [attribute("name", .stringAttributeType)])
        horse.renamingIdentifier = "Zebra"
        let new = model([
            entity("Added", [attribute("name", .stringAttributeType)]), horse,
            entity("Middle", [attribute("name", .stringAttributeType)]),
        ])
        try migrate(old, new) { context in
            for name in ["Middle", "Removed", "Zebra"] { context.make(name, "my \(name)") }
        } checking: { context in
            try expectEqual(context.names("Middle"), ["my Middle"])
            try expectEqual(context.names("Horse"), ["my Zebra"])
            try expectEmpty(context.all("Added"))
            context.make("Added", "one")
            context.make("Horse", "two")
            try context.save()
            try expectEqual(context.names("Horse"), ["my Zebra", "two"])
        }
        try onFile { try expectEqual($0.tables().contains("ZREMOVED"), false) }
    }

    private func hierarchy(_ names: [String], parent: String?, properties: [String: [String]]) -> NSManagedObjectModel {
        let entities = names.map { name in
            entity(name, (properties[name] ?? []).map { attribute($0, .stringAttributeType) })
        }
        if let parent = entities.first(where: { $0.name == parent }) {
            parent.subentities = entities.filter { $0 !== parent }
        }
        return model(entities)
    }

    @Test("a new parent entity, and an attribute that moves up to it")
    func newParent() throws {
        try migrate(
            hierarchy(["Dog"], parent: nil, properties: ["Dog": ["name", "trick"]]),
            hierarchy(["Animal", "Dog"], parent: "Animal", properties: ["Animal": ["name"], "Dog": ["trick"]])
        ) {
            $0.make("Dog", "Rex", ["trick": "sit"])
        } checking: { context in
            let dog = try context.one("Animal", "Rex")
            expectEqual(dog.entity.name, "Dog")
            expectEqual(dog.text("trick"), "sit")
        }
    }

    @Test("attributes of siblings become one attribute of their parent")
    func movedUp() throws {
        try migrate(
            hierarchy(
                ["Animal", "Cat", "Dog"], parent: "Animal",
                properties: ["Animal": ["name"], "Cat": ["sound"], "Dog": ["sound"]]),
            hierarchy(["Animal", "Cat", "Dog"], parent: "Animal", properties: ["Animal": ["name", "sound"]])
        ) { context in
            context.make("Cat", "Tom", ["sound": "meow"])
            context.make("Dog", "Rex", ["sound": "woof"])
        } checking: { context in
            try expectEqual(context.one("Animal", "Tom").text("sound"), "meow")
            try expectEqual(context.one("Animal", "Rex").text("sound"), "woof")
        }
    }

    @Test("a hierarchy that is divided into tables")
    func divided() throws {
        try migrate(
            hierarchy(["Animal", "Dog"], parent: "Animal", properties: ["Animal": ["name"], "Dog": ["trick"]]),
            hierarchy(["Animal", "Dog"], parent: nil, properties: ["Animal": ["name"], "Dog": ["name", "trick"]])
        ) { context in
            context.make("Dog", "Rex", ["trick": "sit"])
            context.make("Animal", "Worm")
        } checking: { context in
            try expectEqual(context.names("Animal"), ["Worm"])
            try expectEqual(context.names("Dog"), ["Rex"])
            try expectEqual(context.one("Dog", "Rex").text("trick"), "sit")
            context.make("Dog", "Fido")
            try context.save()
            try expectEqual(context.all("Dog").count, 2)
        }
    }

    @Test("a removed subentity takes its objects and the references to them")
    func removedSubentity() throws {
        func make(_ names: [String]) -> NSManagedObjectModel {
            let animals = names.map { entity($0, $0 == "Animal" ? [attribute("name", .stringAttributeType)] : []) }
            animals[0].subentities = Array(animals.dropFirst())
            let owner = entity("Owner", [attribute("name", .stringAttributeType)])
            let pet = toOne("pet", animals[0])
            let friends = toMany("friends", animals[0])
            let fans = toMany("fans", owner)
            pair(friends, fans)
            owner.properties += [pet, friends]
            animals[0].properties.append(fans)
            return model(animals + [owner])
        }
        try migrate(make(["Animal", "Cat", "Dog"]), make(["Animal", "Dog"])) { context in
            let cat = context.make("Cat", "Tom")
            let dog = context.make("Dog", "Rex")
            context.make("Owner", "Ann", ["pet": cat, "friends": NSSet(array: [cat, dog])])
            context.make("Owner", "Bob", ["pet": dog])
        } checking: { context in
            try expectEqual(context.names("Animal"), ["Rex"])
            let ann = try context.one("Owner", "Ann")
            expectEqual(ann.object("pet"), nil)
            expectEqual(ann.names("friends"), ["Rex"])
            try expectEqual(context.one("Owner", "Bob").object("pet")?.text("name"), "Rex")
        }
    }
}
