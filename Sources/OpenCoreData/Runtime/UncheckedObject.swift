// SPDX-License-Identifier: Apache-2.0

@_spi(Reflection) import Swift

/// Objects that an accessor returns though they aren't of its class. Apple's accessors check no class: in the model, a
/// relationship's destination may be a superentity of the entity whose class the accessor names.
///
/// The program may use such an object only as an object of a common superclass of both classes: pass it on, compare it,
/// cast it.
enum UncheckedObject {
    /// The accessor of a property, and a class of its values.
    private struct Use: Hashable {
        let entity: String
        let property: String
        let declared: ObjectIdentifier
        let actual: ObjectIdentifier
    }

    /// Whether an object may be returned, for each use: a value is read often.
    private static let known = Locked<[Use: Bool]>([:])

    /// An object as a value of an accessor's type. The first use for an accessor and a class writes a warning.
    ///
    /// - Returns: nil if the type is no class, or if a class has stored properties that the object hasn't: reading them
    ///   would read other memory.
    static func value<Value>(
        _ object: Any, as type: Value.Type, of slot: PropertySlot, in owner: NSManagedObject
    ) -> Value? {
        let wrapped = (type as? any OptionalType.Type)?.wrappedType ?? type
        guard let actual = Swift.type(of: object) as? AnyClass, let declared = wrapped as? AnyClass else { return nil }
        let use = Use(
            entity: owner.layout.name, property: slot.name, declared: ObjectIdentifier(declared),
            actual: ObjectIdentifier(actual))
        let isPossible = known.withLock { $0[use] } ?? examine(use, declared, actual)
        return isPossible ? unsafeBitCast(object as AnyObject, to: type) : nil
    }

    private static func examine(_ use: Use, _ declared: AnyClass, _ actual: AnyClass) -> Bool {
        let isPossible = hasMemory(of: declared, in: actual)
        guard known.withLock({ $0.updateValue(isPossible, forKey: use) }) == nil, isPossible else { return isPossible }
        CoreDataLog.warning(
            """
            The accessor of \(use.entity).\(use.property) has the class \(declared), and its value the class \
            \(actual). It is returned unchecked, as by Apple's accessors. Give the accessor a class that all values \
            have.
            """)
        return true
    }

    /// Whether objects of the class `actual` have all stored properties of the class `declared`: `declared` adds none
    /// to the nearest superclass of both.
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
}
