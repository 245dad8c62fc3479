/// A class name in the model that names no class, or an incompatible one.
enum ClassProblem: Error {
    case unknown(className: String, entityName: String)
    case incompatible(
        type: NSManagedObject.Type, entityName: String, supertype: NSManagedObject.Type, superentityName: String)

    var entityName: String {
        switch self {
        case .unknown(_, let entityName), .incompatible(_, let entityName, _, _): entityName
        }
    }

    var className: String {
        switch self {
        case .unknown(let className, _): className
        case .incompatible(let type, _, _, _): ManagedObjectClasses.name(of: type)
        }
    }

    var message: String {
        switch self {
        case .unknown(let className, let entityName):
            """
            Unable to find the class named '\(className)' for entity '\(entityName)'.\(Self.question(className)) \
            \(Self.knownClasses(className))
            """
        case .incompatible(let type, let entityName, let supertype, let superentityName):
            """
            The class \(ManagedObjectClasses.name(of: type)) of entity '\(entityName)' is no subclass of \
            \(ManagedObjectClasses.name(of: supertype)), the class of its superentity '\(superentityName)'.
            """
        }
    }

    var remedy: String {
        switch self {
        case .unknown:
            """
            Correct the class name in the model (Class, or Module.Class), link the module that has the class, make \
            it known by NSManagedObject.register(_:), or set the entity's managedObjectClassName to nil, before a \
            coordinator takes the model, to use NSManagedObject.
            """
        case .incompatible:
            "Let the class inherit from the superentity's, or name another one in the model."
        }
    }

    /// The error that opening a store throws for all problems: `NSCoreDataError` (134060) with entity, class and the
    /// known classes.
    static func error(_ problems: [ClassProblem]) -> NSError {
        let first = problems[0]
        let message =
            problems.count == 1
            ? first.message
            : "The classes that the model names for \(problems.count) entities can't be used: "
                + problems.map { "'\($0.className)' (entity '\($0.entityName)')" }.joined(separator: ", ") + ". "
                + first.message
        return NSError(
            domain: NSCocoaErrorDomain, code: NSCoreDataError,
            userInfo: [
                NSLocalizedDescriptionKey: "\(message) \(first.remedy)",
                NSLocalizedRecoverySuggestionErrorKey: first.remedy,
                ModelFileError.entityKey: first.entityName,
                "class": first.className,
                "knownClasses": names(nearestFirstTo: first.className),
            ])
    }

    private static func question(_ className: String) -> String {
        let near = nearestNames(to: className).map { "'\($0)'" }
        return near.isEmpty ? "" : " Did you mean \(near.joined(separator: " or "))?"
    }

    private static func knownClasses(_ className: String) -> String {
        let names = names(nearestFirstTo: className)
        if names.isEmpty { return "The program has no subclass of NSManagedObject." }
        return
            """
            Known classes: \
            \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? " and \(names.count - 20) more" : "").
            """
    }

    /// Names are compared without modules: usually the class is misspelled.
    private static func nearestNames(to className: String) -> [String] {
        let wanted = ManagedObjectClasses.lastPart(of: className)
        let names = ManagedObjectClasses.names.sorted()
        let near = NearestNames.nearest(to: wanted, in: Set(names.map(ManagedObjectClasses.lastPart)))
        return near.flatMap { name in names.filter { ManagedObjectClasses.lastPart(of: $0) == name } }
    }

    /// The names of all classes: the most similar first, the others sorted.
    private static func names(nearestFirstTo className: String) -> [String] {
        let near = nearestNames(to: className)
        return near + ManagedObjectClasses.names.subtracting(near).sorted()
    }
}
