import CoreData

/// A hierarchy of three levels whose entities have different values in the same places, and an entity beside it.
enum PetModel {
    static func make() -> NSManagedObjectModel {
        let pet = entity("Pet", [attribute("name", .stringAttributeType)])
        pet.isAbstract = false
        let cat = entity(
            "Cat", [attribute("lives", .integer64AttributeType), attribute("claws", .stringAttributeType)])
        let dog = entity(
            "Dog", [attribute("trick", .stringAttributeType), attribute("weight", .doubleAttributeType)])
        let puppy = entity(
            "Puppy", [attribute("toys", .binaryDataAttributeType), attribute("age", .integer16AttributeType)])
        let owner = entity("Owner", [attribute("name", .stringAttributeType)])
        pet.subentities = [cat, dog]
        dog.subentities = [puppy]
        let favourite = toOne("favourite", pet)
        let admirers = toMany("admirers", owner)
        pair(favourite, admirers)
        let pets = toMany("pets", pet)
        let ownerOfPet = toOne("owner", owner)
        pair(pets, ownerOfPet)
        let ranked = toMany("ranked", pet, ordered: true)
        let judges = toMany("judges", owner)
        pair(ranked, judges)
        let friends = toMany("friends", dog)
        let friendly = toMany("friendly", cat)
        pair(friends, friendly)
        owner.properties += [favourite, pets, ranked, toMany("seen", pet), toOne("remembered", pet)]
        pet.properties += [admirers, ownerOfPet, judges]
        cat.properties += [friends]
        dog.properties += [friendly]
        return model([pet, cat, dog, puppy, owner])
    }

    /// Makes an object of each entity, related to one another.
    static func fill(_ context: NSManagedObjectContext) throws {
        let tom = context.make("Cat", "Tom", ["lives": 9, "claws": "sharp claws, all of them"])
        let rex = context.make("Dog", "Rex", ["trick": "rolls over when he is asked", "weight": 30.5])
        let bob = context.make(
            "Puppy", "Bob", ["trick": "none so far, but he learns", "weight": 3.5, "toys": Data([1, 2, 3]), "age": 1])
        let ann = context.make("Owner", "Ann")
        let pat = context.make("Pet", "Pat")
        ann.setValue(tom, forKey: "favourite")
        ann.setValue(Set([tom, rex]), forKey: "pets")
        ann.setValue(NSOrderedSet(array: [bob, tom, rex]), forKey: "ranked")
        ann.setValue(Set([rex, pat]), forKey: "seen")
        ann.setValue(bob, forKey: "remembered")
        tom.setValue(Set([rex, bob]), forKey: "friends")
        try context.save()
    }

    /// The entities and values of all objects, a line each, without relationships.
    static func values(_ context: NSManagedObjectContext) throws -> [String] {
        try (context.all("Pet") + context.all("Owner")).map { object in
            let values = object.entity.attributesByName.keys.sorted().map { key in
                "\(key)=\(object.value(forKey: key).map { "\($0)" } ?? "nil")"
            }
            return "\(object.entity.name ?? ""): \(values.joined(separator: ", "))"
        }.sorted()
    }
}

extension NSPersistentStoreCoordinator {
    /// The ID of an object under the name of another entity.
    func id(_ id: NSManagedObjectID, named name: String) throws -> NSManagedObjectID {
        var parts = id.uriRepresentation().absoluteString.components(separatedBy: "/")
        parts[3] = name
        guard let uri = URL(string: parts.joined(separator: "/")),
            let other = managedObjectID(forURIRepresentation: uri)
        else { throw TestFailure("\(id) can't be named \(name)") }
        return other
    }
}
