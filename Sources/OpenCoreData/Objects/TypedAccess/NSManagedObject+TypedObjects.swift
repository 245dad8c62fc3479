// SPDX-License-Identifier: Apache-2.0

/// **Extension.** Typed access to attributes whose cells contain objects. Used on the context's queue.
extension NSManagedObject {
    @inline(__always)
    private final func boxed<Value, Declared>(_ property: ManagedProperty<Declared>, _ kinds: StorageKinds) -> Value? {
        let cell = property.cell(of: self, accepting: kinds)
        fireFaultIfNeeded(cell)
        return (cells.object(cell).pointee as? Box<Value>)?.value
    }

    @inline(__always)
    private final func setBoxed<Value, Declared>(
        _ value: Value?, _ property: ManagedProperty<Declared>, _ kinds: StorageKinds
    ) {
        let cell = property.cell(of: self, accepting: kinds)
        prepareForWriting(cell)
        cells.object(cell).pointee = value.map { Box($0) }
    }

    /// The value of a binary attribute.
    public final subscript(property: ManagedProperty<Data?>) -> Data? {
        get { boxed(property, .data) }
        set { setBoxed(newValue, property, .data) }
    }

    /// The value of a UUID attribute.
    public final subscript(property: ManagedProperty<UUID?>) -> UUID? {
        get { boxed(property, .uuid) }
        set { setBoxed(newValue, property, .uuid) }
    }

    /// The value of a URI attribute.
    public final subscript(property: ManagedProperty<URL?>) -> URL? {
        get { boxed(property, .uri) }
        set { setBoxed(newValue, property, .uri) }
    }

    // MARK: Required values

    /// The value of a binary attribute; nil reads as empty, as in Core Data's own accessors.
    public final subscript(property: ManagedProperty<Data>) -> Data {
        get { boxed(property, .data) ?? Data() }
        set { setBoxed(newValue, property, .data) }
    }

    /// The value of a required UUID attribute; stops the program if it is nil.
    public final subscript(property: ManagedProperty<UUID>) -> UUID {
        get { boxed(property, .uuid) ?? required(property) }
        set { setBoxed(newValue, property, .uuid) }
    }

    /// The value of a required URI attribute; stops the program if it is nil.
    public final subscript(property: ManagedProperty<URL>) -> URL {
        get { boxed(property, .uri) ?? required(property) }
        set { setBoxed(newValue, property, .uri) }
    }

    // MARK: Decimals

    @inline(__always)
    private final func decimal<Declared>(_ property: ManagedProperty<Declared>) -> NSDecimalNumber? {
        guard
            let cell = property.knownCell(of: self)
                ?? (layout.isRecording || property.slot(of: self).kind == .decimal
                    ? property.cell(of: self, accepting: .decimal) : nil)
        else { return decimalOfNumber(property) }
        fireFaultIfNeeded(cell)
        return cells.object(cell).pointee as? NSDecimalNumber
    }

    /// The value of an attribute of other numbers as a decimal number.
    @inline(never)
    private final func decimalOfNumber<Declared>(_ property: ManagedProperty<Declared>) -> NSDecimalNumber? {
        let slot = property.slot(of: self)
        guard let value = propertyValue(at: slot.index) else { return nil }
        guard let number = value as? NSNumber else { typeMismatch(property, slot, value: value) }
        return HashableDecimalNumber(decimal: number.decimalValue)
    }

    private final func setDecimal<Declared>(_ value: Decimal?, _ property: ManagedProperty<Declared>) {
        let slot = property.slot(of: self)
        guard layout.isRecording || slot.kind == .decimal else {
            return setPropertyValue(value.map { HashableDecimalNumber(decimal: $0) }, at: slot.index)
        }
        let cell = property.cell(of: self, accepting: .decimal)
        prepareForWriting(cell)
        cells.object(cell).pointee = value.map { HashableDecimalNumber(decimal: $0) }
    }

    /// The value of a decimal attribute.
    public final subscript(property: ManagedProperty<Decimal?>) -> Decimal? {
        get { decimal(property)?.decimalValue }
        set { setDecimal(newValue, property) }
    }

    /// The value of a decimal attribute; nil reads as 0.
    public final subscript(property: ManagedProperty<Decimal>) -> Decimal {
        get { decimal(property)?.decimalValue ?? 0 }
        set { setDecimal(newValue, property) }
    }

    /// The value of a decimal attribute.
    public final subscript(property: ManagedProperty<NSDecimalNumber?>) -> NSDecimalNumber? {
        get { decimal(property) }
        set { setDecimal(newValue?.decimalValue, property) }
    }

    /// The value of a required decimal attribute; stops the program if it is nil.
    public final subscript(property: ManagedProperty<NSDecimalNumber>) -> NSDecimalNumber {
        get { decimal(property) ?? required(property) }
        set { setDecimal(newValue.decimalValue, property) }
    }
}
