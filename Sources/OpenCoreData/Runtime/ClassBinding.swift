import Synchronization

/// The class that represents an entity, found without an Objective-C runtime.
final class ClassBinding: Sendable {
    private let className: String?
    private let entityName: String
    private struct State { var found: NSManagedObject.Type?; var generation = -1 }
    private let state = Mutex(State())

    init(className: String?, entityName: String) {
        self.className = className
        self.entityName = entityName
    }

    /// The class named by the model; `NSManagedObject` where it names none, or none that is known (the log says so once).
    var managedObjectClass: NSManagedObject.Type {
        guard let className, !className.isEmpty, className != "NSManagedObject" else { return NSManagedObject.self }
        let generation = ManagedObjectClasses.generation
        return state.withLock { state in
            if let found = state.found { return found }
            if state.generation == generation { return NSManagedObject.self }
            let isFirst = state.generation < 0
            state.generation = generation
            state.found = ManagedObjectClasses.find(className)
            if let found = state.found { return found }
            if isFirst {
                CoreDataLog.warning(
                    "Unable to load class named '\(className)' for entity '\(entityName)'. Class not found, using default NSManagedObject instead. Known classes: \(ManagedObjectClasses.names.joined(separator: ", ")). Register it with NSManagedObject.register(_:), or name it Module.Class in the model.")
            }
            return NSManagedObject.self
        }
    }

    /// Whether the model means this class.
    func names(_ type: NSManagedObject.Type) -> Bool {
        guard let className, !className.isEmpty else { return false }
        let full = ManagedObjectClasses.name(of: type)
        let last = full.split(separator: ".").last.map(String.init) ?? full
        let wanted = className.hasPrefix(".") ? String(className.dropFirst()) : className
        return wanted == full || wanted == last
    }
}

/// Classes of managed objects by name.
enum ManagedObjectClasses {
    private struct State { var byName: [String: NSManagedObject.Type] = [:]; var seen: Set<ObjectIdentifier> = []; var generation = 0 }
    private static let state = Mutex(State())

    static var generation: Int {
        ClassesToRegister.register()
        return state.withLock { $0.generation }
    }
    static var names: [String] {
        ClassesToRegister.register()
        return state.withLock { $0.byName.keys.sorted() }
    }

    static func register(_ type: NSManagedObject.Type, as otherName: String? = nil) {
        state.withLock { state in
            if let otherName, state.byName.updateValue(type, forKey: otherName) == nil { state.generation += 1 }
            guard state.seen.insert(ObjectIdentifier(type)).inserted else { return }
            let full = name(of: type)
            state.byName[full] = type
            if let last = full.split(separator: ".").last { state.byName[String(last)] = type }
            state.generation += 1
        }
    }

    static func find(_ className: String) -> NSManagedObject.Type? {
        ClassesToRegister.register()
        let wanted = className.hasPrefix(".") ? String(className.dropFirst()) : className
        if let found = state.withLock({ $0.byName[wanted] }) { return found }
        if wanted.contains(".") { return NSClassFromString(wanted) as? NSManagedObject.Type }
        return NSClassFromString("\(mainModule).\(wanted)") as? NSManagedObject.Type
    }

    static func name(of type: NSManagedObject.Type) -> String { _typeName(type, qualified: true) }

    /// The module of the program, where the leading dot of a class name points.
    private static let mainModule: String = {
        let name = ProcessInfo.processInfo.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
        return String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }()
}

extension NSManagedObject {
    /// **Extension.** Makes classes known by name, so that a model that names `Song` finds `App.Song`.
    ///
    /// Classes that are used before (`Song(context:)`, `NSFetchRequest<Song>`) and classes that the model names with
    /// their module need no registration. May be called on any thread.
    public static func register(_ classes: NSManagedObject.Type...) {
        for type in classes { ClassesToRegister.add(type, nil) }
    }

    /// **Extension.** Makes a class known by its own name and by another one, as `@objc(Name)` does on Apple's platforms.
    ///
    /// May be called on any thread, and before the program begins.
    public static func register(_ type: NSManagedObject.Type, as name: String) { ClassesToRegister.add(type, name) }
}
