import CoreData
import Testing

/// Relationships that get another form.
extension LightweightMigrationTests {
    enum Form: String, CaseIterable, Sendable {
        case toOne, toMany, ordered, manyToMany, orderedManyToMany, toManyWithoutInverse, toOneWithoutInverse
    }

    /// A model of bands with people, related in one of the forms.
    func bands(_ form: Form, added: [String] = []) -> NSManagedObjectModel {
        let band = entity("Band", [attribute("name", .stringAttributeType)])
        let person = entity("Person", [attribute("name", .stringAttributeType)])
        switch form {
        case .toOne, .toOneWithoutInverse:
            let members = toOne("members", person)
            band.properties.append(members)
            if form == .toOne {
                let bands = toOne("bands", band)
                pair(members, bands)
                person.properties.append(bands)
            }
        case .toManyWithoutInverse: band.properties.append(toMany("members", person))
        case .toMany, .ordered:
            let members = toMany("members", person, ordered: form == .ordered)
            let bands = toOne("bands", band)
            pair(members, bands)
            band.properties.append(members)
            person.properties.append(bands)
        case .manyToMany, .orderedManyToMany:
            let members = toMany("members", person, ordered: form == .orderedManyToMany)
            let bands = toMany("bands", band)
            pair(members, bands)
            band.properties.append(members)
            person.properties.append(bands)
        }
        return model([band, person] + added.map { entity($0, [attribute("name", .stringAttributeType)]) })
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let from: Form
        let to: Form
        var testDescription: String { "\(from) to \(to)" }
    }

    static let changes: [Change] = [
        (.toOne, .toMany), (.toOne, .ordered), (.toMany, .ordered), (.ordered, .toMany), (.toMany, .manyToMany),
        (.toMany, .orderedManyToMany), (.ordered, .orderedManyToMany), (.manyToMany, .orderedManyToMany),
        (.orderedManyToMany, .manyToMany), (.manyToMany, .manyToMany), (.ordered, .ordered),
        (.orderedManyToMany, .orderedManyToMany), (.toOneWithoutInverse, .toManyWithoutInverse),
        (.toManyWithoutInverse, .toManyWithoutInverse), (.toOne, .manyToMany),
    ].map { Change(from: $0, to: $1) }

    @Test(
        "relationships keep their contents in another form, also if all entity numbers change", arguments: changes,
        [[], ["Aaa"]])
    func relationships(_ change: Change, added: [String]) throws {
        let isToOne = [.toOne, .toOneWithoutInverse].contains(change.from)
        try migrate(bands(change.from), bands(change.to, added: added)) { context in
            let people = ["Ann", "Bob", "Cid"].map { context.make("Person", $0) }
            let band = context.make("Band", "Trio")
            context.make("Band", "Empty")
            if isToOne {
                band.setValue(people[1], forKey: "members")
            } else if [.ordered, .orderedManyToMany].contains(change.from) {
                band.setValue(NSOrderedSet(array: people.reversed()), forKey: "members")
            } else {
                band.setValue(NSSet(array: people), forKey: "members")
            }
        } checking: { context in
            let band = try context.one("Band", "Trio")
            let wasOrdered = [.ordered, .orderedManyToMany].contains(change.from)
            let isOrdered = [.ordered, .orderedManyToMany].contains(change.to)
            let expected =
                isToOne ? ["Bob"] : wasOrdered && isOrdered ? ["Cid", "Bob", "Ann"] : ["Ann", "Bob", "Cid"]
            expectEqual(band.names("members"), expected)
            try expectEqual(context.one("Band", "Empty").names("members"), [])
            let bob = try context.one("Person", "Bob")
            switch change.to {
            case .toMany, .ordered: #expect(bob.object("bands") === band)
            case .manyToMany, .orderedManyToMany: expectEqual(bob.names("bands"), ["Trio"])
            default: break
            }
            // The relationship works on.
            let dan = context.make("Person", "Dan")
            if isOrdered {
                band.mutableOrderedSetValue(forKey: "members").insert(dan, at: 0)
            } else {
                band.mutableSetValue(forKey: "members").add(dan)
            }
            try context.save()
            context.reset()
            let names = try context.one("Band", "Trio").names("members")
            expectEqual(names, (isOrdered ? ["Dan"] + expected : (expected + ["Dan"]).sorted()))
        }
    }

    @Test("a destination that gets subentities")
    func polymorphic() throws {
        func make(_ names: [String]) -> NSManagedObjectModel {
            let animals = names.map { entity($0, $0 == "Animal" ? [attribute("name", .stringAttributeType)] : []) }
            animals[0].subentities = Array(animals.dropFirst())
            let owner = entity("Owner", [attribute("name", .stringAttributeType), toOne("pet", animals[0])])
            return model(animals + [owner])
        }
        try migrate(make(["Animal"]), make(["Animal", "Cat"])) { context in
            context.make("Owner", "Ann", ["pet": context.make("Animal", "Rex")])
        } checking: { context in
            let ann = try context.one("Owner", "Ann")
            expectEqual(ann.object("pet")?.text("name"), "Rex")
            ann.setValue(context.make("Cat", "Tom"), forKey: "pet")
            try context.save()
            context.reset()
            try expectEqual(context.one("Owner", "Ann").object("pet")?.entity.name, "Cat")
        }
    }
}
