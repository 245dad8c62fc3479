import Synchronization

/// Classes of managed objects by name: those that were registered or used, and those that the program holds.
enum ManagedObjectClasses {
    private struct State {
        /// By name with module, without module, and by the names they were registered under; what came last counts.
        var byName: [String: NSManagedObject.Type] = [:]
        var otherNames: [ObjectIdentifier: Set<String>] = [:]
        var seen: Set<ObjectIdentifier> = []
        var generation = 0
    }

    private static let state = Mutex(State())

    /// Grows with each class that becomes known.
    static var generation: Int {
        ClassesToRegister.register()
        return state.withLock { $0.generation }
    }

    /// Makes a class known, and the classes that it inherits from.
    static func register(_ type: NSManagedObject.Type) {
        var current: NSManagedObject.Type? = type
        while let type = current, type != NSManagedObject.self {
            let isNew = state.withLock { state in
                guard state.seen.insert(ObjectIdentifier(type)).inserted else { return false }
                let full = name(of: type)
                state.byName[full] = type
                state.byName[lastPart(of: full)] = type
                state.generation += 1
                return true
            }
            if !isNew { return }
            current = _getSuperclass(type) as? NSManagedObject.Type
        }
    }

    /// Makes a class known under a name of its own as well: the one that `@objc(Name)` gives it.
    static func register(_ type: NSManagedObject.Type, as name: String) {
        register(type)
        state.withLock { state in
            state.byName[name] = type
            state.otherNames[ObjectIdentifier(type), default: []].insert(name)
            state.generation += 1
        }
    }

    /// The class that a model means by a name: `Class`, `.Class` or `Module.Class`.
    static func find(_ className: String) -> NSManagedObject.Type? {
        ClassesToRegister.register()
        let wanted = plain(className)
        if let found = state.withLock({ $0.byName[wanted] }) { return found }
        let hasModule = wanted.contains(".")
        let candidates = ProgramClasses.all().filter { type in
            let full = name(of: type)
            return wanted == full || (!hasModule && wanted == lastPart(of: full))
        }
        let own = candidates.filter { name(of: $0).hasPrefix(mainModule + ".") }
        guard let found = own.first ?? candidates.first else { return nil }
        if own.count != 1, candidates.count > 1 {
            CoreDataLog.warning(
                """
                The model's class name '\(className)' fits several classes: \
                \(candidates.map(name).sorted().joined(separator: ", ")). Using \(name(of: found)). Write the \
                module into the model, Module.Class, to choose.
                """
            )
        }
        register(found)
        return found
    }

    /// Whether a class bears a name, with its module, without it, or as it was registered.
    static func isNamed(_ type: NSManagedObject.Type, _ className: String) -> Bool {
        ClassesToRegister.register()
        let full = name(of: type)
        let wanted = plain(className)
        if wanted == full || wanted == lastPart(of: full) { return true }
        return state.withLock { $0.otherNames[ObjectIdentifier(type)]?.contains(wanted) ?? false }
    }

    /// The names of all classes that a model may name, with their modules.
    static var names: Set<String> {
        ClassesToRegister.register()
        let registered = state.withLock { state in
            state.otherNames.values.reduce(into: Set(state.byName.values.map(name))) { $0.formUnion($1) }
        }
        return registered.union(ProgramClasses.all().map(name))
    }

    /// Module and class, with the types around a nested one; without the mark of a private one.
    static func name(of type: NSManagedObject.Type) -> String { plain(_typeName(type, qualified: true)) }

    /// A name without leading dot and without the mark that Swift gives the names of private classes: "(unknown context
    /// at …)".
    private static func plain(_ name: String) -> String {
        guard name.hasPrefix(".") || name.contains("(") else { return name }
        return name.split(separator: ".").filter { !$0.hasPrefix("(") }.joined(separator: ".")
    }

    static func lastPart(of name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

    /// The module of the program, where the leading dot of a class name points.
    private static let mainModule: String = {
        let name = OperatingSystem.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
        return String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }()
}

extension NSManagedObject {
    /// **Extension.** Makes classes known by name, so that a model that names `Song` finds `App.Song`.
    ///
    /// Rarely needed: the classes of the program and its libraries are found by themselves. It chooses between several
    /// of one name, and makes specialized generic classes known. May be called on any thread.
    public static func register(_ classes: NSManagedObject.Type...) {
        for type in classes { ClassesToRegister.add(type, nil) }
    }

    /// **Extension.** Makes a class known by its own name and by another one, as `@objc(Name)` does on Apple's
    /// platforms.
    ///
    /// May be called on any thread, and before the program begins.
    public static func register(_ type: NSManagedObject.Type, as name: String) { ClassesToRegister.add(type, name) }
}
