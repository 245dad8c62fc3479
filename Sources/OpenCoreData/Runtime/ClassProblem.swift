/// A class name in the model that names no class of the program.
struct ClassProblem: Error {
    let className: String
    let entityName: String

    var message: String {
        """
        Unable to find the class named '\(className)' for entity '\(entityName)'.\(Self.question(className)) \
        \(Self.knownClasses(className))
        """
    }

    var remedy: String {
        """
        Correct the class name in the model (Class, or Module.Class), link the module that has the class, make it \
        known by NSManagedObject.register(_:), or set the entity's managedObjectClassName to nil, before a coordinator \
        takes the model, to use NSManagedObject.
        """
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
        return CoreDataErrors.error(
            NSCoreDataError, message: "\(message) \(first.remedy)", reason: message, suggestion: first.remedy,
            userInfo: [
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
        let wanted = ClassName.lastPart(of: className)
        let names = ManagedObjectClasses.names.sorted()
        let near = NearestNames.nearest(to: wanted, in: Set(names.map(ClassName.lastPart)))
        return near.flatMap { name in names.filter { ClassName.lastPart(of: $0) == name } }
    }

    /// The names of all classes: the most similar first, the others sorted.
    private static func names(nearestFirstTo className: String) -> [String] {
        let near = nearestNames(to: className)
        return near + ManagedObjectClasses.names.subtracting(near).sorted()
    }
}
