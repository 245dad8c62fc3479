import CoreData

extension NSManagedObjectContext {
    /// Makes changes that are one action of the undo manager, which does not group by event.
    func step(_ changes: () throws -> Void) throws {
        undoManager?.beginUndoGrouping()
        defer { undoManager?.endUndoGrouping() }
        try changes()
    }

    /// Processes changes without registering them, as Apple's documentation describes.
    func processPendingChangesWithoutUndo() {
        undoManager?.disableUndoRegistration()
        processPendingChanges()
        undoManager?.enableUndoRegistration()
    }
}

extension TestStack {
    /// Runs a closure with another context of the same coordinator.
    func inAnotherContext(_ work: (NSManagedObjectContext) throws -> Void) throws {
        let context = newContext()
        try context.performAndWait { try work(context) }
    }
}

/// Runs a test on a new stack, on its context's queue. Each `step` is a group of the context's undo manager.
func withUndo(
    _ kind: StoreKind, model: NSManagedObjectModel = LibraryModel.make(),
    _ body: (NSManagedObjectContext, UndoManager, TestStack) throws -> Void
) throws {
    try withStack(kind, model: model) { stack in
        let manager = UndoManager()
        manager.groupsByEvent = false
        stack.context.undoManager = manager
        try body(stack.context, manager, stack)
    }
}

/// Formats all objects of a context, one line each: the values, and the names of related objects.
enum GraphText {
    static func objects(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let entities = context.persistentStoreCoordinator!.managedObjectModel.entities.filter { $0.superentity == nil }
        return try entities.flatMap { try context.all($0.name!) }
    }

    static func lines(_ context: NSManagedObjectContext, transient: Bool = true) throws -> [String] {
        try objects(context).map { line($0, transient: transient) }.sorted()
    }

    /// The objects in the store, read by a new coordinator.
    static func storedLines(_ stack: TestStack) throws -> [String] {
        var lines: [String] = []
        try inFreshContext(stack) { lines = try GraphText.lines($0, transient: false) }
        return lines
    }

    private static func line(_ object: NSManagedObject, transient: Bool) -> String {
        let values = object.entity.propertiesByName.sorted { $0.key < $1.key }.compactMap { key, property -> String? in
            if property.isTransient && !transient { return nil }
            guard let value = object.value(forKey: key) else { return nil }
            let text =
                switch value {
                case let set as NSSet: set.allObjects.map(name).sorted().joined(separator: " ")
                case let ordered as NSOrderedSet: ordered.array.map(name).joined(separator: " ")
                case let other as NSManagedObject: name(other)
                default: "\(value)"
                }
            return text.isEmpty ? nil : "\(key)=\(text)"
        }
        return "\(object.entity.name!): " + values.joined(separator: ", ")
    }

    private static func name(_ object: Any) -> String {
        guard let object = object as? NSManagedObject else { return "?" }
        return (object.text("name") ?? "nil") + (object.isDeleted || object.managedObjectContext == nil ? "!" : "")
    }

    static func difference(_ found: [String], _ expected: [String]) -> String {
        let missing = Set(expected).subtracting(found).sorted()
        let extra = Set(found).subtracting(expected).sorted()
        return "is \(extra), should be \(missing)"
    }
}
