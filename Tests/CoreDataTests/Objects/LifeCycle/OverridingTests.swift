import CoreData
import Testing

/// Overrides nothing that is called in a life.
class OverridesNothing: NSManagedObject {
    var calls: [String] = []
}

/// Overrides half of what may be overridden.
class OverridesHalf: OverridesNothing {
    override func awakeFromInsert() {
        super.awakeFromInsert()
        calls.append("middle awakeFromInsert")
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        calls.append("middle awakeFromFetch")
    }
    override func willSave() {
        super.willSave()
        calls.append("middle willSave")
    }
    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try super.validateValue(value, forKey: key)
        calls.append("middle validate \(key)")
    }
}

/// Inherits one half and overrides the other.
final class OverridesRest: OverridesHalf {
    override func didSave() {
        super.didSave()
        calls.append("top didSave")
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        calls.append("top willTurnIntoFault")
    }
    override func willSave() {
        super.willSave()
        calls.append("top willSave")
    }
}

/// Inherits everything.
final class InheritsHalf: OverridesHalf {}

@Suite("Overrides in subclasses of subclasses")
struct OverridingTests {
    private func life(of type: NSManagedObject.Type, _ kind: StoreKind) throws -> [String] {
        let item = entity("Item", [attribute("name", .stringAttributeType)])
        item.managedObjectClassName = NSStringFromClass(type)
        var calls: [String] = []
        try withStack(kind, model: model([item])) { stack in
            let object = try requireValue(stack.context.make("Item", "i") as? OverridesNothing)
            try stack.context.save()
            stack.context.refresh(object, mergeChanges: false)
            _ = object.text("name")
            calls = object.calls
        }
        return calls
    }

    @Test("a class that overrides nothing", arguments: StoreKind.allCases)
    func bottom(_ kind: StoreKind) throws { try expectEqual(life(of: OverridesNothing.self, kind), []) }

    @Test("a class between", arguments: StoreKind.allCases)
    func middle(_ kind: StoreKind) throws {
        let calls = ["middle awakeFromInsert", "middle willSave", "middle validate name", "middle awakeFromFetch"]
        try expectEqual(life(of: OverridesHalf.self, kind), calls)
        try expectEqual(life(of: InheritsHalf.self, kind), calls)
    }

    @Test("a class that overrides and inherits", arguments: StoreKind.allCases)
    func top(_ kind: StoreKind) throws {
        try expectEqual(
            life(of: OverridesRest.self, kind),
            [
                "middle awakeFromInsert", "middle willSave", "top willSave", "middle validate name", "top didSave",
                "top willTurnIntoFault", "middle awakeFromFetch",
            ])
    }
}
