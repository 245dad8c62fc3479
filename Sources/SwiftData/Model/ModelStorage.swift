// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// **Extension.** The storage of a model's values, for the accessors of attributes.
public struct ModelStorage {
    /// The managed object, which the model retains.
    @usableFromInline let reference: Unmanaged<ModelObject>

    @inlinable
    @inline(__always)
    init(_ reference: Unmanaged<ModelObject>) { self.reference = reference }

    @inline(__always)
    init(_ object: ModelObject) { reference = Unmanaged.passUnretained(object) }

    @inline(__always)
    var object: ModelObject { reference.takeUnretainedValue() }
}

/// The values of attributes by their kinds. Reading gives nil, and writing false, for a property that the entity
/// doesn't have or whose values are of another kind. Accessors in programs call these functions, which can't be inlined
/// there.
extension ModelStorage {
    @inline(__always)
    private func with<Result>(_ body: (ModelObject) -> Result) -> Result { reference._withUnsafeGuaranteedRef(body) }

    // MARK: Numbers and dates

    @usableFromInline
    func integer(_ property: PersistentProperty) -> Int64? { with { $0.integerValue(property.handle) } }

    @usableFromInline
    func setInteger(_ value: Int64, _ property: PersistentProperty) -> Bool {
        with { $0.setIntegerValue(value, property.handle) }
    }

    @usableFromInline
    func real(_ property: PersistentProperty) -> Double? { with { $0.realValue(property.handle) } }

    @usableFromInline
    func setReal(_ value: Double, _ property: PersistentProperty) -> Bool {
        with { $0.setRealValue(value, property.handle) }
    }

    @usableFromInline
    func date(_ property: PersistentProperty) -> Double? { with { $0.dateValue(property.handle) } }

    @usableFromInline
    func setDate(_ value: Double, _ property: PersistentProperty) -> Bool {
        with { $0.setDateValue(value, property.handle) }
    }

    @usableFromInline
    func decimal(_ property: PersistentProperty) -> Decimal? { with { $0.decimalValue(property.handle) } }

    @usableFromInline
    func setDecimal(_ value: Decimal, _ property: PersistentProperty) -> Bool {
        with { $0.setDecimalValue(value, property.handle) }
    }

    // MARK: Strings and objects

    @usableFromInline
    func string(_ property: PersistentProperty) -> String? { with { $0.stringValue(property.handle) } }

    @usableFromInline
    func setString(_ value: String, _ property: PersistentProperty) -> Bool {
        with { $0.setStringValue(value, property.handle) }
    }

    @usableFromInline
    func data(_ property: PersistentProperty) -> Data? { with { $0.dataValue(property.handle) } }

    @usableFromInline
    func setData(_ value: Data, _ property: PersistentProperty) -> Bool {
        with { $0.setDataValue(value, property.handle) }
    }

    @usableFromInline
    func uuid(_ property: PersistentProperty) -> UUID? { with { $0.uuidValue(property.handle) } }

    @usableFromInline
    func setUUID(_ value: UUID, _ property: PersistentProperty) -> Bool {
        with { $0.setUUIDValue(value, property.handle) }
    }

    @usableFromInline
    func url(_ property: PersistentProperty) -> URL? { with { $0.urlValue(property.handle) } }

    @usableFromInline
    func setURL(_ value: URL, _ property: PersistentProperty) -> Bool {
        with { $0.setURLValue(value, property.handle) }
    }

    // MARK: Any kind

    /// Sets a value in the form of Core Data, where the attribute accepts it.
    @inline(never)
    @usableFromInline
    func setOther(_ value: some AttributeValue, _ property: PersistentProperty) {
        object.setStoredValue(value.storedValue, of: property)
    }

    @inline(never)
    @usableFromInline
    func removeValue(of property: PersistentProperty) { object.setStoredValue(nil, of: property) }

    /// The value for a missing value of a property.
    @inline(never)
    @usableFromInline
    func missingValue<Value>(of property: PersistentProperty) -> Value { object.missingValue(of: property) }

    /// The value of an attribute whose type is `Codable`.
    @inline(never)
    @usableFromInline
    func codableValue<Value: Codable>(of property: PersistentProperty) -> Value { object.codableValue(of: property) }
}
