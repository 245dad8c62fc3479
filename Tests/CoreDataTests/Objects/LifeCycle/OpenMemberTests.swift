import CoreData
import Testing

/// Overrides the members that Apple declares in the class: the file compiles only while they are open.
final class OpenMembers: NSManagedObject {
    nonisolated(unsafe) static var calls: [String] = []

    private func record(_ call: String) { Self.calls.append(call) }

    override func value(forKey key: String) -> Any? {
        record("value \(key)")
        return super.value(forKey: key)
    }
    override func setValue(_ value: Any?, forKey key: String) {
        record("setValue \(key)")
        super.setValue(value, forKey: key)
    }
    override func primitiveValue(forKey key: String) -> Any? {
        record("primitiveValue \(key)")
        return super.primitiveValue(forKey: key)
    }
    override func setPrimitiveValue(_ value: Any?, forKey key: String) {
        record("setPrimitiveValue \(key)")
        super.setPrimitiveValue(value, forKey: key)
    }
    override func willAccessValue(forKey key: String?) {
        record("willAccess \(key ?? "nil")")
        super.willAccessValue(forKey: key)
    }
    override func didAccessValue(forKey key: String?) {
        super.didAccessValue(forKey: key)
        record("didAccess \(key ?? "nil")")
    }
    override func willChangeValue(forKey key: String) {
        record("willChange \(key)")
        super.willChangeValue(forKey: key)
    }
    override func didChangeValue(forKey key: String) {
        super.didChangeValue(forKey: key)
        record("didChange \(key)")
    }
    override func willChangeValue(
        forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        record("willChangeSet \(key)")
        super.willChangeValue(forKey: key, withSetMutation: kind, using: objects)
    }
    override func didChangeValue(
        forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        super.didChangeValue(forKey: key, withSetMutation: kind, using: objects)
        record("didChangeSet \(key)")
    }
    override func changedValues() -> [String: Any] { super.changedValues().merging(["extra": 1]) { one, _ in one } }
    override func changedValuesForCurrentEvent() -> [String: Any] {
        super.changedValuesForCurrentEvent().merging(["extra": 2]) { one, _ in one }
    }
    override func committedValues(forKeys keys: [String]?) -> [String: Any] {
        super.committedValues(forKeys: keys).merging(["extra": 3]) { one, _ in one }
    }
    override func hasFault(forRelationshipNamed key: String) -> Bool { !super.hasFault(forRelationshipNamed: key) }
    override func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        super.objectIDs(forRelationshipNamed: key) + [objectID]
    }
    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        record("validate \(key)")
        try super.validateValue(value, forKey: key)
    }
    override func validateForInsert() throws {
        record("validateForInsert")
        try super.validateForInsert()
    }
    override func validateForUpdate() throws {
        record("validateForUpdate")
        try super.validateForUpdate()
    }
    override func validateForDelete() throws {
        record("validateForDelete")
        try super.validateForDelete()
    }
    override func prepareForDeletion() {
        record("prepareForDeletion")
        super.prepareForDeletion()
    }
    override func awakeFromInsert() {
        super.awakeFromInsert()
        record("awakeFromInsert")
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        record("awakeFromFetch")
    }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        record("awake \(flags.rawValue)")
    }
    override func willSave() {
        super.willSave()
        record("willSave")
    }
    override func didSave() {
        super.didSave()
        record("didSave")
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        record("willTurnIntoFault")
    }
    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        record("didTurnIntoFault")
    }
    override var hasChanges: Bool { super.hasChanges }
    override var faultingState: Int { super.faultingState }
    override var hasPersistentChangedValues: Bool { super.hasPersistentChangedValues }
    override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }
    override class func entity() -> NSEntityDescription { super.entity() }

    static func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    /// The calls without the calls for single properties.
    static func takeCallsOfObject() -> [String] { takeCalls().filter { !$0.hasPrefix("validate ") } }
}

@Suite("Members that subclasses override", .serialized)
struct OpenMemberTests {
    private static func makeModel() -> NSManagedObjectModel {
        let item = entity("Item", [attribute("name", .stringAttributeType)])
        item.properties.append(toMany("parts", item))
        item.managedObjectClassName = NSStringFromClass(OpenMembers.self)
        return model([item])
    }

