import Synchronization

/// The class that represents an entity, found without an Objective-C runtime.
final class ClassBinding: Sendable {
    /// As the model says; nil where it names none, or none is wanted.
    private let className: String?
    private let entityName: String
    private let superbinding: ClassBinding?
    /// The class once it is found (0 before), as a word that needs no lock to be read: every object that is made asks
    /// for it.
    private let found = Atomic<UInt>(0)
    private let problem = Mutex<(problem: ClassProblem, generation: Int)?>(nil)

    init(className: String?, entityName: String, superbinding: ClassBinding?) {
        let isPlain = className == nil || className?.isEmpty == true || className == "NSManagedObject"
        self.className = isPlain ? nil : className
        self.entityName = entityName
        self.superbinding = superbinding
    }

    /// The class named by the model, `NSManagedObject` where it names none. Stops the program for a class that isn't
    /// known or doesn't fit, which opening a store finds before.
    var managedObjectClass: NSManagedObject.Type {
        guard className != nil else { return NSManagedObject.self }
        do {
            return try resolve()
        } catch {
            programmingError(error.message, remedy: error.remedy)
        }
    }

    /// The class, or what is wrong with its name in the model.
    func resolve() throws(ClassProblem) -> NSManagedObject.Type {
        guard let className else { return NSManagedObject.self }
        let known = found.load(ordering: .acquiring)
        if known != 0 { return unsafeBitCast(known, to: NSManagedObject.Type.self) }
        let generation = ManagedObjectClasses.generation
        if let known = problem.withLock({ $0 }), known.generation == generation { throw known.problem }
        let type = ManagedObjectClasses.find(className)
        guard let type, misfit(type) == nil else {
            let new = type.flatMap(misfit) ?? .unknown(className: className, entityName: entityName)
            problem.withLock { $0 = (new, ManagedObjectClasses.generation) }
            throw new
        }
        return remember(type)
    }

    /// The first that is found counts for good.
    private func remember(_ type: NSManagedObject.Type) -> NSManagedObject.Type {
        let result = found.compareExchange(
            expected: 0, desired: unsafeBitCast(type, to: UInt.self), ordering: .acquiringAndReleasing)
        return result.exchanged ? type : unsafeBitCast(result.original, to: NSManagedObject.Type.self)
    }

    /// Objects of a subentity are objects of the superentity, so its class must inherit from that one's.
    private func misfit(_ type: NSManagedObject.Type) -> ClassProblem? {
        // An abstract superentity may name a class that nobody knows: there are no objects of it.
        guard let superbinding, let supertype = try? superbinding.resolve(), !Self.inherits(type, from: supertype)
        else { return nil }
        return .misfit(
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

    /// Whether the model means this class.
    func names(_ type: NSManagedObject.Type) -> Bool {
        guard let className else { return false }
        return ManagedObjectClasses.isNamed(type, className)
    }

    /// The program uses this class for the entity: of several of one name it is the one that is meant.
    func prefer(_ type: NSManagedObject.Type) {
        guard className != nil, misfit(type) == nil else { return }
        _ = remember(type)
    }
}
