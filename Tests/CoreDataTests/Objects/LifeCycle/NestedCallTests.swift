import CoreData
import Testing

/// Calls what the test wants whenever the context calls the object.
class CallingObject: NSManagedObject {
    /// The actions of the objects of one context, by the method that calls them.
    final class Actions {
        var onFetch: ((CallingObject) -> Void)?
        var onFault: ((CallingObject) -> Void)?
        /// How often an object has called its action.
        var count = 0
    }

    private var actions: Actions? { managedObjectContext?.userInfo["actions"] as? Actions }

    private func call(_ action: ((CallingObject) -> Void)?) {
        guard let action else { return }
        actions?.count += 1
        action(self)
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        call(actions?.onFetch)
    }

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        call(actions?.onFault)
    }
}

/// Calls the context of a test while values are encoded or decoded.
final class CallingTransformer: ValueTransformer {
    static let name = NSValueTransformerName("CallingTransformer")
    /// The calls when a value is encoded in the course of a test, and when one is decoded.
    @TaskLocal static var onEncoding: (@Sendable () -> Void)?
    @TaskLocal static var onDecoding: (@Sendable () -> Void)?

    override func transformedValue(_ value: Any?) -> Any? {
        Self.onEncoding?()
        return (value as? String).map { Data($0.utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        Self.onDecoding?()
        return (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The context calls the program, which calls the context.
@Suite("Calls of the context within its own calls")
struct NestedCallTests {
    enum Action: String, CaseIterable {
        case refresh, refreshAll, reset, rollback, undo, delete

        func run(_ object: NSManagedObject) {
            guard let context = object.managedObjectContext else { return }
            switch self {
            case .refresh: context.refresh(object, mergeChanges: false)
            case .refreshAll: context.refreshAllObjects()
            case .reset: context.reset()
            case .rollback: context.rollback()
            case .undo where context.undoManager?.isUndoing != true: context.undo()
            case .undo: break
            case .delete: context.delete(object)
            }
        }
    }

    static func makeModel() -> NSManagedObjectModel {
        ValueTransformer.setValueTransformer(CallingTransformer(), forName: CallingTransformer.name)
        let node = entity("Node")
        let leaf = entity("Leaf")
        for entity in [node, leaf] { entity.managedObjectClassName = NSStringFromClass(CallingObject.self) }
        let children = toMany("children", leaf, ordered: true)
        let parent = toOne("parent", node)
        pair(children, parent)
        let friends = toMany("friends", node)
        friends.inverseRelationship = friends
        let thing = attribute("thing", .transformableAttributeType)
        thing.valueTransformerName = CallingTransformer.name.rawValue
        node.properties = [
            attribute("name", .stringAttributeType), attribute("text", .stringAttributeType), thing,
            attribute("end", .stringAttributeType), children, friends,
        ]
        leaf.properties = [attribute("name", .stringAttributeType), parent]
        return model([node, leaf])
    }

    static let text = "a text that is too long to be stored in its reference"

    /// A stack with a saved node, its two children and a friend, all of them faults.
    private func stored(
        _ kind: StoreKind,
        _ body: (NSManagedObjectContext, CallingObject.Actions, NSManagedObject, [NSManagedObject]) throws -> Void
    ) throws {
        try withStack(kind, model: Self.makeModel()) { stack in
            let context = stack.context
            let actions = CallingObject.Actions()
            let node = context.make("Node", "n", ["text": Self.text, "end": Self.text])
            let children = ["c", "d"].map { context.make("Leaf", $0, ["parent": node]) }
            node.mutableSetValue(forKey: "friends").add(context.make("Node", "f", ["text": Self.text]))
            try context.save()
            context.undoManager = UndoManager()
            context.refreshAllObjects()
            context.userInfo["actions"] = actions
            defer { context.userInfo.removeAllObjects() }
            try body(context, actions, node, children)
        }
    }

    @Test(
        "a value that is set is there, whatever the object does to itself when the write fires its fault",
        arguments: StoreKind.allCases, Action.allCases)
    func writing(_ kind: StoreKind, _ action: Action) throws {
        try stored(kind) { context, actions, node, _ in
            actions.onFetch = { object in
                if object === node { action.run(object) }
            }
            node.setValue("new", forKey: "name")
            expectEqual(node.text("name"), "new")
            expectEqual(node.text("text"), Self.text)
            expectEqual(actions.count, 1)
            actions.onFetch = nil
            context.rollback()
            if action != .reset { try checkInvariants(of: context) }
            try expectEqual(context.one("Node", "n").text("text"), Self.text)
        }
    }

    @Test(
        "a value that is read is that of the row, whatever the object does to itself when it awakes",
        arguments: StoreKind.allCases, Action.allCases)
    func reading(_ kind: StoreKind, _ action: Action) throws {
        try stored(kind) { context, actions, node, _ in
            actions.onFetch = { action.run($0) }
            expectEqual(node.text("text"), Self.text)
            expectEqual(node.text("name"), "n")
        }
    }

    @Test("an object that reads itself after it has become a fault while it awakes doesn't awake once more")
    func recursion() throws {
        try stored(.sqlite) { context, actions, node, _ in
            actions.onFetch = { object in
                context.refresh(object, mergeChanges: false)
                expectEqual(object.text("text"), (object === node ? Self.text : nil))
            }
            expectEqual(node.text("text"), Self.text)
            expectEqual(actions.count, 1)
            context.refresh(node, mergeChanges: false)
            expectEqual(node.text("text"), Self.text)
            expectEqual(actions.count, 2)
        }
    }

    @Test(
        "an ordered relationship is replaced, whatever its members do when they awake",
        arguments: StoreKind.allCases, Action.allCases)
    func replacing(_ kind: StoreKind, _ action: Action) throws {
        try stored(kind) { context, actions, node, children in
            let others = ["x", "y", "z"].map { context.make("Leaf", $0) }
            try context.save()
            context.refreshAllObjects()
            node.setValue("changed", forKey: "name")
            let list = node.mutableOrderedSetValue(forKey: "children")
            expectEqual(list.count, 2)
            actions.onFetch = { action.run($0) }
            list.replaceObjects(at: IndexSet([0, 1]), with: others)
            node.setValue(NSOrderedSet(array: children + others), forKey: "children")
            list.removeObject(at: 0)
            list.insert(children[0], at: list.count)
            list.exchangeObject(at: 0, withObjectAt: list.count - 1)
            actions.onFetch = nil
            expectEqual(list.array.count, node.ordered("children").count)
            context.rollback()
            if action != .reset { try checkInvariants(of: context) }
        }
    }

    @Test("an observer of a save resets the context at once", arguments: StoreKind.allCases)
    func resetAfterSave(_ kind: StoreKind) throws {
        try stored(kind) { context, _, node, _ in
            nonisolated(unsafe) let saved = (context: context, node: node)
            let isReset = LockedValue(false)
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { _ in
                saved.context.reset()
                isReset.withLock { $0 = saved.node.managedObjectContext == nil }
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            node.setValue("new", forKey: "name")
            try context.save()
            #expect(isReset.withLock { $0 })
        }
    }

    @Test("an object that turns into a fault may do anything to itself", arguments: StoreKind.allCases, Action.allCases)
    func turningIntoFault(_ kind: StoreKind, _ action: Action) throws {
        try stored(kind) { context, actions, node, _ in
            expectEqual(node.text("text"), Self.text)
            node.setValue("new", forKey: "name")
            actions.onFault = { action.run($0) }
            context.refresh(node, mergeChanges: false)
            actions.onFault = nil
            context.rollback()
            expectEqual(node.text("text"), Self.text)
            if action != .reset { try checkInvariants(of: context) }
        }
    }

    /// The objects that a value transformer acts on. One thread uses it.
    private final class Target: @unchecked Sendable {
        let objects: [NSManagedObject]
        private var isActing = false

        init(_ objects: NSManagedObject...) { self.objects = objects }

        /// Runs an action on the objects, unless one is under way: the transformer is called within it, too.
        func run(_ action: Action) {
            if isActing { return }
            isActing = true
            defer { isActing = false }
            for object in objects { action.run(object) }
        }
    }

    @Test(
        "a value transformer may do anything to the object that is saved, before anything is written",
        arguments: StoreKind.everyKind, Action.allCases)
    func transforming(_ kind: StoreKind, _ action: Action) throws {
        try stored(kind) { context, _, node, _ in
            node.setValuesForKeys(["name": "new", "text": Self.text + "!", "thing": "value", "end": Self.text + "?"])
            let new = context.make("Node", "new", ["text": Self.text, "thing": "other", "end": Self.text])
            let target = Target(node, new)
            CallingTransformer.$onEncoding.withValue({ target.run(action) }) {
                // A transformer that changes the objects each time ends the save with an error.
                do { try context.save() } catch { expectEqual((error as NSError).code, NSCoreDataError) }
            }
            // A refresh has made the new object a fault.
            for object in [node, new] { _ = object.text("name") }
            if action != .reset { try checkInvariants(of: context) }
            context.reset()
            // Each object was written whole, or not at all.
            for node in try context.all("Node") {
                let text = node.text("text")
                expectContains([Self.text, Self.text + "!", nil], text)
                #expect(text != Self.text + "!" || node.text("end") == Self.text + "?")
            }
        }
    }

    @Test(
        "a value transformer may do anything to a new object that is saved alone, before anything is written",
        arguments: StoreKind.everyKind, Action.allCases)
    func transformingNew(_ kind: StoreKind, _ action: Action) throws {
        try stored(kind) { context, _, _, _ in
            let target = Target(context.make("Node", "new", ["text": Self.text, "thing": "other", "end": Self.text]))
            CallingTransformer.$onEncoding.withValue({ target.run(action) }) {
                do { try context.save() } catch { expectEqual((error as NSError).code, NSCoreDataError) }
            }
            context.reset()
            // The object was written whole, without its values, or not at all.
            for node in try context.all("Node") where node.text("name") == "new" || node.text("name") == nil {
                expectEqual(node.text("end"), node.text("text"))
                expectEqual(node.value(forKey: "thing") == nil, node.text("text") == nil)
                // Stores of a program's own read values when they write, and others transform none.
                if action == .refresh, kind == .sqlite { expectEqual(node.text("name"), nil) }
            }
        }
    }

    @Test(
        "a value transformer may do anything to the object while its change is compared with its row",
        arguments: Action.allCases)
    func comparing(_ action: Action) throws {
        try stored(.sqlite) { context, _, node, _ in
            node.setValue("value", forKey: "thing")
            try context.save()
            context.reset()
            let node = try context.one("Node", "n")
            node.setValuesForKeys(["name": "new", "text": Self.text + "!", "thing": "other", "end": Self.text + "?"])
            let target = Target(node)
            CallingTransformer.$onDecoding.withValue({ target.run(action) }) {
                context.processPendingChanges()
                _ = node.changedValues()
                _ = node.hasPersistentChangedValues
            }
            if action != .reset { try checkInvariants(of: context) }
        }
    }
}
