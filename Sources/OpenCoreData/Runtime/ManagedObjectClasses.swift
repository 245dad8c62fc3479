// SPDX-License-Identifier: Apache-2.0

/// Classes of managed objects by name: registered or used classes, and classes of the program and its libraries.
enum ManagedObjectClasses {
    private struct State {
        /// By name with module, without module, and by registered names. The class that was registered last replaces
        /// earlier classes of its name.
        var byName: [String: NSManagedObject.Type] = [:]
        var otherNames: [ObjectIdentifier: Set<String>] = [:]
        var seen: Set<ObjectIdentifier> = []
        var generation = 0
    }

    private static let state = Locked(State())

    /// Incremented with each registration.
    static var generation: Int {
        ClassesToRegister.register()
        return state.withLock { $0.generation }
    }

    /// Registers a class and its superclasses.
    static func register(_ type: NSManagedObject.Type) {
        var current: NSManagedObject.Type? = type
        while let type = current, type != NSManagedObject.self {
            let isNew = state.withLock { state in
                guard state.seen.insert(ObjectIdentifier(type)).inserted else { return false }
                let full = name(of: type)
                state.byName[full] = type
                state.byName[ClassName.lastPart(of: full)] = type
                state.generation += 1
                return true
            }
            if !isNew { return }
            current = _getSuperclass(type) as? NSManagedObject.Type
        }
    }

    /// Registers a class also under the name that `@objc(Name)` gives it.
    static func register(_ type: NSManagedObject.Type, as name: String) {
        register(type)
        state.withLock { state in
            state.byName[name] = type
            state.otherNames[ObjectIdentifier(type), default: []].insert(name)
            state.generation += 1
        }
    }

    /// The class of a name in a model: `Class`, `.Class` or `Module.Class`.
    static func find(_ className: String) -> NSManagedObject.Type? {
        ClassesToRegister.register()
        let wanted = ClassName.plain(className)
        if let found = state.withLock({ $0.byName[wanted] }) { return found }
        let hasModule = wanted.contains(".")
        let candidates = ProgramClasses.all().filter { type in
            let full = name(of: type)
            return wanted == full || (!hasModule && wanted == ClassName.lastPart(of: full))
        }
        let own = candidates.filter { name(of: $0).hasPrefix(mainModule + ".") }
        guard let found = own.first ?? candidates.first else { return nil }
        if own.count != 1, candidates.count > 1 {
            CoreDataLog.warning(
                """
                The model's class name '\(className)' names several classes: \
                \(candidates.map(name).sorted().joined(separator: ", ")). Using \(name(of: found)). Write \
                Module.Class into the model to choose.
                """
            )
        }
        register(found)
        return found
    }

    /// Whether a class has a name, with its module, without it, or by registration.
    static func isNamed(_ type: NSManagedObject.Type, _ className: String) -> Bool {
        ClassesToRegister.register()
        let full = name(of: type)
        let wanted = ClassName.plain(className)
        if wanted == full || wanted == ClassName.lastPart(of: full) { return true }
        return state.withLock { $0.otherNames[ObjectIdentifier(type)]?.contains(wanted) ?? false }
    }

    /// The name that `@objc(Name)` gives a class, or the name with its module.
    static func objectiveCName(of type: NSManagedObject.Type) -> String {
        ClassesToRegister.register()
        return state.withLock { $0.otherNames[ObjectIdentifier(type)]?.min() } ?? name(of: type)
    }

    /// The names of all known classes, with their modules.
    static var names: Set<String> {
        ClassesToRegister.register()
        let registered = state.withLock { state in
            state.otherNames.values.reduce(into: Set(state.byName.values.map(name))) { $0.formUnion($1) }
        }
        return registered.union(ProgramClasses.all().map(name))
    }

    /// Module and class, with the types that contain it; without the marker of a private class.
    static func name(of type: NSManagedObject.Type) -> String { ClassName.of(type) }

    /// The module of the program: a class name with a leading dot is in it.
    private static let mainModule: String = {
        let name = OperatingSystem.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
        return String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }()
}

extension NSManagedObject {
    /// **Extension.** Registers classes, so that a model that names `Song` finds `App.Song`.
    ///
    /// Rarely needed: the classes of the program and its libraries are found without registration. Register a class to
    /// choose it among several classes of one name, or to make a specialized generic class known. May be called on any
    /// thread.
    ///
    /// - Parameter classes: the classes.
    public static func register(_ classes: NSManagedObject.Type...) {
        for type in classes { ClassesToRegister.add(type, nil) }
    }

    /// **Extension.** Registers a class under its own name and under another name, as `@objc(Name)` does on Apple's
    /// platforms.
    ///
    /// May be called on any thread, and before `main` runs.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - name: the other name.
    public static func register(_ type: NSManagedObject.Type, as name: String) { ClassesToRegister.add(type, name) }
}

/// Classes whose registration is deferred to the next look-up.
///
/// Generated code adds its classes before `main` runs. Their names are not read at that time.
private enum ClassesToRegister {
    private static let pending = Locked<[(type: NSManagedObject.Type, name: String?)]>([])

    static func add(_ type: NSManagedObject.Type, _ name: String?) {
        pending.withLock { $0.append((type, name)) }
    }

    /// Registers the classes under their names. The lock is held during the registration, so that no look-up finds a
    /// part of them.
    static func register() {
        pending.withLock { pending in
            guard !pending.isEmpty else { return }
            for (type, name) in pending {
                if let name {
                    ManagedObjectClasses.register(type, as: name)
                } else {
                    ManagedObjectClasses.register(type)
                }
            }
            pending = []
        }
    }
}
