import CoreData
import Testing

/// Notes what the framework calls.
class Diary: NSManagedObject {
    var calls: [String] = []

    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        calls.append("awakeFromInsert")
        setPrimitiveValue("born", forKey: "state")
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        calls.append("awakeFromFetch")
    }
    override func willSave() {
        super.willSave()
        calls.append("willSave")
    }
    override func didSave() {
        super.didSave()
        calls.append("didSave")
    }
    override func prepareForDeletion() {
        super.prepareForDeletion()
        calls.append("prepareForDeletion")
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        calls.append("willTurnIntoFault")
    }
    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        calls.append("didTurnIntoFault")
    }
    override func validateForInsert() throws {
        try super.validateForInsert()
        calls.append("validateForInsert")
    }
    override func validateForUpdate() throws {
        try super.validateForUpdate()
        calls.append("validateForUpdate")
        if name == "refused" { throw NSError(domain: "Diary", code: 7) }
    }
    override func validateForDelete() throws {
        try super.validateForDelete()
        calls.append("validateForDelete")
    }
}

/// Sets a time when it is saved.
final class StampedDiary: Diary {
    override func willSave() {
        super.willSave()
        if !isDeleted && text("state") != "stamped" { setValue("stamped", forKey: "state") }
    }
}

@Suite("Subclasses and their life cycle")
struct LifeCycleTests {
    static func makeModel() -> NSManagedObjectModel {
        let diary = entity(
            "Diary", [attribute("name", .stringAttributeType), attribute("state", .stringAttributeType)])
        let stamped = entity("Stamped")
        diary.subentities = [stamped]
        diary.managedObjectClassName = NSStringFromClass(Diary.self)
        stamped.managedObjectClassName = NSStringFromClass(StampedDiary.self)
        return model([diary, stamped])
    }

    private func withDiary(_ kind: StoreKind, _ body: (TestStack, Diary) throws -> Void) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let diary = try requireValue(
                NSEntityDescription.insertNewObject(forEntityName: "Diary", into: stack.context) as? Diary)
            try body(stack, diary)
        }
    }

    @Test("objects have the class that the model names, by every way of getting them", arguments: StoreKind.allCases)
    func classes(_ kind: StoreKind) throws {
        try withDiary(kind) { stack, diary in
            diary.name = "a"
            let stamped = StampedDiary(context: stack.context)
            stamped.name = "b"
            expectEqual(stamped.entity.name, "Stamped")
            expectEqual(Diary(context: stack.context).entity.name, "Diary")
            try stack.context.save()
            try inFreshContext(stack) { context in
                let request = NSFetchRequest<Diary>(entityName: "Diary")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                request.predicate = NSPredicate(format: "name != nil")
                let found = try context.fetch(request)
                expectEqual(found.map(\.name), ["a", "b"])
                #expect(type(of: found[0]) == Diary.self)
                #expect(type(of: found[1]) == StampedDiary.self)
            }
        }
    }

    @Test("a new object awakes once, with its defaults", arguments: StoreKind.allCases)
    func inserted(_ kind: StoreKind) throws {
        try withDiary(kind) { stack, diary in
            expectEqual(diary.calls, ["awakeFromInsert"])
            expectEqual(diary.text("state"), "born")
            try stack.context.save()
            expectEqual(diary.calls, ["awakeFromInsert", "willSave", "validateForInsert", "didSave"])
            try inFreshContext(stack) { try expectEqual($0.all("Diary").first?.text("state"), "born") }
        }
    }

    @Test("an update is announced, validated and told", arguments: StoreKind.allCases)
    func updated(_ kind: StoreKind) throws {
        try withDiary(kind) { stack, diary in
            try stack.context.save()
            diary.calls = []
            diary.name = "x"
            try stack.context.save()
            expectEqual(diary.calls, ["willSave", "validateForUpdate", "didSave"])
        }
    }

    @Test("a deletion is prepared, validated and told", arguments: StoreKind.allCases)
    func deleted(_ kind: StoreKind) throws {
        try withDiary(kind) { stack, diary in
            try stack.context.save()
            diary.calls = []
            stack.context.delete(diary)
            expectEqual(diary.calls, ["prepareForDeletion"])
            try stack.context.save()
            expectEqual(diary.calls, ["prepareForDeletion", "willSave", "validateForDelete", "didSave"])
        }
    }

    @Test("each deletion of an object is prepared, the second too", arguments: StoreKind.allCases)
    func deletedTwice(_ kind: StoreKind) throws {
        try withDiary(kind) { stack, diary in
            try stack.context.save()
            diary.calls = []
            stack.context.delete(diary)
            stack.context.delete(diary)
            expectEqual(diary.calls, ["prepareForDeletion", "prepareForDeletion"])
            expectEqual(stack.context.deletedObjects, [diary])
        }
    }

    @Test("a fetched object awakes when its fault fires, and again after a refresh", arguments: StoreKind.allCases)
    func fetched(_ kind: StoreKind) throws {
        try withDiary(kind) { stack, diary in
            diary.name = "x"
            try stack.context.save()
            try inFreshContext(stack) { context in
                let diary = try requireValue(try context.all("Diary").first as? Diary)
                expectEmpty(diary.calls)
                _ = diary.name
                expectEqual(diary.calls, ["awakeFromFetch"])
                context.refresh(diary, mergeChanges: false)
                expectEqual(diary.calls, ["awakeFromFetch", "willTurnIntoFault", "didTurnIntoFault"])
                expectEqual(diary.name, "x")
                expectEqual(diary.calls.last, "awakeFromFetch")
            }
        }
    }

    @Test("what willSave changes is saved with it", arguments: StoreKind.allCases)
    func changingInWillSave(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let diary = StampedDiary(context: stack.context)
            try stack.context.save()
            expectFalse(diary.hasChanges)
            expectEqual(diary.text("state"), "stamped")
            diary.setValue("other", forKey: "state")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.all("Diary").first?.text("state"), "stamped") }
        }
    }

    @Test("an error of a subclass's own stops the save", arguments: StoreKind.allCases)
    func ownValidation(_ kind: StoreKind) throws {
        try withDiary(kind) { stack, diary in
            try stack.context.save()
            diary.name = "refused"
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.domain, "Diary")
            expectEqual(error?.code, 7)
            expectTrue(diary.isUpdated)
        }
    }
}
