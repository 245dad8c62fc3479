// SPDX-License-Identifier: Apache-2.0

/// **Extension.** Typed access to attributes whose cells contain objects. Used on the context's queue.
extension NSManagedObject {
    /// The value of a binary attribute.
    public final subscript(property: ManagedProperty<Data?>) -> Data? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a UUID attribute.
    public final subscript(property: ManagedProperty<UUID?>) -> UUID? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a URI attribute.
    public final subscript(property: ManagedProperty<URL?>) -> URL? {
        get { cellValue(property) }
        set { setCellValue(newValue, property) }
    }

    // MARK: Required values

    /// The value of a binary attribute; nil reads as empty, as in Core Data's own accessors.
    public final subscript(property: ManagedProperty<Data>) -> Data {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a required UUID attribute; stops the program if it is nil.
    public final subscript(property: ManagedProperty<UUID>) -> UUID {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
    }

    /// The value of a required URI attribute; stops the program if it is nil.
    public final subscript(property: ManagedProperty<URL>) -> URL {
        get { requiredCellValue(property) }
        set { setCellValue(newValue, property) }
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
        setCellValue(value, property)
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
