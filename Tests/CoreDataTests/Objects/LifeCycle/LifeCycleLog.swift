import CoreData

/// The calls of objects' methods and the notifications of their context, in one list.
final class LifeCycleLog {
    private(set) var lines: [String] = []
    private var tokens: [any NSObjectProtocol] = []

    /// Begins to note what happens in a context.
    init(_ context: NSManagedObjectContext) {
        context.userInfo["log"] = self
        let names: [(Notification.Name, String)] = [
            (.NSManagedObjectContextObjectsDidChange, "DidChange"), (.NSManagedObjectContextWillSave, "WillSave"),
            (.NSManagedObjectContextDidSave, "DidSave"),
        ]
        for (name, text) in names {
            let note = UnsafeSender { [unowned self] (notification: Notification) in
                add(text + Self.summary(notification))
            }
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note.value($0) })
        }
    }

    deinit {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    func add(_ line: String) { lines.append(line) }

    /// The lines that were added since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    private static func summary(_ notification: Notification) -> String {
        if notification.userInfo?[NSInvalidatedAllObjectsKey] != nil { return " invalidatedAll" }
        return [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey].map { key in
            guard let objects = notification.userInfo?[key] as? Set<NSManagedObject> else { return "" }
            return " \(key): " + objects.map { ($0 as? LoggedObject)?.label ?? "?" }.sorted().joined(separator: ",")
        }.joined()
    }
}

/// Notes every call that a subclass may override.
class LoggedObject: NSManagedObject {
    /// The object's name when its values were last there.
    private var lastName: String?
    private var log: LifeCycleLog?
    /// The action in `willSave()`.
    var whenSaving: ((LoggedObject) -> Void)?
    /// The action in `didSave()`.
    var whenSaved: ((LoggedObject) -> Void)?

    var label: String {
        if !isFault, let name = primitiveValue(forKey: "name") as? String { lastName = name }
        return lastName ?? (isFault ? "fault" : "new")
    }

    func note(_ call: String) {
        if let log = managedObjectContext?.userInfo["log"] as? LifeCycleLog { self.log = log }
        log?.add("\(label) \(call)")
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        note("awakeFromInsert")
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        note("awakeFromFetch")
    }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        note("awake from " + (flags == .rollback ? "rollback" : flags == .refresh ? "refresh" : "\(flags.rawValue)"))
    }
    override func willSave() {
        super.willSave()
        note("willSave")
        whenSaving?(self)
    }
    override func didSave() {
        super.didSave()
        note("didSave")
        whenSaved?(self)
    }
    override func prepareForDeletion() {
        super.prepareForDeletion()
        note("prepareForDeletion")
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        note("willTurnIntoFault")
    }
    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        note("didTurnIntoFault")
    }
    override func validateForInsert() throws {
        note("validateForInsert")
        try super.validateForInsert()
    }
    override func validateForUpdate() throws {
        note("validateForUpdate")
        try super.validateForUpdate()
    }
    override func validateForDelete() throws {
        note("validateForDelete")
        try super.validateForDelete()
    }
}

/// A tree whose objects note what happens: children and their toys go with their parent, in order.
enum LoggedModel {
    static func make(ofClass type: NSManagedObject.Type = LoggedObject.self) -> NSManagedObjectModel {
        let parent = entity("Parent")
        let child = entity("Child")
        let toy = entity("Toy")
        let children = toMany("children", child, rule: .cascadeDeleteRule, ordered: true)
        let parentOfChild = toOne("parent", parent)
        pair(children, parentOfChild)
        let toys = toMany("toys", toy, rule: .cascadeDeleteRule, ordered: true)
        let owner = toOne("owner", child)
        pair(toys, owner)
        for (entity, relationships) in [(parent, [children]), (child, [parentOfChild, toys]), (toy, [owner])] {
            let name = attribute("name", .stringAttributeType, optional: false)
            let temper = attribute("temper", .stringAttributeType)
            temper.isTransient = true
            entity.properties =
                [name, attribute("note", .stringAttributeType, defaultValue: "none"), temper] + relationships
            entity.managedObjectClassName = NSStringFromClass(type)
        }
        return model([parent, child, toy])
    }

    /// Runs a test on a fresh stack whose context's life is noted.
    static func run(_ kind: StoreKind, _ body: (TestStack, LifeCycleLog) throws -> Void) throws {
        try withStack(kind, model: make()) { stack in
            let log = LifeCycleLog(stack.context)
            try body(stack, log)
            stack.context.userInfo.removeAllObjects()
        }
    }
}

extension NSManagedObjectContext {
    /// A new, named object that notes its life.
    func makeLogged(_ entity: String, _ name: String, _ values: [String: Any] = [:]) -> LoggedObject {
        make(entity, name, values) as! LoggedObject
    }
}
