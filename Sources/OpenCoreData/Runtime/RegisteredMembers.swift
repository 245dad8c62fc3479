// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The properties and validation methods of classes that key-value coding finds by name.
///
/// The Objective-C runtime finds them on Apple's platforms. Here, the code that the build plugin generates registers
/// them before the program starts. One lock owns the table.
enum RegisteredMembers {
    struct Property: Sendable {
        let get: @Sendable (NSManagedObject) -> Any?
        /// Returns false if the value has a wrong type. Nil for a property that can't be set.
        let set: (@Sendable (NSManagedObject, Any?) -> Bool)?
        /// Whether the property has precedence over a property of the model.
        var isExposed = false
        /// The Swift key path of the property; nil if its key isn't found by key paths.
        var keyPath: (@Sendable () -> AnyKeyPath)?
    }

    typealias Validation = @Sendable (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

    private struct ClassMembers {
        var properties: [String: Property] = [:]
        var validations: [String: Validation] = [:]
    }

    private static let members = Locked<[ObjectIdentifier: ClassMembers]>([:])
    /// The keys of all registered properties that have precedence over properties of a model.
    private static let exposedKeys = Locked<Set<String>>([])
    /// Whether any class has a validation method: a save asks for each object.
    private static let haveValidations = Atomic<Bool>(false)

    static func add(_ property: Property, key: String, to type: NSManagedObject.Type) {
        members.withLock { $0[ObjectIdentifier(type), default: ClassMembers()].properties[key] = property }
        if property.isExposed { exposedKeys.withLock { _ = $0.insert(key) } }
    }

    static func add(_ validation: @escaping Validation, key: String, to type: NSManagedObject.Type) {
        members.withLock { $0[ObjectIdentifier(type), default: ClassMembers()].validations[key] = validation }
        haveValidations.store(true, ordering: .releasing)
    }

    /// The property of a class or of its nearest superclass that has one: `key`, or `isKey`.
    static func property(_ key: String, of type: NSManagedObject.Type) -> Property? {
        let question = "is\(key.prefix(1).uppercased())\(key.dropFirst())"
        return first(of: type) { $0.properties[key] ?? $0.properties[question] }
    }

    /// The property of a class, or of its nearest superclass that has one, with precedence over the model's property.
    static func accessor(_ key: String, of type: NSManagedObject.Type) -> Property? {
        first(of: type) { members in members.properties[key].flatMap { $0.isExposed ? $0 : nil } }
    }

    /// The key of a Swift key path to a registered property; nil for other key paths. A key path says nothing of the
    /// superclass that declares its property: one from a subclass is another one.
    static func key(of keyPath: AnyKeyPath) -> String? {
        guard let root = Swift.type(of: keyPath).rootType as? NSManagedObject.Type else { return nil }
        let properties = members.withLock { $0[ObjectIdentifier(root)]?.properties ?? [:] }
        return properties.first { $0.value.keyPath?() == keyPath }?.key
    }

    /// Whether some class has, for one of these keys, a property with precedence over the model's property.
    static func haveAccessors(named keys: some Sequence<String>) -> Bool {
        exposedKeys.withLock { exposed in !exposed.isEmpty && keys.contains { exposed.contains($0) } }
    }

    /// The validation method of a class or of its nearest superclass that has one.
    static func validation(_ key: String, of type: NSManagedObject.Type) -> Validation? {
        guard haveValidations.load(ordering: .acquiring) else { return nil }
        return first(of: type) { $0.validations[key] }
    }

    /// Whether a class or one of its superclasses has validation methods.
    static func hasValidations(_ type: NSManagedObject.Type) -> Bool {
        guard haveValidations.load(ordering: .acquiring) else { return false }
        return first(of: type) { $0.validations.isEmpty ? nil : true } ?? false
    }

    private static func first<Result: Sendable>(
        of type: NSManagedObject.Type, _ find: @Sendable (ClassMembers) -> Result?
    ) -> Result? {
        members.withLock { members in
            var current: AnyClass? = type
            while let type = current, type != NSManagedObject.self {
                if let found = members[ObjectIdentifier(type)].flatMap(find) { return found }
                current = _getSuperclass(type)
            }
            return nil
        }
    }
}

extension NSManagedObject {
    /// **Extension.** Registers a property of a class, so that key-value coding finds it by its name: in
    /// `value(forKey:)`, key paths, sort descriptors, predicates and section names that are evaluated in memory.
    ///
    /// The Objective-C runtime finds `@objc` properties by itself. The build plugin generates the registration.
    ///
    /// ```swift
    /// final class Person: NSManagedObject {
    ///     var initial: String { String((value(forKey: "name") as? String ?? "").prefix(1)) }
    /// }
    ///
    /// NSManagedObject.register("initial", of: Person.self, get: { $0.initial })
    /// ```
    ///
    /// May be called on any thread, and before `main` runs. A property of the model with the same name has precedence,
    /// unless `isExposed` is true: then the class's getter and setter are called, which use `primitiveValue(forKey:)`.
    /// Register such a property before the first object of the entity is made. The closures run where the object is
    /// used. Their types are isolated to the main actor, because the default isolation of the class's module may be the
    /// main actor, which then isolates the members of an extension.
    ///
    /// - Parameters:
    ///   - key: the name.
    ///   - type: the class. Subclasses inherit the property.
    ///   - get: reads the property.
    ///   - set: sets the property; nil if `setValue(_:forKey:)` stops the program.
    ///   - isExposed: true for a property that is `@objc` in the source: it takes precedence over the model's property
    ///     in key-value coding.
    ///   - keyPath: gives the key path of the property, so that `NSSortDescriptor(keyPath: \Person.initial, …)` finds
    ///     the key; nil for a property that only its key names. A subclass whose key paths are used registers the
    ///     property, too.
    public static func register<Object: NSManagedObject, Value>(
        _ key: String, of type: Object.Type, get: @escaping @MainActor (Object) -> Value,
        set: (@MainActor (Object, Value) -> Void)? = nil, isExposed: Bool = false,
        keyPath: (@MainActor () -> KeyPath<Object, Value>)? = nil
    ) {
        let get = unsafeBitCast(get, to: (@Sendable (Object) -> Value).self)
        let set = set.map { unsafeBitCast($0, to: (@Sendable (Object, Value) -> Void).self) }
        let keyPath = keyPath.map { unsafeBitCast($0, to: (@Sendable () -> KeyPath<Object, Value>).self) }
        let setter = set.map { set -> @Sendable (NSManagedObject, Any?) -> Bool in
            { object, value in
                guard let value = PropertyValue.typed(value, as: Value.self) else { return false }
                set(unsafeDowncast(object, to: Object.self), value)
                return true
            }
        }
        let path = keyPath.map { keyPath -> @Sendable () -> AnyKeyPath in { keyPath() } }
        RegisteredMembers.add(
            RegisteredMembers.Property(
                get: { PropertyValue.object(get(unsafeDowncast($0, to: Object.self))) }, set: setter,
                isExposed: isExposed, keyPath: path),
            key: key, to: type)
    }

    /// **Extension.** Registers a method `validate<Key>(_:)`, which the Objective-C runtime finds by its name.
    ///
    /// ``validateValue(_:forKey:)`` calls it after the rules of the model are checked. The build plugin generates the
    /// registration. May be called on any thread, and before `main` runs. The closure runs where the object is used.
    ///
    /// - Parameters:
    ///   - key: the property that the method checks.
    ///   - type: the class. Subclasses inherit the method.
    ///   - validate: checks the value, may replace it, or throws.
    public static func registerValidation<Object: NSManagedObject>(
        of key: String, in type: Object.Type,
        _ validate: @escaping @MainActor (Object, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
    ) {
        let validate = unsafeBitCast(
            validate,
            to: (@Sendable (Object, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void).self)
        RegisteredMembers.add(
            { try validate(unsafeDowncast($0, to: Object.self), $1) }, key: key, to: type)
    }
}
