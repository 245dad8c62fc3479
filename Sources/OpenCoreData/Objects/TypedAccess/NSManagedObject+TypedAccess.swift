// SPDX-License-Identifier: Apache-2.0

/// **Extension.** Typed access to attributes through `ManagedProperty`, without boxing.
///
/// Reading fires a fault; writing marks the object as changed. Stops the program if the property's type doesn't match
/// the attribute's. Used on the context's queue.
extension NSManagedObject {
    // MARK: Any type of cell values

    /// The value of a cell; nil for nil.
    @inline(__always)
    final func cellValue<Value: CellValue, Declared>(
        _ property: ManagedProperty<Declared>, _ kinds: StorageKinds = Value.kinds
    ) -> Value? {
        let cell = property.cell(of: self, accepting: kinds)
        fireFaultIfNeeded(cell)
        return Value.read(cells, cell)
    }

    /// The value of a cell. If it is nil, the result is zero or empty, or the program is stopped.
    @inline(__always)
    final func requiredCellValue<Value: CellValue>(
        _ property: ManagedProperty<Value>, _ kinds: StorageKinds = Value.kinds
    ) -> Value {
        let cell = property.cell(of: self, accepting: kinds)
        fireFaultIfNeeded(cell)
        return Value.readRequired(cells, cell) ?? required(property)
    }

    @inline(__always)
    final func setCellValue<Value: CellValue, Declared>(
        _ value: Value?, _ property: ManagedProperty<Declared>, _ kinds: StorageKinds = Value.kinds
    ) {
        let cell = property.cell(of: self, accepting: kinds)
        prepareForWriting(cell)
        Value.write(value, cells, cell)
    }

    // MARK: Integers

    /// The value of an integer attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Int64>) -> Int64 {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of an integer attribute.
    public final subscript(property: ManagedProperty<Int64?>) -> Int64? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of an integer attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Int32>) -> Int32 {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of an integer attribute.
    public final subscript(property: ManagedProperty<Int32?>) -> Int32? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of an integer attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Int16>) -> Int16 {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of an integer attribute.
    public final subscript(property: ManagedProperty<Int16?>) -> Int16? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of an integer attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Int>) -> Int {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of an integer attribute.
    public final subscript(property: ManagedProperty<Int?>) -> Int? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a Boolean attribute; nil reads as false.
    public final subscript(property: ManagedProperty<Bool>) -> Bool {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a Boolean attribute.
    public final subscript(property: ManagedProperty<Bool?>) -> Bool? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    // MARK: Real numbers and dates

    /// The value of a Double attribute, or the seconds of a date since the reference date; nil reads as 0.
    public final subscript(property: ManagedProperty<Double>) -> Double {
        get { requiredCellValue(property, .realOrDate) }
        set { setCellValue(newValue, property, .realOrDate) }
    }

    /// The value of a Double attribute, or the seconds of a date since the reference date.
    public final subscript(property: ManagedProperty<Double?>) -> Double? {
        get { cellValue(property, .realOrDate) }
        set { setCellValue(newValue, property, .realOrDate) }
    }

    /// The value of a Float attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Float>) -> Float {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a Float attribute.
    public final subscript(property: ManagedProperty<Float?>) -> Float? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a date attribute.
    public final subscript(property: ManagedProperty<Date?>) -> Date? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a required date attribute; stops the program if it is nil.
    public final subscript(property: ManagedProperty<Date>) -> Date {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
    }

    // MARK: Strings

    /// The value of a string attribute.
    public final subscript(property: ManagedProperty<String?>) -> String? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a string attribute; nil reads as the empty string, as in Core Data's own accessors.
    public final subscript(property: ManagedProperty<String>) -> String {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
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
