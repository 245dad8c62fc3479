import CoreData
import TestSupport
import Testing

/// An inferred mapping model carries all to the new model, or the migration stops with an error.
@Suite("Lightweight migrations lose nothing silently")
struct WholeMigrationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func named(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
        entity(name, [attribute("name", .stringAttributeType)] + properties)
    }

    func renamed<Property: NSPropertyDescription>(_ property: Property, from name: String) -> Property {
        property.renamingIdentifier = name
        return property
    }

    // MARK: Relationships

    /// Two relationships without inverse, or each other's inverse.
    private func pairModel(_ isPaired: Bool, ordered: Bool = true) -> NSManagedObjectModel {
        let (band, person) = (named("Band"), named("Person"))
        let (members, home) = (toMany("members", person, ordered: ordered), toOne("home", band))
        if isPaired { pair(members, home) }
        band.properties.append(members)
        person.properties.append(home)
        return model([band, person])
    }

    private func fillPair(
        _ context: NSManagedObjectContext, members: [String: [String]], homes: [String: String]
    ) throws {
        let people = try ["Ann", "Bob", "Cid", "Dan"].map { name in
            let person = context.make("Person", name)
            try context.obtainPermanentIDs(for: [person])
            return person
        }
        func person(_ name: String) -> NSManagedObject { people.first { $0.text("name") == name }! }
        for name in ["A", "B"] {
            let band = context.make("Band", name)
            band.setValue(NSOrderedSet(array: (members[name] ?? []).map(person)), forKey: "members")
            for (member, home) in homes where home == name { person(member).setValue(band, forKey: "home") }
        }
    }

    private func pairs(_ context: NSManagedObjectContext) throws -> (
        members: [String: [String]], homes: [String: String]
    ) {
        context.reset()
        let bands = try context.all("Band").map { ($0.text("name")!, $0.names("members")) }
        let people = try context.all("Person").compactMap { person in
            person.object("home").map { (person.text("name")!, $0.text("name")!) }
        }
        return (Dictionary(uniqueKeysWithValues: bands), Dictionary(uniqueKeysWithValues: people))
    }

    @Test("two relationships become each other's inverse with the links of both", arguments: MigrationWay.allCases)
    func paired(_ way: MigrationWay) throws {
        try way.run({ pairModel(false) }, { pairModel(true) }, in: folder) { context in
            try fillPair(
                context, members: ["A": ["Cid", "Ann"], "B": []], homes: ["Ann": "A", "Bob": "A", "Dan": "B"])
        } checking: { context in
            let (members, homes) = try pairs(context)
            expectEqual(members["A"]?.prefix(2), ["Cid", "Ann"])
            expectEqual(members.mapValues { $0.sorted() }, ["A": ["Ann", "Bob", "Cid"], "B": ["Dan"]])
            expectEqual(homes, ["Ann": "A", "Bob": "A", "Cid": "A", "Dan": "B"])
        }
    }

    @Test("two relationships that contradict each other don't become inverses", arguments: MigrationWay.allCases)
    func contradicting(_ way: MigrationWay) throws {
        let error = try way.refusal({ pairModel(false) }, { pairModel(true) }, in: folder) { context in
            try fillPair(context, members: ["A": ["Cid", "Ann"]], homes: ["Ann": "B", "Cid": "A"])
        } checking: { context in
            let (members, homes) = try pairs(context)
            expectEqual(members, ["A": ["Cid", "Ann"], "B": []])
            expectEqual(homes, ["Ann": "B", "Cid": "A"])
        }
        expectEqual(error?.code, 134110)
        #expect(error?.userInfo["relationship"] as? String == "home")
        expectEqual(error?.localizedFailureReason?.contains("Person/p"), true)
    }

    @Test("a pair of inverses becomes two relationships with the same links", arguments: MigrationWay.allCases)
    func unpaired(_ way: MigrationWay) throws {
        try way.run({ pairModel(true) }, { pairModel(false) }, in: folder) { context in
            try fillPair(context, members: ["A": ["Dan", "Ann"], "B": ["Cid"]], homes: [:])
        } checking: { context in
            let (members, homes) = try pairs(context)
            expectEqual(members, ["A": ["Dan", "Ann"], "B": ["Cid"]])
            expectEqual(homes, ["Dan": "A", "Ann": "A", "Cid": "B"])
        }
    }

    /// Animals with a relationship to tags of a parent, or of each of two subentities.
    private func animals(_ inParent: Bool, _ kind: Int) -> NSManagedObjectModel {
        let tag = named("Tag")
        let animal = named("Animal")
        let (cat, dog, eel) = (entity("Cat"), entity("Dog"), entity("Eel"))
        animal.subentities = [cat, dog, eel]
        for owner in inParent ? [animal] : [cat, dog] {
            switch kind {
            case 0: owner.properties.append(toOne("tags", tag))
            case 1: owner.properties.append(toMany("tags", tag, ordered: true))
            default:
                // A name for each entity that declares the relationship.
                let tags = toMany("tags", tag)
                let inverse = toMany(inParent ? "animals" : (owner === cat ? "cats" : "dogs"), animal)
                inverse.destinationEntity = owner
                pair(tags, inverse)
                owner.properties.append(tags)
                tag.properties.append(inverse)
            }
        }
        return model([animal, cat, dog, eel, tag])
    }

    private func tags(_ context: NSManagedObjectContext) throws -> [String: [String]] {
        context.reset()
        return try Dictionary(
            uniqueKeysWithValues: context.all("Animal").compactMap { animal in
                guard let tags = animal.entity.relationshipsByName["tags"] else { return nil }
                let names = tags.isToMany ? animal.names("tags") : [animal.object("tags")?.text("name") ?? "-"]
                return (animal.text("name")!, names)
            })
    }

    @Test(
        "a relationship moves into a parent, or from a parent into subentities, with its links",
        arguments: [true, false],
        [0, 1, 2])
    func movedRelationship(_ isPulledUp: Bool, _ kind: Int) throws {
        for way in [MigrationWay.inPlace, .managedSQLite, .xml] {
            let folder = try TemporaryFolder()
            try way.run({ animals(!isPulledUp, kind) }, { animals(isPulledUp, kind) }, in: folder) { context in
                let tags = ["w", "x", "y", "z"].map { context.make("Tag", $0) }
                func set(_ entity: String, _ name: String, _ members: [NSManagedObject]) {
                    let animal = context.make(entity, name)
                    let value: Any =
                        kind == 0 ? members[0] : kind == 1 ? NSOrderedSet(array: members) : NSSet(array: members)
                    animal.setValue(value, forKey: "tags")
                }
                set("Cat", "Tom", kind == 2 ? [tags[2], tags[1]] : [tags[2], tags[0]])
                set("Dog", "Rex", kind == 2 ? [tags[2], tags[3]] : [tags[3]])
                context.make("Eel", "Ed")
                if !isPulledUp { set("Eel", "Eve", [tags[1]]) }
            } checking: { context in
                var expected =
                    kind == 0
                    ? ["Tom": ["y"], "Rex": ["z"]]
                    : kind == 1 ? ["Tom": ["y", "w"], "Rex": ["z"]] : ["Tom": ["x", "y"], "Rex": ["y", "z"]]
                if isPulledUp { expected["Ed"] = kind == 0 ? ["-"] : [] }
                let found = try tags(context)
                expectEqual(found, expected, "\(way)")
            }
        }
    }

    @Test("a relationship gets another name and an inverse at once", arguments: MigrationWay.allCases)
    func renamedWithInverse(_ way: MigrationWay) throws {
        func make(_ isNew: Bool) -> NSManagedObjectModel {
            let (car, person) = (named("Car"), named("Person"))
            guard isNew else {
                car.properties.append(toOne("driver", person))
                return model([car, person])
            }
            let (owner, cars) = (renamed(toOne("owner", person), from: "driver"), toMany("cars", car, ordered: true))
            pair(owner, cars)
            car.properties.append(owner)
            person.properties.append(cars)
            return model([car, person])
        }
        try way.run({ make(false) }, { make(true) }, in: folder) { context in
            let ann = context.make("Person", "Ann")
            context.make("Person", "Bob")
            context.make("Car", "a", ["driver": ann])
            context.make("Car", "b", ["driver": ann])
            context.make("Car", "c")
        } checking: { context in
            try expectEqual(context.one("Person", "Ann").names("cars").sorted(), ["a", "b"])
            try expectEqual(context.one("Person", "Bob").names("cars"), [])
            try expectEqual(context.one("Car", "b").object("owner")?.text("name"), "Ann")
            try expectEqual(context.one("Car", "c").object("owner"), nil)
        }
    }

    @Test(
        "a new required inverse has the links of its relationship, or an object lacks one",
        arguments: [
            MigrationWay.inPlace, .xml,
        ])
    func requiredInverse(_ way: MigrationWay) throws {
        func make(_ isNew: Bool) -> NSManagedObjectModel {
            let (band, person) = (named("Band"), named("Person"))
            let members = toMany("members", person)
            band.properties.append(members)
            if isNew {
                let home = toOne("home", band, optional: false)
                pair(members, home)
                person.properties.append(home)
            }
            return model([band, person])
        }
        for isComplete in [true, false] {
            let folder = try TemporaryFolder()
            func fill(_ context: NSManagedObjectContext) {
                let people = ["Ann", "Bob"].map { context.make("Person", $0) }
                let members = isComplete ? people : [people[0]]
                context.make("Band", "B").setValue(NSSet(array: members), forKey: "members")
            }
            if isComplete {
                try way.run({ make(false) }, { make(true) }, in: folder, filling: fill) { context in
                    try expectEqual(context.one("Person", "Bob").object("home")?.text("name"), "B")
                    try expectEqual(context.one("Band", "B").names("members"), ["Ann", "Bob"])
                }
            } else {
                let error = try way.refusal({ make(false) }, { make(true) }, in: folder, filling: fill) { context in
                    try expectEqual(context.one("Band", "B").names("members"), ["Ann"])
                }
                #expect(error != nil)
            }
        }
    }

    @Test("owners that the new model deletes don't count", arguments: MigrationWay.allCases)
    func deletedOwners(_ way: MigrationWay) throws {
        func make(_ isNew: Bool) -> NSManagedObjectModel {
            let (band, duo, person) = (named("Band"), entity("Duo"), named("Person"))
            let members = toMany("members", person, ordered: true)
            band.properties.append(members)
            if isNew {
                let home = toOne("home", band)
                pair(members, home)
                person.properties.append(home)
            } else {
                let homes = toMany("homes", band)
                pair(members, homes)
                person.properties.append(homes)
                band.subentities = [duo]
            }
            return model(isNew ? [band, person] : [band, duo, person])
        }
        try way.run({ make(false) }, { make(true) }, in: folder) { context in
            let people = ["Ann", "Bob", "Cid"].map { context.make("Person", $0) }
            context.make("Duo", "D").setValue(NSOrderedSet(array: [people[0], people[1]]), forKey: "members")
            context.make("Band", "B").setValue(NSOrderedSet(array: [people[2], people[0]]), forKey: "members")
        } checking: { context in
            try expectEqual(context.one("Band", "B").names("members"), ["Cid", "Ann"])
            try expectEqual(context.one("Person", "Ann").object("home")?.text("name"), "B")
            try expectEqual(context.one("Person", "Bob").object("home"), nil)
        }
    }

    @Test(
        "a relationship becomes its own inverse with all links, or an object has too many",
        arguments: [
            MigrationWay.inPlace, .managedSQLite, .xml,
        ])
    func ownInverse(_ way: MigrationWay) throws {
        func make(_ isNew: Bool) -> NSManagedObjectModel {
            let person = named("Person")
            let (spouse, friends) = (toOne("spouse", person), toMany("friends", person))
            if isNew {
                spouse.inverseRelationship = spouse
                friends.inverseRelationship = friends
                // An inverse alone doesn't make another version here.
                person.properties.append(attribute("note", .stringAttributeType))
            }
            person.properties += [spouse, friends]
            return model([person])
        }
        for isConsistent in [true, false] {
            let folder = try TemporaryFolder()
            func fill(_ context: NSManagedObjectContext) {
                let people = ["Ann", "Bob", "Cid", "Dan"].map { context.make("Person", $0) }
                people[0].setValue(people[1], forKey: "spouse")
                people[isConsistent ? 1 : 2].setValue(people[isConsistent ? 0 : 1], forKey: "spouse")
                people[3].setValue(people[2], forKey: "spouse")
                people[0].setValue(NSSet(array: [people[1], people[3]]), forKey: "friends")
                people[1].setValue(NSSet(array: [people[0], people[2]]), forKey: "friends")
            }
            if isConsistent {
                try way.run({ make(false) }, { make(true) }, in: folder, filling: fill) { context in
                    let spouses = try ["Ann", "Bob", "Cid", "Dan"].map {
                        try context.one("Person", $0).object("spouse")?.text("name")
                    }
                    expectEqual(spouses, ["Bob", "Ann", "Dan", "Cid"], "\(way)")
                    let friends = try ["Ann", "Bob", "Cid", "Dan"].map {
                        try context.one("Person", $0).names("friends")
                    }
                    expectEqual(friends, [["Bob", "Dan"], ["Ann", "Cid"], ["Bob"], ["Ann"]], "\(way)")
                }
            } else {
                let error = try way.refusal({ make(false) }, { make(true) }, in: folder, filling: fill) { context in
                    try expectEqual(context.one("Person", "Cid").object("spouse")?.text("name"), "Bob")
                }
                expectEqual(error?.code, 134110, "\(way)")
                #expect(error?.userInfo["relationship"] as? String == "spouse", "\(way)")
            }
        }
    }

    // MARK: Entities

    @Test(
        "an entity that becomes abstract has no objects, or the migration names one", arguments: MigrationWay.allCases)
    func becomesAbstract(_ way: MigrationWay) throws {
        func make(_ isAbstract: Bool) -> NSManagedObjectModel {
            let (animal, cat) = (named("Animal"), entity("Cat"))
            animal.subentities = [cat]
            animal.isAbstract = isAbstract
            return model([animal, cat])
        }
        for hasObject in [true, false] {
            let folder = try TemporaryFolder()
            func fill(_ context: NSManagedObjectContext) {
                context.make("Cat", "Tom")
                if hasObject { context.make("Animal", "Eel") }
            }
            if hasObject {
                let error = try way.refusal({ make(false) }, { make(true) }, in: folder, filling: fill) {
                    try expectEqual($0.names("Animal"), ["Eel", "Tom"])
                }
                expectEqual(error?.code, 134110)
                expectEqual(error?.localizedFailureReason?.contains("Animal/p"), true)
            } else {
                try way.run({ make(false) }, { make(true) }, in: folder, filling: fill) {
                    try expectEqual($0.names("Animal"), ["Tom"])
                }
            }
        }
    }

    @Test("two entities that share a renaming identifier with one of the old model aren't inferred")
    func ambiguousEntities() throws {
        let old = model([named("Song")])
        let (song, track) = (named("Song"), named("Track"))
        track.renamingIdentifier = "Song"
        let error = thrownError {
            _ = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: model([song, track]))
        }
        expectEqual(error?.code, 134190)
        #expect(error?.userInfo["entity"] as? String == "Song")
        // A new entity says that it is one.
        let new = named("Song")
        new.renamingIdentifier = "Song 2"
        let other = named("Track")
        other.renamingIdentifier = "Song"
        _ = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: model([new, other]))
    }
}
