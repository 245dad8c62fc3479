// SPDX-License-Identifier: Apache-2.0

@_spi(Reflection) import Swift

/// Objects that an accessor returns though they aren't of its class. Apple's accessors check no class: a relationship's
/// destination in the model may be a superentity of that whose class the accessor names.
///
/// The program may use such an object as one of a class that both have in common: pass it on, compare it, cast it.
enum UncheckedObject {
    private static let reported = Locked<Set<String>>([])

    /// An object as a value of an accessor's type.
    ///
    /// - Returns: nil if the type is no class, or if a class has stored properties that the object hasn't: reading them
    ///   would read other memory.
    static func value<Value>(
        _ object: Any, as type: Value.Type, of slot: PropertySlot, in owner: NSManagedObject
    ) -> Value? {
        guard let actual = Swift.type(of: object) as? AnyClass, let declared = declaredClass(type),
            hasMemory(of: declared, in: actual)
        else { return nil }
        report(declared, actual, "\(owner.layout.name).\(slot.name)")
        return unsafeBitCast(object as AnyObject, to: type)
    }

    private static func declaredClass(_ type: Any.Type) -> AnyClass? {
        type as? AnyClass ?? (type as? any OptionalObject.Type)?.wrappedClass
    }

    /// Whether objects of a class have the stored properties of another one: that adds none to those of a superclass of
    /// both.
    private static func hasMemory(of declared: AnyClass, in actual: AnyClass) -> Bool {
        let classes = Set(sequence(first: actual, next: { _getSuperclass($0) }).map(ObjectIdentifier.init))
        let common: AnyClass? = sequence(first: declared, next: { _getSuperclass($0) }).first {
            classes.contains(ObjectIdentifier($0))
        }
        return common.map(fieldCount) == fieldCount(declared)
    }

    /// The number of stored properties of a class and its superclasses.
    private static func fieldCount(_ type: AnyClass) -> Int {
        var count = 0
        // The option is `classType`, which the standard library declares as a variable.
        _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { _, _, _, _ in
            count += 1
            return true
        }
        return count
    }

    /// Writes a warning, the first time for an accessor and a class.
    private static func report(_ declared: AnyClass, _ actual: AnyClass, _ property: String) {
        guard reported.withLock({ $0.insert("\(property) \(ObjectIdentifier(actual))").inserted }) else { return }
        CoreDataLog.warning(
            """
            The accessor of \(property) has the class \(declared), and its value the class \(actual). It is returned \
            unchecked, as by Apple's accessors. Give the accessor a class that all values have.
            """)
    }
}

/// Optionals of classes.
private protocol OptionalObject {
    static var wrappedClass: AnyClass? { get }
}

extension Optional: OptionalObject {
    static var wrappedClass: AnyClass? { Wrapped.self as? AnyClass }
}
