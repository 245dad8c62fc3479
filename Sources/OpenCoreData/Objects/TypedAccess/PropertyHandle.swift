// SPDX-License-Identifier: Apache-2.0

/// A property by name, whose position in objects of the entity is remembered: what accessors of models in SwiftData
/// use. Unlike `ManagedProperty`, a property that doesn't exist or has another kind doesn't stop the program.
///
/// A handle is never deallocated; make one for each declaration. A handle is used with values of one type.
package struct PropertyHandle: @unchecked Sendable {
    // Sendable: the storage is atomic.
    private let storage: UnsafeMutablePointer<ManagedPropertyStorage>

    package init(_ name: String) { storage = ManagedPropertyStorages.newStorage(name: name) }

    /// The handle of a declaration that may run often, for values of a type: all of its runs share one storage.
    package init(sharing name: String, type: Any.Type) {
        storage = ManagedPropertyStorages.storage(name: name, type: type, file: "", line: 0)
    }

    /// The address of the storage. A handle consists of this address alone: another module makes a handle from it by a
    /// cast.
    package var address: UInt { UInt(bitPattern: storage) }

    package var name: String { storage.pointee.name }

    /// The position of the property's cell in an object; -1 if the entity has no such property of the given kinds.
    @inline(__always)
    fileprivate func cell(of object: NSManagedObject, accepting kinds: StorageKinds) -> Int {
        let location = storage.pointee.cellLocation.load(ordering: .relaxed)
        if Self.isLocation(location, in: object) { return Int(location & 0xFFFF) }
        return resolveCell(of: object, accepting: kinds)
    }

    /// The property's slot; nil if the entity has no such property.
    @inline(__always)
    package func slot(of object: NSManagedObject) -> PropertySlot? {
        let location = storage.pointee.slotLocation.load(ordering: .relaxed)
        if Self.isLocation(location, in: object) { return object.layout.properties[Int(location & 0xFFFF)] }
        return resolveSlot(of: object)
    }

    /// Whether a remembered position belongs to the object's entity: see `ManagedPropertyStorage.cellLocation`.
    @inline(__always)
    private static func isLocation(_ location: UInt64, in object: NSManagedObject) -> Bool {
        object.layoutNumber &- UInt32(truncatingIfNeeded: location >> 32)
            <= UInt32(truncatingIfNeeded: location >> 16) & 0xFFFF
    }

    @inline(never)
    private func resolveSlot(of object: NSManagedObject) -> PropertySlot? {
        guard let slot = object.layout.slot(named: name) else { return nil }
        if let location = Self.location(slot, position: slot.index, in: object.layout) {
            storage.pointee.slotLocation.store(location, ordering: .relaxed)
        }
        return slot
    }

    @inline(never)
    private func resolveCell(of object: NSManagedObject, accepting kinds: StorageKinds) -> Int {
        guard var slot = object.layout.slot(named: name) else { return -1 }
        // The value of a composite attribute with one element is that element.
        if slot.kind == .composite, slot.elements.count == 1 { slot = slot.elements[0] }
        guard kinds.contains(slot.kind) else { return -1 }
        let declared = object.layout.properties[slot.index]
        if let location = Self.location(declared, position: slot.cell, in: object.layout) {
            storage.pointee.cellLocation.store(location, ordering: .relaxed)
        }
        return slot.cell
    }

    /// A position that is valid for the entity that declares the property, and for its subentities.
    private static func location(_ slot: PropertySlot, position: Int, in layout: EntityLayout) -> UInt64? {
        var declaring = layout
        while let above = declaring.superlayout, above.position(of: slot.name) != nil { declaring = above }
        guard declaring.span <= 0xFFFF && position <= 0xFFFF else { return nil }
        return UInt64(declaring.number) << 32 | UInt64(declaring.span) << 16 | UInt64(position)
    }
}

/// Typed access by handle. Reading gives nil, and writing false, for a property that doesn't exist or has another kind.
extension NSManagedObject {
    package final func integerValue(_ property: PropertyHandle) -> Int64? {
        let cell = property.cell(of: self, accepting: .integers)
        guard cell >= 0 else { return nil }
        fireFaultIfNeeded(cell)
        return cells.isPresent(cell) ? cells.integer(cell) : nil
    }

