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
        storage.pointee.cellLocation.position(in: object) ?? resolveCell(of: object, accepting: kinds)
    }

    /// The property's slot; nil if the entity has no such property.
    @inline(__always)
    package func slot(of object: NSManagedObject) -> PropertySlot? {
        guard let position = storage.pointee.slotLocation.position(in: object) else { return resolveSlot(of: object) }
        return object.layout.properties[position]
    }

    @inline(never)
    private func resolveSlot(of object: NSManagedObject) -> PropertySlot? {
        guard let slot = object.layout.slot(named: name) else { return nil }
        storage.pointee.slotLocation.remember(slot.index, of: slot, in: object.layout)
        return slot
    }

    @inline(never)
    private func resolveCell(of object: NSManagedObject, accepting kinds: StorageKinds) -> Int {
        guard var slot = object.layout.slot(named: name) else { return -1 }
        // The value of a composite attribute with one element is that element.
        if slot.kind == .composite, slot.elements.count == 1 { slot = slot.elements[0] }
        guard kinds.contains(slot.kind) else { return -1 }
        storage.pointee.cellLocation.remember(slot.cell, of: object.layout.properties[slot.index], in: object.layout)
        return slot.cell
    }
}

/// Typed access by handle. Reading gives nil, and writing false, for a property that doesn't exist or has another kind.
extension NSManagedObject {
    package final func value(at property: PropertyHandle) -> Int64? { cellValue(property) }
    package final func setValue(_ value: Int64, at property: PropertyHandle) -> Bool { setCellValue(value, property) }
    package final func value(at property: PropertyHandle) -> Bool? { cellValue(property) }
    package final func setValue(_ value: Bool, at property: PropertyHandle) -> Bool { setCellValue(value, property) }
    package final func value(at property: PropertyHandle) -> Double? { cellValue(property) }
    package final func setValue(_ value: Double, at property: PropertyHandle) -> Bool { setCellValue(value, property) }
    package final func value(at property: PropertyHandle) -> Float? { cellValue(property) }
    package final func setValue(_ value: Float, at property: PropertyHandle) -> Bool { setCellValue(value, property) }
    package final func value(at property: PropertyHandle) -> Date? { cellValue(property) }
    package final func setValue(_ value: Date, at property: PropertyHandle) -> Bool { setCellValue(value, property) }
    package final func value(at property: PropertyHandle) -> String? { cellValue(property) }
    package final func setValue(_ value: String, at property: PropertyHandle) -> Bool { setCellValue(value, property) }
    package final func value(at property: PropertyHandle) -> Data? { cellValue(property) }
    package final func setValue(_ value: Data, at property: PropertyHandle) -> Bool { setCellValue(value, property) }
    package final func value(at property: PropertyHandle) -> UUID? { cellValue(property) }
    package final func setValue(_ value: UUID, at property: PropertyHandle) -> Bool { setCellValue(value, property) }
    package final func value(at property: PropertyHandle) -> URL? { cellValue(property) }
    package final func setValue(_ value: URL, at property: PropertyHandle) -> Bool { setCellValue(value, property) }
    package final func value(at property: PropertyHandle) -> Decimal? { cellValue(property) }
    package final func setValue(_ value: Decimal, at property: PropertyHandle) -> Bool { setCellValue(value, property) }

    @inline(__always)
    private final func cellValue<Value: CellValue>(_ property: PropertyHandle) -> Value? {
        let cell = property.cell(of: self, accepting: Value.kinds)
        guard cell >= 0 else { return nil }
        fireFaultIfNeeded(cell)
        return Value.read(cells, cell)
    }

    @inline(__always)
    private final func setCellValue<Value: CellValue>(_ value: Value, _ property: PropertyHandle) -> Bool {
        let cell = property.cell(of: self, accepting: Value.kinds)
        guard cell >= 0 else { return false }
        prepareForWriting(cell)
        Value.write(value, cells, cell)
        return true
    }
}
