// SPDX-License-Identifier: Apache-2.0

/// **Extension.** Typed access to attributes through `ManagedProperty`, without boxing.
///
/// Reading fires a fault; writing marks the object as changed. Stops the program if the property's type doesn't match
/// the attribute's. Used on the context's queue.
extension NSManagedObject {
    // MARK: Integers

    @inline(__always)
    private final func integer<Value>(_ property: ManagedProperty<Value>) -> Int64 {
        let cell = property.cell(of: self, accepting: .integers)
        fireFaultIfNeeded(cell)
        return cells.integer(cell)
    }

    @inline(__always)
    private final func setInteger<Value>(_ value: Int64, _ property: ManagedProperty<Value>) {
        let cell = property.cell(of: self, accepting: .integers)
        prepareForWriting(cell)
        cells.setInteger(value, at: cell)
    }

    @inline(__always)
    private final func optionalInteger<Value>(_ property: ManagedProperty<Value>) -> Int64? {
        let cell = property.cell(of: self, accepting: .integers)
        fireFaultIfNeeded(cell)
        return cells.isPresent(cell) ? cells.integer(cell) : nil
    }

    @inline(__always)
    private final func setOptionalInteger<Value>(_ value: Int64?, _ property: ManagedProperty<Value>) {
        let cell = property.cell(of: self, accepting: .integers)
        prepareForWriting(cell)
        if let value { cells.setInteger(value, at: cell) } else { cells.setEmpty(cell) }
    }

    /// The value of an integer attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Int64>) -> Int64 {
        get { integer(property) }
        set { setInteger(newValue, property) }
    }

    /// The value of an integer attribute.
    public final subscript(property: ManagedProperty<Int64?>) -> Int64? {
        get { optionalInteger(property) }
        set { setOptionalInteger(newValue, property) }
    }

    /// The value of an integer attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Int32>) -> Int32 {
        get { Int32(truncatingIfNeeded: integer(property)) }
        set { setInteger(Int64(newValue), property) }
    }

    /// The value of an integer attribute.
    public final subscript(property: ManagedProperty<Int32?>) -> Int32? {
        get { optionalInteger(property).map { Int32(truncatingIfNeeded: $0) } }
        set { setOptionalInteger(newValue.map { Int64($0) }, property) }
    }

    /// The value of an integer attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Int16>) -> Int16 {
        get { Int16(truncatingIfNeeded: integer(property)) }
        set { setInteger(Int64(newValue), property) }
    }

    /// The value of an integer attribute.
    public final subscript(property: ManagedProperty<Int16?>) -> Int16? {
        get { optionalInteger(property).map { Int16(truncatingIfNeeded: $0) } }
        set { setOptionalInteger(newValue.map { Int64($0) }, property) }
    }

    /// The value of an integer attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Int>) -> Int {
        get { Int(truncatingIfNeeded: integer(property)) }
        set { setInteger(Int64(newValue), property) }
    }

    /// The value of an integer attribute.
    public final subscript(property: ManagedProperty<Int?>) -> Int? {
        get { optionalInteger(property).map { Int(truncatingIfNeeded: $0) } }
        set { setOptionalInteger(newValue.map { Int64($0) }, property) }
    }

    /// The value of a Boolean attribute; nil reads as false.
    public final subscript(property: ManagedProperty<Bool>) -> Bool {
        get { integer(property) != 0 }
        set { setInteger(newValue ? 1 : 0, property) }
    }

    /// The value of a Boolean attribute.
    public final subscript(property: ManagedProperty<Bool?>) -> Bool? {
        get { optionalInteger(property).map { $0 != 0 } }
        set { setOptionalInteger(newValue.map { $0 ? 1 : 0 }, property) }
    }

    // MARK: Real numbers and dates

    @inline(__always)
    private final func real<Value>(_ property: ManagedProperty<Value>, _ kinds: StorageKinds) -> Double? {
        let cell = property.cell(of: self, accepting: kinds)
        fireFaultIfNeeded(cell)
        return cells.isPresent(cell) ? cells.double(cell) : nil
    }

    @inline(__always)
    private final func setReal<Value>(_ value: Double?, _ property: ManagedProperty<Value>, _ kinds: StorageKinds) {
        let cell = property.cell(of: self, accepting: kinds)
        prepareForWriting(cell)
        if let value { cells.setDouble(value, at: cell) } else { cells.setEmpty(cell) }
    }

    /// The value of a Double attribute, or the seconds of a date since the reference date; nil reads as 0.
    public final subscript(property: ManagedProperty<Double>) -> Double {
        get { real(property, .realOrDate) ?? 0 }
        set { setReal(newValue, property, .realOrDate) }
    }

    /// The value of a Double attribute, or the seconds of a date since the reference date.
    public final subscript(property: ManagedProperty<Double?>) -> Double? {
        get { real(property, .realOrDate) }
        set { setReal(newValue, property, .realOrDate) }
    }

    /// The value of a Float attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Float>) -> Float {
        get { real(property, .real).map { Float($0) } ?? 0 }
        set { setReal(Double(newValue), property, .real) }
    }

    /// The value of a Float attribute.
    public final subscript(property: ManagedProperty<Float?>) -> Float? {
        get { real(property, .real).map { Float($0) } }
        set { setReal(newValue.map { Double($0) }, property, .real) }
    }

    /// The value of a date attribute.
    public final subscript(property: ManagedProperty<Date?>) -> Date? {
        get { real(property, .date).map(Date.init(timeIntervalSinceReferenceDate:)) }
        set { setReal(newValue?.timeIntervalSinceReferenceDate, property, .date) }
    }

    /// The value of a required date attribute; stops the program if it is nil.
    public final subscript(property: ManagedProperty<Date>) -> Date {
        get { Date(timeIntervalSinceReferenceDate: real(property, .date) ?? required(property)) }
        set { setReal(newValue.timeIntervalSinceReferenceDate, property, .date) }
    }

    // MARK: Strings

    /// The value of a string attribute.
    public final subscript(property: ManagedProperty<String?>) -> String? {
        get {
            let cell = property.cell(of: self, accepting: .string)
            fireFaultIfNeeded(cell)
            return cells.string(cell).pointee
        }
        set {
            let cell = property.cell(of: self, accepting: .string)
            prepareForWriting(cell)
            cells.string(cell).pointee = newValue
        }
    }

    /// The value of a string attribute; nil reads as the empty string, as in Core Data's own accessors.
    public final subscript(property: ManagedProperty<String>) -> String {
        get {
            let cell = property.cell(of: self, accepting: .string)
            fireFaultIfNeeded(cell)
            return cells.string(cell).pointee ?? ""
        }
        set {
            let cell = property.cell(of: self, accepting: .string)
            prepareForWriting(cell)
            cells.string(cell).pointee = newValue
        }
    }

    // MARK: Mistakes

    /// Stops the program: the value of a property is nil, and the property's type isn't optional.
    @inline(never)
    final func required<Value, Result>(_ property: ManagedProperty<Value>) -> Result {
        if layout.isRecording { return RecordedValue.value(Result.self, for: property.name) }
        programmingError(
            "\(layout.name).\(property.name) is nil, but its accessor has the type \(Value.self).",
            remedy: "Set the value when the object is inserted, or declare the accessor as optional.")
    }
}
