// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The class of an entity's objects, found without an Objective-C runtime.
final class ClassBinding: Sendable {
    /// The class name in the model; nil if the model names no class, or classes are not used.
    private let className: String?
    private let entityName: String
    private let superbinding: ClassBinding?
    /// The class, 0 until it is found. A word that is read without a lock: every new object reads it.
    private let found = Atomic<UInt>(0)
    /// The generation of the known classes in which none had the name.
    private let missing = Locked<Int?>(nil)

    /// - Parameters:
    ///   - className: the class name in the model.
    ///   - objectClass: the class of all objects of the model; nil if the class name decides.
    ///   - entityName: the entity, for messages.
    ///   - superbinding: the binding of the superentity.
    init(className: String?, objectClass: NSManagedObject.Type?, entityName: String, superbinding: ClassBinding?) {
        if let objectClass { found.store(unsafeBitCast(objectClass, to: UInt.self), ordering: .relaxed) }
        let className = objectClass.map { ManagedObjectClasses.name(of: $0) } ?? className
        let isPlain = className == nil || className?.isEmpty == true || className == "NSManagedObject"
        self.className = isPlain ? nil : className
        self.entityName = entityName
        self.superbinding = superbinding
    }

    /// The class that the model names; `NSManagedObject` if it names no class, or a class that the program doesn't
    /// have. A missing class is logged once.
    @inline(__always)
    var managedObjectClass: NSManagedObject.Type {
        if className == nil { return NSManagedObject.self }
        let known = found.load(ordering: .acquiring)
        return known != 0 ? unsafeBitCast(known, to: NSManagedObject.Type.self) : resolvedClass()
    }

    /// A class that is missing when the first object is made counts as missing from then on: all objects of the binding
    /// have one class.
    @inline(never)
    private func resolvedClass() -> NSManagedObject.Type {
        do {
            return try resolve()
        } catch {
            MissingClass.report([error])
            return remember(NSManagedObject.self)
        }
    }

    /// The class that the model names.
    ///
    /// - Throws: a `MissingClass` for an unknown class.
    func resolve() throws(MissingClass) -> NSManagedObject.Type {
        guard let className else { return NSManagedObject.self }
        let known = found.load(ordering: .acquiring)
        if known != 0 { return unsafeBitCast(known, to: NSManagedObject.Type.self) }
        let generation = ManagedObjectClasses.generation
        let error = MissingClass(className: className, entityName: entityName)
        if missing.withLock({ $0 == generation }) { throw error }
        guard let type = ManagedObjectClasses.find(className) else {
            missing.withLock { $0 = ManagedObjectClasses.generation }
            throw error
        }
        warnIfUnrelated(type)
        return remember(type)
    }

    /// Objects of a subentity are results of fetches for the superentity, so their class should inherit from its class.
    private func warnIfUnrelated(_ type: NSManagedObject.Type) {
        guard let supertype = unrelatedSuperclass(of: type) else { return }
        CoreDataLog.warning(
            """
            The class \(ManagedObjectClasses.name(of: type)) of entity '\(entityName)' is no subclass of \
            \(ManagedObjectClasses.name(of: supertype)), the class of its superentity \
            '\(superbinding?.entityName ?? "")'. A fetch for \(ManagedObjectClasses.name(of: supertype)) that finds \
            such an object stops the program. Let the class inherit from the superentity's, or name another one in \
            the model.
            """)
    }

    /// Stores the class that is found first, for the lifetime of the binding.
    private func remember(_ type: NSManagedObject.Type) -> NSManagedObject.Type {
        let result = found.compareExchange(
            expected: 0, desired: unsafeBitCast(type, to: UInt.self), ordering: .acquiringAndReleasing)
        return result.exchanged ? type : unsafeBitCast(result.original, to: NSManagedObject.Type.self)
    }

    /// The class of the superentity, if a class doesn't inherit from it.
    private func unrelatedSuperclass(of type: NSManagedObject.Type) -> NSManagedObject.Type? {
        // An abstract superentity may name an unknown class: it has no objects.
        guard let supertype = try? superbinding?.resolve() else { return nil }
        return Self.inherits(type, from: supertype) ? nil : supertype
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
        guard className != nil, unrelatedSuperclass(of: type) == nil else { return }
        _ = remember(type)
    }
}

extension EntityLayout {
    /// The flags of an object that has no values yet.
    @inline(__always)
    var initialFlags: NSManagedObject.Flags { checksConcurrency ? [.fault, .checksConcurrency] : .fault }

    /// The class of the entity's objects.
    @inline(__always)
    var classBinding: ClassBinding {
        attached {
            if RegisteredMembers.haveAccessors(named: properties.lazy.map(\.name)) {
                hasAccessors.store(true, ordering: .relaxed)
            }
            return ClassBinding(
                className: model.managedObjectModel.ignoresClassNames ? nil : entity.managedObjectClassName,
                objectClass: model.managedObjectModel.objectClass as? NSManagedObject.Type,
                entityName: entity.name ?? "", superbinding: superlayout?.classBinding)
        }
    }
}