    package final func setIntegerValue(_ value: Int64, _ property: PropertyHandle) -> Bool {
        let cell = property.cell(of: self, accepting: .integers)
        guard cell >= 0 else { return false }
        prepareForWriting(cell)
        cells.setInteger(value, at: cell)
        return true
    }

    package final func realValue(_ property: PropertyHandle) -> Double? { double(property, .real) }

    package final func setRealValue(_ value: Double, _ property: PropertyHandle) -> Bool {
        setDouble(value, property, .real)
    }

    package final func dateValue(_ property: PropertyHandle) -> Double? { double(property, .date) }

    package final func setDateValue(_ value: Double, _ property: PropertyHandle) -> Bool {
        setDouble(value, property, .date)
    }

    @inline(__always)
    private final func double(_ property: PropertyHandle, _ kinds: StorageKinds) -> Double? {
        let cell = property.cell(of: self, accepting: kinds)
        guard cell >= 0 else { return nil }
        fireFaultIfNeeded(cell)
        return cells.isPresent(cell) ? cells.double(cell) : nil
    }

    @inline(__always)
    private final func setDouble(_ value: Double, _ property: PropertyHandle, _ kinds: StorageKinds) -> Bool {
        let cell = property.cell(of: self, accepting: kinds)
        guard cell >= 0 else { return false }
        prepareForWriting(cell)
        cells.setDouble(value, at: cell)
        return true
    }

    package final func stringValue(_ property: PropertyHandle) -> String? {
        let cell = property.cell(of: self, accepting: .string)
        guard cell >= 0 else { return nil }
        fireFaultIfNeeded(cell)
        return cells.string(cell).pointee
    }

    package final func setStringValue(_ value: String, _ property: PropertyHandle) -> Bool {
        let cell = property.cell(of: self, accepting: .string)
        guard cell >= 0 else { return false }
        prepareForWriting(cell)
        cells.string(cell).pointee = value
        return true
    }

    // MARK: Objects

    package final func dataValue(_ property: PropertyHandle) -> Data? { boxed(property, .data) }

    package final func setDataValue(_ value: Data, _ property: PropertyHandle) -> Bool {
        setBoxed(value, property, .data)
    }

    package final func uuidValue(_ property: PropertyHandle) -> UUID? { boxed(property, .uuid) }

    package final func setUUIDValue(_ value: UUID, _ property: PropertyHandle) -> Bool {
        setBoxed(value, property, .uuid)
    }

    package final func urlValue(_ property: PropertyHandle) -> URL? { boxed(property, .uri) }

    package final func setURLValue(_ value: URL, _ property: PropertyHandle) -> Bool {
        setBoxed(value, property, .uri)
    }

    package final func decimalValue(_ property: PropertyHandle) -> Decimal? {
        let cell = property.cell(of: self, accepting: .decimal)
        guard cell >= 0 else { return nil }
        fireFaultIfNeeded(cell)
        return (cells.object(cell).pointee as? NSDecimalNumber)?.decimalValue
    }

    package final func setDecimalValue(_ value: Decimal, _ property: PropertyHandle) -> Bool {
        let cell = property.cell(of: self, accepting: .decimal)
        guard cell >= 0 else { return false }
        prepareForWriting(cell)
        cells.object(cell).pointee = HashableDecimalNumber(decimal: value)
        return true
    }

    @inline(__always)
    private final func boxed<Value>(_ property: PropertyHandle, _ kinds: StorageKinds) -> Value? {
        let cell = property.cell(of: self, accepting: kinds)
        guard cell >= 0 else { return nil }
        fireFaultIfNeeded(cell)
        return (cells.object(cell).pointee as? Box<Value>)?.value
    }

    @inline(__always)
    private final func setBoxed<Value>(_ value: Value, _ property: PropertyHandle, _ kinds: StorageKinds) -> Bool {
        let cell = property.cell(of: self, accepting: kinds)
        guard cell >= 0 else { return false }
        prepareForWriting(cell)
        cells.object(cell).pointee = Box(value)
        return true
    }
}
