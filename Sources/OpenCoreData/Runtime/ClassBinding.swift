import Synchronization

/// The class that represents an entity, found without an Objective-C runtime.
final class ClassBinding: Sendable {
    /// As the model says; nil where it names none, or none is wanted.
    private let className: String?
    private let entityName: String
    private let superbinding: ClassBinding?
    private enum Finding { case nothing, found(NSManagedObject.Type), problem(ClassProblem, generation: Int) }
    private let finding = Mutex(Finding.nothing)

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
        switch finding.withLock({ $0 }) {
        case .found(let type): return type
        case .problem(let problem, let generation) where generation == ManagedObjectClasses.generation: throw problem
        default: break
        }
        let problem: ClassProblem
        if let type = ManagedObjectClasses.find(className) {
            guard let misfit = misfit(type, className) else {
                finding.withLock { $0 = .found(type) }
                return type
            }
            problem = misfit
        } else {
            problem = .unknown(className: className, entityName: entityName)
        }
        finding.withLock { $0 = .problem(problem, generation: ManagedObjectClasses.generation) }
        throw problem
    }

    /// Objects of a subentity are objects of the superentity, so its class must inherit from that one's.
    private func misfit(_ type: NSManagedObject.Type, _ className: String) -> ClassProblem? {
        // An abstract superentity may name a class that nobody knows: there are no objects of it.
        guard let superbinding, let supertype = try? superbinding.resolve(), !Self.inherits(type, from: supertype) else { return nil }
        return .misfit(type: type, entityName: entityName, supertype: supertype, superentityName: superbinding.entityName)
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
        guard let className, misfit(type, className) == nil else { return }
        finding.withLock { finding in
            if case .found = finding { return }
            finding = .found(type)
        }
    }
}
