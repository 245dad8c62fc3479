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

/// The values of attributes. Reading gives nil, and writing false, for a property that the entity doesn't have or whose
/// values are of another kind. Accessors in programs call these functions, which can't be inlined there.
extension ModelStorage {
    @inline(__always)
    func with<Result>(_ body: (ModelObject) -> Result) -> Result { reference._withUnsafeGuaranteedRef(body) }

    @usableFromInline
    func integer(_ property: PersistentProperty) -> Int64? { with { $0.value(at: property.handle) } }

    @usableFromInline
    func setInteger(_ value: Int64, _ property: PersistentProperty) -> Bool {
        with { $0.setValue(value, at: property.handle) }
    }

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
