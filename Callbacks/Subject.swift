import OpenCoreData

/// Decides at which calls the program acts. Used on the queue of the case's context.
final class Trigger {
    let value: Case
    weak var stage: Stage?
    private(set) var calls = 0
    private(set) var actions = 0
    /// Whether the script of the case runs, and not its preparation.
    var isArmed = false
    private var isActing = false

    init(_ value: Case) { self.value = value }

    /// Called by each callback.
    func call(_ callback: Callback, _ object: NSManagedObject? = nil) {
        guard isArmed, callback == value.callback, !isActing, let stage else { return }
        calls += 1
        switch value.moment {
        case .first where calls != 1, .second where calls != 2: return
        case .each where actions > 40: return
        default: break
        }
        actions += 1
        isActing = true
        defer { isActing = false }
        stage.act(value.action, object)
    }

    /// The trigger of the case that runs: a process runs one case at a time.
    nonisolated(unsafe) static var current: Trigger?
}

/// An object whose methods call the trigger.
class Subject: NSManagedObject {
    private func call(_ callback: Callback) { Trigger.current?.call(callback, self) }

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        Trigger.current?.call(.initializer)
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        call(.awakeFromFetch)
    }
    override func awakeFromInsert() {
        super.awakeFromInsert()
        call(.awakeFromInsert)
    }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        call(.awakeFromSnapshotEvents)
    }
    override func willSave() {
        super.willSave()
        call(.willSave)
    }
    override func didSave() {
        super.didSave()
        call(.didSave)
    }
    override func prepareForDeletion() {
        super.prepareForDeletion()
        call(.prepareForDeletion)
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        call(.willTurnIntoFault)
    }
    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        call(.didTurnIntoFault)
    }
    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        call(.validateValue)
        try super.validateValue(value, forKey: key)
    }
    override func validateForInsert() throws {
        call(.validateForInsert)
        try super.validateForInsert()
    }
    override func validateForUpdate() throws {
        call(.validateForUpdate)
        try super.validateForUpdate()
    }
    override func validateForDelete() throws {
        call(.validateForDelete)
        try super.validateForDelete()
    }
    override func value(forUndefinedKey key: String) -> Any? {
        call(.undefinedKey)
        return nil
    }
    override func setValue(_ value: Any?, forUndefinedKey key: String) { call(.undefinedKey) }
}

/// A transformable value whose comparison and whose end call the trigger.
final class Thing: NSObject {
    let text: String

    init(_ text: String) { self.text = text }

    deinit { Trigger.current?.call(.valueEnd) }

    override func isEqual(_ object: Any?) -> Bool {
        Trigger.current?.call(.equality)
        return (object as? Thing)?.text == text
    }
    override var hash: Int { text.hashValue }
}

final class ThingTransformer: ValueTransformer {
    static let name = NSValueTransformerName("ThingTransformer")

    override func transformedValue(_ value: Any?) -> Any? {
        Trigger.current?.call(.encoding)
        return (value as? Thing).map { Data($0.text.utf8) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        Trigger.current?.call(.decoding)
        return (value as? Data).map { Thing(String(decoding: $0, as: UTF8.self)) }
    }
}

/// A context whose decision about missing rows calls the trigger.
final class SubjectContext: NSManagedObjectContext, @unchecked Sendable {
    override func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        Trigger.current?.call(.inaccessibleFault, fault)
        return true
    }
}

final class SubjectMergePolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(mergeConflicts list: [Any]) throws {
        Trigger.current?.call(.mergePolicy, (list.first as? NSMergeConflict)?.sourceObject)
        try super.resolve(mergeConflicts: list)
    }
}

final class SubjectDelegate: NSObject, NSFetchedResultsControllerDelegate {
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        Trigger.current?.call(.controllerWillChange)
    }
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        Trigger.current?.call(.controllerChange, anObject as? NSManagedObject)
    }
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        Trigger.current?.call(.controllerDidChange)
    }
}
