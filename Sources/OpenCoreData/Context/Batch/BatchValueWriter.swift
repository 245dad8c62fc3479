// SPDX-License-Identifier: Apache-2.0

/// Writes the values of batch requests into cells. A value of a wrong type is an error, since the values often come
/// from outside of the program.
struct BatchValueWriter {
    let layout: EntityLayout
    /// The store that executes the request.
    let store: StoreIdentity

    /// The property of a key.
    ///
    /// - Throws: `NSCoreDataError` (134060) for a key that the entity doesn't have.
    func slot(_ key: String) throws -> PropertySlot {
        if let slot = layout.slot(named: key) { return slot }
        throw refusal(
            "keypath \(key) not found in entity \(layout.name)",
            "the entity has no such property\(NearestNames.suggestion(for: key, in: layout.properties.map(\.name)))",
            key)
    }

    /// Writes one value.
    ///
    /// - Throws: `NSCoreDataError` (134060) for a value of a wrong type, and for a property that a batch request can't
    ///   set.
    func write(_ value: Any, _ slot: PropertySlot, _ cells: Cells) throws {
        // The usual types first: a cast costs more than writing the value.
        let type = Swift.type(of: value)
        if slot.attribute != nil, !slot.isTransient, slot.derivation == nil {
            switch slot.kind {
            case .string where type == String.self:
                cells.string(slot.cell).pointee = exactly(value, as: String.self)
                return
            case .integer64 where type == Int.self:
                cells.setInteger(Int64(exactly(value, as: Int.self)), at: slot.cell)
                return
            case .integer64 where type == NSNumber.self:
                guard let integer = Numbers.int64(exactly(value, as: NSNumber.self)) else { break }
                cells.setInteger(integer, at: slot.cell)
                return
            case .double where type == Double.self:
                let number = exactly(value, as: Double.self)
                if number.isNaN { break }
                cells.setDouble(number, at: slot.cell)
                return
            case .double where type == NSNumber.self:
                let number = exactly(value, as: NSNumber.self).doubleValue
                if number.isNaN { break }
                cells.setDouble(number, at: slot.cell)
                return
            case .date where type == Date.self:
                let seconds = exactly(value, as: Date.self).timeIntervalSinceReferenceDate
                if seconds.isNaN { break }
                cells.setDouble(seconds, at: slot.cell)
                return
            default: break
            }
        }
        try writeAny(value, slot, cells)
    }

    /// A value whose type was compared already: a cast would compare it again.
    @inline(__always)
    private func exactly<Given, Value>(_ value: Given, as type: Value.Type) -> Value {
        unsafeBitCast(value, to: type)
    }

    @inline(never)
    private func writeAny(_ given: Any, _ slot: PropertySlot, _ cells: Cells) throws {
        try checkIsSettable(slot)
        guard let value = PropertySlot.unwrapped(given), !(value is NSNull) else { return slot.clear(cells) }
        if slot.kind == .toOne { return try writeReference(value, slot, cells) }
        guard slot.accepts(value) else {
            throw refusal(
                "\(layout.name).\(slot.name) can't be set",
                "a value of type \(Swift.type(of: value)) is no value of an attribute of the type \(slot.kind)",
                slot.name)
        }
        slot.write(value, to: cells, entity: layout.name)
        if slot.containsInvalidValue(cells) || !Self.fits(value, slot) {
            let isNumber = slot.kind.integerRange != nil || slot.kind == .date || slot.kind == .integer64
            throw refusal(
                "\(layout.name).\(slot.name) can't be set",
                isNumber
                    ? "the value \(value) is out of the attribute's range"
                    : "the attribute is required, and the value is not a number (NaN)",
                slot.name)
        }
    }

    /// - Throws: `NSCoreDataError` (134060) for a property that a batch request can't set.
    func checkIsSettable(_ slot: PropertySlot) throws {
        guard let problem = problem(slot) else { return }
        throw refusal("A batch request can't set \(layout.name).\(slot.name)", problem, slot.name)
    }

    private func problem(_ slot: PropertySlot) -> String? {
        if slot.isTransient { return "it is transient" }
        if slot.derivation != nil { return "it is derived: the store computes it" }
        switch slot.kind {
        case .toMany: return "it is a to-many relationship; set the to-one relationship of the other objects"
        case .fetched: return "it is a fetched property"
        case .toOne:
            guard let inverse = slot.relationship?.inverseRelationship else { return nil }
            if !inverse.isToMany { return "its inverse is a to-one relationship, which would not be maintained" }
            return inverse.isOrdered ? "its inverse is ordered, and the order would not be maintained" : nil
        default: return nil
        }
    }

    private func writeReference(_ value: Any, _ slot: PropertySlot, _ cells: Cells) throws {
        let name = "\(layout.name).\(slot.name) can't be set"
        guard let id = value as? NSManagedObjectID ?? (value as? NSManagedObject)?.objectID else {
            throw refusal(name, "a value of type \(type(of: value)) is no object ID", slot.name)
        }
        guard !id.isTemporaryID, id.storeIdentity === store || id.storeIdentity?.uuid == store.uuid else {
            throw refusal(name, "the object \(id) isn't saved in the store of the request", slot.name)
        }
        let destination = layout.model[slot.destination]
        guard let actual = layout.model.byName[id.layout.name], actual.isKind(of: destination) else {
            throw refusal(name, "an object of entity \(id.layout.name) is no \(destination.name)", slot.name)
        }
        cells.setReference(id.key, layout: actual.number, at: slot.cell)
    }

    /// Whether each number is in the range of an integer attribute of 64 bits, whose cell has no room beyond it.
    private static func fits(_ value: Any, _ slot: PropertySlot) -> Bool {
        if slot.kind.isInteger { return (value as? NSNumber).map { Numbers.int64($0) != nil } ?? true }
        guard slot.kind == .composite, let values = value as? [String: Any] else { return true }
        return slot.elements.allSatisfy { element in values[element.name].map { fits($0, element) } ?? true }
    }

    private func refusal(_ description: String, _ reason: String, _ key: String) -> NSError {
        CoreDataErrors.error(
            NSCoreDataError, "\(description).", reason: "\(reason.prefix(1).uppercased())\(reason.dropFirst()).",
            userInfo: ["entity": layout.name, "part": key])
    }
}
