import CoreData
import Testing

/// A class as in Apple's guides: a transient value computed of a stored one, kept until that changes; a stored one
/// behind another type.
final class Temperature: NSManagedObject {
    var computed = 0

    var celsius: Double {
        get {
            willAccessValue(forKey: "celsius")
            defer { didAccessValue(forKey: "celsius") }
            return (primitiveValue(forKey: "celsius") as? NSNumber)?.doubleValue ?? 0
        }
        set {
            willChangeValue(forKey: "celsius")
            setPrimitiveValue(newValue, forKey: "celsius")
            setPrimitiveValue(nil, forKey: "text")
            didChangeValue(forKey: "celsius")
        }
    }

    var text: String {
        willAccessValue(forKey: "text")
        var text = primitiveValue(forKey: "text") as? String
        didAccessValue(forKey: "text")
        if text == nil {
            computed += 1
            text = "\(celsius) °C"
            setPrimitiveValue(text, forKey: "text")
        }
        return text!
    }

    /// The work of a primitive accessor of Xcode's templates.
    var primitiveCelsius: NSNumber? {
        get { primitiveValue(forKey: "celsius") as? NSNumber }
        set { setPrimitiveValue(newValue, forKey: "celsius") }
    }
}

@Suite("Transient attributes and primitive values")
struct TransientTests {
    private func makeModel() -> NSManagedObjectModel {
        let text = attribute("text", .stringAttributeType)
        let anything = attribute("anything", .undefinedAttributeType)
        text.isTransient = true
        anything.isTransient = true
        let entity = entity(
            "Temperature",
            [attribute("name", .stringAttributeType), attribute("celsius", .doubleAttributeType), text, anything])
        entity.managedObjectClassName = NSStringFromClass(Temperature.self)
        return model([entity])
    }

    @Test(
        "a fault has the default value of a required transient attribute, and can be saved",
        arguments: StoreKind.everyKind, ["cached", "fetched"])
    func defaultOfFault(_ kind: StoreKind, _ source: String) throws {
        let state = attribute("state", .stringAttributeType, defaultValue: "new")
        state.isTransient = true
        state.isOptional = false
        let stack = try TestStack(
            kind, model: model([entity("Task", [attribute("name", .stringAttributeType), state])]))
        var id: NSManagedObjectID?
        try on(stack.context) {
            let task = stack.context.make("Task", "A")
            task.setValue("done", forKey: "state")
            try stack.context.save()
            id = task.objectID
        }
        let context = source == "cached" ? stack.newContext() : try stack.afresh()
        try on(context) {
            let coordinator = try requireValue(context.persistentStoreCoordinator)
            let url = try requireValue(id).uriRepresentation()
            let task = context.object(with: try requireValue(coordinator.managedObjectID(forURIRepresentation: url)))
            expectEqual(task.text("state"), "new")
            task.setValue("B", forKey: "name")
            try context.save()
            context.refresh(task, mergeChanges: false)
            expectEqual(task.text("state"), "new")
            expectEqual(task.text("name"), "B")
        }
    }

    @Test("a value computed at the first access is kept until what it comes of changes", arguments: StoreKind.everyKind)
    func cached(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let value = Temperature(context: stack.context)
            value.celsius = 20
            expectEqual(value.text, "20.0 °C")
            expectEqual(value.text, "20.0 °C")
            expectEqual(value.computed, 1)
            try stack.context.save()
            expectEqual(value.text, "20.0 °C")
            expectEqual(value.computed, 1)
            value.celsius = 21
            expectEqual(value.text, "21.0 °C")
            expectEqual(value.computed, 2)
            expectTrue(value.hasChanges)
            try stack.context.save()
            try inFreshContext(stack) { context in
                let found = try requireValue(try context.all("Temperature").first as? Temperature)
                #expect(found.primitiveValue(forKey: "text") == nil)
                expectEqual(found.text, "21.0 °C")
                expectFalse(found.hasChanges)
            }
        }
    }

    @Test(
        "setting a primitive value marks nothing as changed, and is saved with other changes",
        arguments: StoreKind.everyKind)
    func primitives(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let value = Temperature(context: stack.context)
            value.celsius = 1
            try stack.context.save()
            value.primitiveCelsius = 5
            expectEqual(value.primitiveCelsius, 5)
            expectEqual(value.celsius, 5)
            expectFalse(value.hasChanges)
            expectFalse(stack.context.hasChanges)
            value.setValue("n", forKey: "name")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual(($0.all("Temperature").first as? Temperature)?.celsius, 5) }
        }
    }

    @Test("a change of a transient value makes the object dirty, but nothing to write", arguments: StoreKind.everyKind)
    func dirty(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let value = Temperature(context: stack.context)
            try stack.context.save()
            value.setValue("warm", forKey: "text")
            expectTrue(value.hasChanges)
            expectFalse(value.hasPersistentChangedValues)
            expectEmpty(value.changedValues())
            try stack.context.save()
            expectFalse(value.hasChanges)
            #expect(value.value(forKey: "text") as? String == "warm")
        }
    }

    @Test("an undefined attribute holds any value, as long as the object has it", arguments: StoreKind.everyKind)
    func undefined(_ kind: StoreKind) throws {
        try withStack(kind, model: makeModel()) { stack in
            let value = Temperature(context: stack.context)
            let held = NSMutableArray(object: "x")
            value.setValue(held, forKey: "anything")
            try stack.context.save()
            let isSame = value.value(forKey: "anything") as? NSMutableArray === held
            expectTrue(isSame)
            try inFreshContext(stack) { try #expect($0.all("Temperature").first?.value(forKey: "anything") == nil) }
        }
    }

    @Test("a refresh that keeps changes keeps transient values; one that doesn't forgets them")
    func refreshed() throws {
        try withStack(.sqlite, model: makeModel()) { stack in
            let value = Temperature(context: stack.context)
            value.celsius = 3
            try stack.context.save()
            value.setValue("warm", forKey: "text")
            stack.context.refresh(value, mergeChanges: false)
            #expect(value.value(forKey: "text") == nil)
            expectFalse(value.hasChanges)
        }
    }
}
