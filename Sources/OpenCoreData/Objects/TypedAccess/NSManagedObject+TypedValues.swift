// SPDX-License-Identifier: Apache-2.0

/// **Extension.** Access through `ManagedProperty` to values of all other types: numbers as objects, enumerations, and
/// the values of transformable attributes. Used on the context's queue.
extension NSManagedObject {
    // MARK: Any type

    /// The value of a property whose type has no special subscript. Stops the program for a value of another type.
    public final subscript<Value>(property: ManagedProperty<Value>) -> Value {
        get { value(of: property) }
        set { setPropertyValue(PropertySlot.unwrapped(newValue), at: property.slot(of: self).index) }
    }

    private final func value<Value>(of property: ManagedProperty<Value>) -> Value {
        let slot = property.slot(of: self)
        guard let value = propertyValue(at: slot.index) else {
            return NilReading.value(Value.self) ?? required(property)
        }
        return value as? Value ?? uncheckedValue(value, property, slot)
    }

    // MARK: Numbers as objects

    private final func number<Declared>(_ property: ManagedProperty<Declared>) -> NSNumber? {
        let slot = property.slot(of: self)
        guard let value = propertyValue(at: slot.index) else { return nil }
        guard let number = value as? NSNumber else { typeMismatch(property, slot, value: value) }
        return number
    }

    /// The value of an attribute of numbers.
    public final subscript(property: ManagedProperty<NSNumber?>) -> NSNumber? {
        get { number(property) }
        set { setPropertyValue(newValue, at: property.slot(of: self).index) }
    }

    /// The value of a required attribute of numbers; stops the program if it is nil.
    public final subscript(property: ManagedProperty<NSNumber>) -> NSNumber {
        get { number(property) ?? required(property) }
        set { setPropertyValue(newValue, at: property.slot(of: self).index) }
    }

    // MARK: Enumerations

    @inline(__always)
    private final func integerCase<Value: RawRepresentable, Declared>(
        _ property: ManagedProperty<Declared>, as type: Value.Type
    ) -> Value?
    where Value.RawValue: FixedWidthInteger {
        guard let integer: Int64 = cellValue(property) else { return nil }
        return integerCase(integer, property)
    }

    @inline(__always)
    private final func integerCase<Value: RawRepresentable, Declared>(
        _ integer: Int64, _ property: ManagedProperty<Declared>
    ) -> Value
    where Value.RawValue: FixedWidthInteger {
        if let raw = Value.RawValue(exactly: integer), let value = Value(rawValue: raw) { return value }
        return unknownRawValue(integer, property)
    }

    @inline(never)
    private final func unknownRawValue<Value, Declared>(_ value: Any, _ property: ManagedProperty<Declared>) -> Value {
        if layout.isRecording { return RecordedValue.value(Value.self, for: property.name) }
        programmingError(
            "\(layout.name).\(property.name) is \(value), for which \(Declared.self) has no case.",
            remedy: "Give the attribute a default value, or the enumeration the case.")
    }

    /// Whether the attribute stores the value itself, not its raw value.
    private final func storesValueItself<Declared>(_ property: ManagedProperty<Declared>) -> Bool {
        switch property.slot(of: self).kind {
        case .transformable, .undefined, .composite: true
        default: false
        }
    }

    private final func setCase<Declared>(
        _ value: Any?, _ property: ManagedProperty<Declared>, raw: @autoclosure () -> Any?
    ) {
        setPropertyValue(storesValueItself(property) ? value : raw(), at: property.slot(of: self).index)
    }

    /// The value of an integer attribute as an enumeration; nil reads as the case of 0. A transformable attribute
    /// stores the value itself.
    public final subscript<Value: RawRepresentable>(property: ManagedProperty<Value>) -> Value
    where Value.RawValue: FixedWidthInteger {
        get {
            storesValueItself(property)
                ? value(of: property) : integerCase(property, as: Value.self) ?? integerCase(0, property)
        }
        set { setCase(newValue, property, raw: NSNumber(value: Int64(newValue.rawValue))) }
    }

    /// The value of an integer attribute as an enumeration. A transformable attribute stores the value itself.
    public final subscript<Value: RawRepresentable>(property: ManagedProperty<Value?>) -> Value?
    where Value.RawValue: FixedWidthInteger {
        get { storesValueItself(property) ? value(of: property) : integerCase(property, as: Value.self) }
        set { setCase(newValue, property, raw: newValue.map { NSNumber(value: Int64($0.rawValue)) }) }
    }

    private final func textCase<Value: RawRepresentable, Declared>(
        _ property: ManagedProperty<Declared>, as type: Value.Type
    ) -> Value?
    where Value.RawValue == String {
        guard let text: String = cellValue(property) else { return nil }
        guard let value = Value(rawValue: text) else { return unknownRawValue(text, property) }
        return value
    }

    /// The value of a required string attribute as an enumeration; stops the program if it is nil. A transformable
    /// attribute stores the value itself.
    public final subscript<Value: RawRepresentable>(property: ManagedProperty<Value>) -> Value
    where Value.RawValue == String {
        get {
            storesValueItself(property) ? value(of: property) : textCase(property, as: Value.self) ?? required(property)
        }
        set { setCase(newValue, property, raw: newValue.rawValue) }
    }

    /// The value of a string attribute as an enumeration. A transformable attribute stores the value itself.
    public final subscript<Value: RawRepresentable>(property: ManagedProperty<Value?>) -> Value?
    where Value.RawValue == String {
        get { storesValueItself(property) ? value(of: property) : textCase(property, as: Value.self) }
        set { setCase(newValue, property, raw: newValue?.rawValue) }
    }

    // MARK: Primitive access

    /// **Extension.** Runs a setter of a primitive property: as with `setPrimitiveValue(_:forKey:)`, the object is not
    /// marked as changed.
    ///
    /// As with that method, a relationship is set with its inverse and with change notices. Generated accessors of
    /// `primitiveTitle` call it. Used on the context's queue.
    ///
    /// - Parameters:
    ///   - property: the property whose name begins with `primitive`.
    ///   - set: sets the property.
    public final func withPrimitiveAccess<Value>(to property: ManagedProperty<Value>, _ set: () -> Void) {
        guard property.isPrimitive(in: layout), !property.slot(of: self).isRelationship,
            !flags.contains(.suppressesChangeTracking)
        else {
            return set()
        }
        fireFaultIfNeeded()
        ownCells()
        flags.insert(.suppressesChangeTracking)
        defer { flags.remove(.suppressesChangeTracking) }
        set()
    }
}

/// The value of a nil property in a type that isn't optional.
private enum NilReading {
    static func value<Value>(_ type: Value.Type) -> Value? {
        if let optional = type as? any ExpressibleByNilLiteral.Type { return Self.nothing(optional) as? Value }
        if let collection = type as? any EmptyReadable.Type { return collection.init() as? Value }
        return nil
    }

    private static func nothing<Value: ExpressibleByNilLiteral>(_ type: Value.Type) -> Any { Value(nilLiteral: ()) }
}

/// Collections read nil as empty, as in Core Data's own accessors.
private protocol EmptyReadable { init() }
extension Array: EmptyReadable {}
extension Dictionary: EmptyReadable {}
extension Set: EmptyReadable {}
