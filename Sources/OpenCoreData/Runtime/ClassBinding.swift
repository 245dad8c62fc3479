import Synchronization

/// The class of an entity's objects, found without an Objective-C runtime.
final class ClassBinding: Sendable {
    /// The class name in the model; nil if the model names no class, or classes are not used.
    private let className: String?
    private let entityName: String
    private let superbinding: ClassBinding?
    /// The class, 0 until it is found. A word that is read without a lock: every new object reads it.
    private let found = Atomic<UInt>(0)
    private let problem = Mutex<(problem: ClassProblem, generation: Int)?>(nil)

    init(className: String?, entityName: String, superbinding: ClassBinding?) {
        let isPlain = className == nil || className?.isEmpty == true || className == "NSManagedObject"
        self.className = isPlain ? nil : className
        self.entityName = entityName
        self.superbinding = superbinding
    }

    /// The class that the model names, `NSManagedObject` if it names none. Stops the program for an unknown or
    /// incompatible class; opening a store throws the same problem before.
    var managedObjectClass: NSManagedObject.Type {
        guard className != nil else { return NSManagedObject.self }
        do {
            return try resolve()
        } catch {
            programmingError(error.message, remedy: error.remedy)
        }
    }

    /// The class that the model names.
    ///
    /// - Throws: a `ClassProblem` for an unknown or incompatible class.
    func resolve() throws(ClassProblem) -> NSManagedObject.Type {
        guard let className else { return NSManagedObject.self }
        let known = found.load(ordering: .acquiring)
        if known != 0 { return unsafeBitCast(known, to: NSManagedObject.Type.self) }
        let generation = ManagedObjectClasses.generation
        if let known = problem.withLock({ $0 }), known.generation == generation { throw known.problem }
        let type = ManagedObjectClasses.find(className)
        guard let type, incompatibility(of: type) == nil else {
            let new = type.flatMap(incompatibility) ?? .unknown(className: className, entityName: entityName)
            problem.withLock { $0 = (new, ManagedObjectClasses.generation) }
            throw new
        }
        return remember(type)
    }

    /// Stores the class that is found first, for the lifetime of the binding.
    private func remember(_ type: NSManagedObject.Type) -> NSManagedObject.Type {
        let result = found.compareExchange(
            expected: 0, desired: unsafeBitCast(type, to: UInt.self), ordering: .acquiringAndReleasing)
        return result.exchanged ? type : unsafeBitCast(result.original, to: NSManagedObject.Type.self)
    }

    /// Objects of a subentity are objects of the superentity, so the class must inherit from the superentity's class.
    private func incompatibility(of type: NSManagedObject.Type) -> ClassProblem? {
        // An abstract superentity may name an unknown class: it has no objects.
        guard let superbinding, let supertype = try? superbinding.resolve(), !Self.inherits(type, from: supertype)
        else { return nil }
        return .incompatible(
            type: type, entityName: entityName, supertype: supertype, superentityName: superbinding.entityName)
    }

    private static func inherits(_ type: NSManagedObject.Type, from supertype: NSManagedObject.Type) -> Bool {
        var current: AnyClass? = type
        while let type = current {
            if type == supertype { return true }
            current = _getSuperclass(type)
        }
        return false
    }

    /// Whether the model names this class.
    func names(_ type: NSManagedObject.Type) -> Bool {
        guard let className else { return false }
        return ManagedObjectClasses.isNamed(type, className)
    }

    /// Chooses a class that the program uses for the entity, among several classes of one name.
    func prefer(_ type: NSManagedObject.Type) {
        guard className != nil, incompatibility(of: type) == nil else { return }
        _ = remember(type)
    }
}
