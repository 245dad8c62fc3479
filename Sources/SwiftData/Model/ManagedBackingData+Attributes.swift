// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

// The calls of the accessors that `@Model` makes for attributes.

extension ManagedBackingData {
    /// Changes the managed object, and tells observers.
    @inline(__always)
    func writing<Value>(
        _ model: Model, _ property: PersistentProperty, _ keyPath: () -> KeyPath<Model, Value>,
        _ change: (ModelStorage) -> Void
    ) {
        let object = attachedObject(of: model)
        guard object.observation != nil else { return change(ModelStorage(object)) }
        object.withMutation(of: model, keyPath(), key: property.name) { change(ModelStorage(object)) }
    }

    // MARK: Plain values

    /// **Extension.** The value of an attribute.
    @inlinable
    @inline(__always)
    public func value<Value: AttributeValue>(
        of property: PersistentProperty, in model: Model, keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) -> Value {
        let storage = reading(model, keyPath)
        return Value.read(property, of: storage) ?? storage.missingValue(of: property)
    }

    /// **Extension.** Sets an attribute.
    @inlinable
    @inline(__always)
    public func setValue<Value: AttributeValue>(
        _ value: Value, of property: PersistentProperty, in model: Model,
        keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) {
        if let reference, reference._withUnsafeGuaranteedRef({ $0.isReady && !$0.isObserved }) {
            Value.write(value, property, of: ModelStorage(reference))
        } else {
            Self.setValueSlowly(value, property, model, keyPath())
        }
    }

    /// Sets an attribute of a model that is new or observed.
    @inline(never)
    @usableFromInline
    static func setValueSlowly<Value: AttributeValue>(
        _ value: Value, _ property: PersistentProperty, _ model: Model, _ keyPath: KeyPath<Model, Value>
    ) {
        let storage = model.storage
        guard storage.object.isObserved else { return Value.write(value, property, of: storage) }
        storage.object.withMutation(of: model, keyPath, key: property.name) {
            Value.write(value, property, of: storage)
        }
    }

    /// **Extension.** Sets an attribute in the initializer of the model.
    @inlinable
    @inline(__always)
    public mutating func initialize<Value: AttributeValue>(_ property: PersistentProperty, to value: Value) {
        Value.write(value, property, of: ModelStorage(reference ?? newReference()))
    }

    /// The managed object of a new model, which is made now.
    @inline(never)
    @usableFromInline
    mutating func newReference() -> Unmanaged<ModelObject> { Unmanaged.passUnretained(newObject()) }

    // MARK: Enumerations with raw values

    /// **Extension.** The value of an attribute whose type has raw values.
    @inlinable
    public func value<Value: RawRepresentable & Codable>(
        of property: PersistentProperty, in model: Model, keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) -> Value where Value.RawValue: AttributeValue {
        let storage = reading(model, keyPath)
        if let raw = Value.RawValue.read(property, of: storage), let value = Value(rawValue: raw) { return value }
        return storage.codableValue(of: property)
    }

    /// **Extension.** Sets an attribute whose type has raw values.
    public func setValue<Value: RawRepresentable & Codable>(
        _ value: Value, of property: PersistentProperty, in model: Model,
        keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) where Value.RawValue: AttributeValue {
        writing(model, property, keyPath) { $0.object.setEncodableValue(value, of: property) }
    }

    /// **Extension.** Sets an attribute whose type has raw values, in the initializer of the model.
    public mutating func initialize<Value: RawRepresentable & Codable>(_ property: PersistentProperty, to value: Value)
    where Value.RawValue: AttributeValue { newObject().setEncodableValue(value, of: property) }

    // MARK: Codable values

    /// **Extension.** The value of an attribute whose type is `Codable`.
    @_disfavoredOverload
    public func value<Value: Codable>(
        of property: PersistentProperty, in model: Model, keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) -> Value { reading(model, keyPath).object.codableValue(of: property) }

    /// **Extension.** Sets an attribute whose type is `Codable`.
    @_disfavoredOverload
    public func setValue<Value: Codable>(
        _ value: Value, of property: PersistentProperty, in model: Model,
        keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) { writing(model, property, keyPath) { $0.object.setEncodableValue(value, of: property) } }

    /// **Extension.** Sets an attribute whose type is `Codable`, in the initializer of the model.
    @_disfavoredOverload
    public mutating func initialize<Value: Codable>(_ property: PersistentProperty, to value: Value) {
        newObject().setEncodableValue(value, of: property)
    }

    // MARK: Transformable values

    /// **Extension.** The value of a transformable attribute.
    public func transformableValue<Value>(
        of property: PersistentProperty, in model: Model, keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) -> Value { reading(model, keyPath).object.transformableValue(of: property) }

    /// **Extension.** Sets a transformable attribute.
    public func setTransformableValue<Value>(
        _ value: Value, of property: PersistentProperty, in model: Model,
        keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) { writing(model, property, keyPath) { $0.object.setTransformableValue(value, of: property) } }

    /// **Extension.** Sets a transformable attribute in the initializer of the model.
    public mutating func initializeTransformable<Value>(_ property: PersistentProperty, to value: Value) {
        newObject().setTransformableValue(value, of: property)
    }
}