    @Test(
        "the framework calls the overrides in the life of an object",
        arguments: StoreKind.allCases.without(.valuesReadByKey))
    func life(_ kind: StoreKind) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            _ = OpenMembers.takeCalls()
            let object = OpenMembers(context: stack.context)
            expectEqual(OpenMembers.takeCalls(), ["awakeFromInsert"])
            try stack.context.save()
            expectEqual(OpenMembers.takeCallsOfObject(), ["willSave", "validateForInsert", "didSave"])
            object.setValue("a", forKeyPath: "name")
            #expect(object.value(forKeyPath: "name") as? String == "a")
            expectEqual(OpenMembers.takeCalls(), ["setValue name", "value name"])
            try stack.context.save()
            expectEqual(OpenMembers.takeCallsOfObject(), ["willSave", "validateForUpdate", "didSave"])
            stack.context.refresh(object, mergeChanges: false)
            expectEqual(OpenMembers.takeCalls(), ["willTurnIntoFault", "didTurnIntoFault"])
            _ = object.value(forKey: "name")
            expectEqual(OpenMembers.takeCalls(), ["value name", "awakeFromFetch"])
            stack.context.delete(object)
            expectEqual(OpenMembers.takeCalls(), ["prepareForDeletion"])
            try stack.context.save()
            expectEqual(OpenMembers.takeCallsOfObject(), ["willSave", "validateForDelete", "didSave"])
        }
    }

    @Test("validation calls the override of validateValue(_:forKey:) for each property")
    func validation() throws {
        try withStack(.memory, model: Self.makeModel()) { stack in
            let object = OpenMembers(context: stack.context)
            object.setValue("a", forKey: "name")
            _ = OpenMembers.takeCalls()
            try stack.context.save()
            let calls = OpenMembers.takeCalls()
            expectEqual(calls.filter { $0 == "validate name" }.count, 1)
            expectEqual(calls.filter { $0 == "validate parts" }.count, 1)
        }
    }

    @Test("overrides of the descriptions of changes are what callers get, and super gives them Core Data's result")
    func changes() throws {
        try withStack(.memory, model: Self.makeModel()) { stack in
            let object = OpenMembers(context: stack.context)
            try stack.context.save()
            object.setValue("a", forKey: "name")
            let plain: NSManagedObject = object
            expectEqual(plain.changedValues().keys.sorted(), ["extra", "name"])
            expectEqual(plain.changedValuesForCurrentEvent().keys.sorted(), ["extra", "name"])
            expectEqual(plain.committedValues(forKeys: ["name"]).keys.sorted(), ["extra", "name"])
            expectEqual(plain.objectIDs(forRelationshipNamed: "parts"), [object.objectID])
            // The override negates: the contents of a relationship that was read are no fault.
            _ = plain.value(forKey: "parts")
            expectTrue(plain.hasFault(forRelationshipNamed: "parts"))
        }
    }

    @Test("a custom accessor reaches the overrides of primitive values and of notices")
    func primitives() throws {
        try withStack(.memory, model: Self.makeModel()) { stack in
            let object: NSManagedObject = OpenMembers(context: stack.context)
            _ = OpenMembers.takeCalls()
            object.willChangeValue(forKey: "name")
            object.setPrimitiveValue("a", forKey: "name")
            object.didChangeValue(forKey: "name")
            object.willAccessValue(forKey: "name")
            #expect(object.primitiveValue(forKey: "name") as? String == "a")
            object.didAccessValue(forKey: "name")
            expectEqual(
                OpenMembers.takeCalls(),
                [
                    "willChange name", "setPrimitiveValue name", "didChange name", "willAccess name",
                    "primitiveValue name", "didAccess name",
                ])
            object.willChangeValue(forKey: "parts", withSetMutation: .union, using: [])
            object.didChangeValue(forKey: "parts", withSetMutation: .union, using: [])
            expectEqual(
                OpenMembers.takeCalls(),
                [
                    "willChangeSet parts", "willChange parts", "didChange parts", "didChangeSet parts",
                ])
        }
    }
}
