// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Values that each access makes from their stored form.
extension ModelObject {
    // MARK: Codable values

    /// The value of an attribute.
    func codableValue<Value: Codable>(of property: PersistentProperty) -> Value {
        guard let slot = property.handle.slot(of: self), !isNil(slot) else { return missingValue(of: property) }
        return decodedValue(of: property, slot)
    }

    /// The value of an attribute that isn't nil.
    func decodedValue<Value>(of property: PersistentProperty, _ slot: PropertySlot) -> Value {
        do {
            let type = TypeKind.unwrapped(Value.self).type
            guard let decodable = type as? any Decodable.Type else { return missingValue(of: property) }
            let stored = slotValue(slot)
            let value: Any?
            switch slot.kind {
            case .composite:
                value = try CompositeDecoding.value(
                    of: decodable, from: stored as? [String: Any] ?? [:], named: slot.name)
            case .data where type != Data.self:
                value = try (stored as? Data).map { try JSONForm.value(of: decodable, in: $0) }
            case .transformable: value = stored.flatMap { ArchivedCollections.value(of: type, from: $0) }
            default: value = (type as? any AttributeValue.Type)?.init(storedValue: stored)
            }
            if let value = value as? Value { return value }
            reportUnreadable(slot, "its stored form is no \(type)")
        } catch {
            reportUnreadable(slot, "\(error)")
        }
        return missingValue(of: property)
    }

    /// Sets an attribute. If the value's `encode(to:)` throws, the attribute becomes nil, and the reason is logged.
    func setEncodableValue<Value: Encodable>(_ value: Value, of property: PersistentProperty) {
        guard let slot = property.handle.slot(of: self), !slot.isRelationship else { return }
        guard let unwrapped = AnyValues.unwrapped(value), let encodable = unwrapped as? any Encodable else {
            return setSlotValue(nil, slot)
        }
        do {
            switch slot.kind {
            case .composite: setSlotValue(try CompositeEncoding.dictionary(of: encodable, named: slot.name), slot)
            case .data where !(unwrapped is Data): setSlotValue(try JSONForm.data(of: encodable), slot)
            case .transformable: setSlotValue(ArchivedCollections.object(of: unwrapped), slot)
            default: setStoredValue((unwrapped as? any AttributeValue)?.storedValue, of: property)
            }
        } catch {
            CoreDataLog.error("\(layout.name).\(slot.name) can't be encoded and has no value now: \(error)")
            setSlotValue(nil, slot)
        }
    }

    // MARK: Transformable values

    /// The value of a transformable attribute.
    func transformableValue<Value>(of property: PersistentProperty) -> Value {
        guard let slot = property.handle.slot(of: self) else { return missingValue(of: property) }
        let stored = slotValue(slot)
        if let value = AnyValues.cast(stored, to: Value.self) { return value }
        if let stored, let value = ArchivedCollections.value(of: Value.self, from: stored) as? Value { return value }
        return missingValue(of: property)
    }

    /// Sets a transformable attribute.
    func setTransformableValue<Value>(_ value: Value, of property: PersistentProperty) {
        guard let slot = property.handle.slot(of: self), !slot.isRelationship else { return }
        setSlotValue(AnyValues.unwrapped(value), slot)
    }

    // MARK: Values that are missing

    /// The value for a missing value of a property: nil, the initial value in the source, or a value such as zero.
    func missingValue<Value>(of property: PersistentProperty) -> Value {
        if let none = AnyValues.cast(nil, to: Value.self) { return none }
        if let type = schemaModel.type(of: layout),
            let value = ModelMetadata.of(type).property(named: property.name)?.defaultValue as? Value
        {
            return value
        }
        if let decodable = Value.self as? any Decodable.Type,
            let sample = try? SampleValue().anyValue(of: decodable) as? Value
        {
            return sample
        }
        programmingError(
            "\(layout.name).\(property.name) has no value, and no value of \(Value.self) could stand for it.",
            remedy: "Give the property a value in the model's initializer, or make it optional.")
    }

    private func reportUnreadable(_ slot: PropertySlot, _ reason: String) {
        ReportedValues.report("\(layout.name).\(slot.name) has a stored value that can't be read: \(reason)")
    }
}

/// The warnings that were logged already: many rows may have the same problem.
private enum ReportedValues {
    private static let reported = Locked<Set<String>>([])

    static func report(_ message: String) {
        if reported.withLock({ $0.insert(message).inserted }) { CoreDataLog.warning(message) }
    }
}

extension SampleValue {
    func anyValue(of type: any Decodable.Type) throws -> Any { try decode(type) }
}
