// SPDX-License-Identifier: Apache-2.0

/// A class name in the model that names no class of the program.
struct MissingClass: Error, Hashable {
    let className: String
    let entityName: String

    private static let reported = Locked<Set<MissingClass>>([])

    /// Writes one warning for all names that were not reported before: the objects of these entities are plain managed
    /// objects.
    static func report(_ found: [MissingClass]) {
        let new = reported.withLock { reported in found.filter { reported.insert($0).inserted } }
        guard let first = new.first else { return }
        CoreDataLog.warning(new.count == 1 ? "\(first.message) \(first.remedy)" : several(new))
    }

    private static func several(_ missing: [MissingClass]) -> String {
        """
        Unable to load the classes that the model names for \(missing.count) entities: \
        \(missing.map { "'\($0.className)' (entity '\($0.entityName)')" }.joined(separator: ", ")). \
        \(missing[0].message) \(missing[0].remedy)
        """
    }

    /// Begins with Core Data's words.
    private var message: String {
        """
        Unable to load class named '\(className)' for entity '\(entityName)'. Class not found, using default \
        NSManagedObject instead.\(Self.question(className)) \(Self.knownClasses(className))
        """
    }

    private var remedy: String {
        """
        Correct the class name in the model (Class, or Module.Class), link the module that has the class, make it \
        known by NSManagedObject.register(_:), or set the entity's managedObjectClassName to nil, before a coordinator \
        takes the model.
        """
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

    /// The names of all classes: first the similar names, then all other names, sorted.
    private static func names(nearestFirstTo className: String) -> [String] {
        let near = nearestNames(to: className)
        return near + ManagedObjectClasses.names.subtracting(near).sorted()
    }
}
