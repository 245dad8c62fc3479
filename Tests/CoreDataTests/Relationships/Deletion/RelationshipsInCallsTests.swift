import CoreData
import Testing

/// Relates itself to others when the framework calls it.
class Joiner: NSManagedObject {
    override func awakeFromInsert() {
        super.awakeFromInsert()
        if let club = managedObjectContext?.insertedObjects.first(where: { $0.entity.name == "Club" }) {
            setValue(club, forKey: "club")
        }
    }
    override func willSave() {
        super.willSave()
        if !isDeleted, object("club") == nil, let club = try? managedObjectContext?.one("Club", "late") {
            setValue(club, forKey: "club")
        }
    }
    override func prepareForDeletion() {
        super.prepareForDeletion()
        // Its place goes to its friend.
        object("friend")?.setValue(object("club"), forKey: "club")
    }
}

@Suite("Relationships set while the framework calls")
struct RelationshipsInCallsTests {
    private func makeModel() -> NSManagedObjectModel {
        let club = entity("Club")
        let joiner = entity("Joiner")
        let members = toMany("members", joiner, rule: .cascadeDeleteRule, ordered: true)
        let itsClub = toOne("club", club)
        let friend = toOne("friend", joiner)
        pair(members, itsClub)
        friend.inverseRelationship = friend
        club.properties = [attribute("name", .stringAttributeType), members]
        joiner.properties = [attribute("name", .stringAttributeType), itsClub, friend]
        joiner.managedObjectClassName = NSStringFromClass(Joiner.self)
        return model([club, joiner])
    }

    @Test("in awakeFromInsert: both sides are set at once", arguments: StoreKind.allCases)
    func awaking(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let club = stack.context.make("Club", "first")
            let joiners = ["a", "b"].map { stack.context.make("Joiner", $0) }
            expectEqual(club.ordered("members"), joiners)
            #expect(joiners[0].object("club") === club)
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("Club", "first").names("members"), ["a", "b"]) }
        }
    }

    @Test(
        "in willSave: what is set is saved, on the side of an object that wasn't changed before as well",
        arguments: StoreKind.allCases)
    func saving(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            stack.context.make("Club", "late")
            try stack.context.save()
            try inFreshContext(stack) { context in
                context.make("Joiner", "a")
                try context.save()
                try expectEqual(context.one("Club", "late").names("members"), ["a"])
                expectFalse(context.hasChanges)
            }
            try inFreshContext(stack) { context in
                try expectEqual(context.one("Club", "late").names("members"), ["a"])
                try expectEqual(context.one("Joiner", "a").object("club")?.text("name"), "late")
            }
        }
    }

    @Test(
        "in prepareForDeletion: the relationships are still there, and what is set counts",
        arguments: StoreKind.allCases)
    func deleting(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let club = stack.context.make("Club", "first")
            let joiners = ["a", "b"].map { stack.context.make("Joiner", $0) }
            joiners[0].setValue(joiners[1], forKey: "friend")
            joiners[1].setValue(nil, forKey: "club")
            stack.context.make("Club", "late")
            stack.context.delete(joiners[0])
            stack.context.processPendingChanges()
            expectEqual(club.names("members"), ["b"])
            expectEqual(joiners[1].object("friend"), nil)
            try stack.context.save()
            try inFreshContext(stack) { context in
                try expectEqual(context.names("Joiner"), ["b"])
                try expectEqual(context.one("Club", "first").names("members"), ["b"])
                context.delete(try context.one("Club", "first"))
                try context.save()
            }
            try inFreshContext(stack) { try expectEmpty($0.all("Joiner")) }
        }
    }
}
