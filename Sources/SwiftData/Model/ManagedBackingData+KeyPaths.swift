// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

// The functions of `BackingData`, with key paths: for accessors that a program writes itself. Finding the property of a
// key path takes longer than the accessors that `@Model` makes.

extension ManagedBackingData {
    private func property(_ keyPath: AnyKeyPath) -> PersistentProperty { KeyPathProperties.property(for: keyPath) }

    private var current: ModelObject { object ?? KnownSchemas.makeObject(for: Model.self) }

    // MARK: Reading

    /// The value of an attribute.
    public func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value {
        current.decodableValue(of: property(forKey))
    }

    /// The destination of a relationship that always has one.
    public func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value {
        current.requiredDestination(of: property(forKey))
    }

    /// The destination of a relationship.
    public func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value? {
        current.destination(of: property(forKey))
    }

    /// The models of a to-many relationship.
    public func getValue<Value: RelationshipCollection, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
    where OtherModel == Value.PersistentElement {
        Value(relatedModels: current.destinations(of: property(forKey)))
    }

    /// The models of a to-many relationship to a class that is `Codable`.
    public func getValue<Value: Decodable & RelationshipCollection, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
    where OtherModel == Value.PersistentElement {
        Value(relatedModels: current.destinations(of: property(forKey)))
    }

    /// The value of a transformable attribute.
    public func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value {
        current.transformableValue(of: property(forKey))
    }

    // MARK: Writing

    /// Sets an attribute.
    @_disfavoredOverload
    public func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value) {
        current.setEncodableValue(newValue, of: property(forKey))
    }

    /// Sets the destination of a relationship that always has one.
    @_disfavoredOverload
    public func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value) {
        current.setWhenAttached(property(forKey), newValue)
    }

    /// Sets the destination of a relationship.
    @_disfavoredOverload
    public func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>, to newValue: Value?) {
        current.setWhenAttached(property(forKey), newValue)
    }

    /// Sets the models of a to-many relationship.
    @_disfavoredOverload
    public func setValue<Value: RelationshipCollection, OtherModel>(
        forKey: KeyPath<Model, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement {
        current.setWhenAttached(property(forKey), newValue.relatedModels)
    }

    /// Sets the models of a to-many relationship to a class that is `Codable`.
    @_disfavoredOverload
    public func setValue<Value: Encodable & RelationshipCollection, OtherModel>(
        forKey: KeyPath<Model, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement {
        current.setWhenAttached(property(forKey), newValue.relatedModels)
    }

    /// Sets a transformable attribute.
    @_disfavoredOverload
    public func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) {
        current.setTransformableValue(newValue, of: property(forKey))
    }
}

// The same functions for the initializer of a model, where the managed object may not be made yet. The additional
// parameter tells them apart from the functions of the protocol. Swift prefers a function without a default argument,
// unless it is disfavored. The functions of the protocol are disfavored, and these are not.

extension ManagedBackingData {
    /// **Extension.** Sets an attribute in the initializer of the model.
    public mutating func setValue<Value: Encodable>(
        forKey keyPath: KeyPath<Model, Value>, to newValue: Value, in initializer: Void = ()
    ) { newObject().setEncodableValue(newValue, of: property(keyPath)) }

    /// **Extension.** Sets a relationship in the initializer of the model.
    public mutating func setValue<Value: PersistentModel>(
        forKey keyPath: KeyPath<Model, Value>, to newValue: Value, in initializer: Void = ()
    ) { newObject().setWhenAttached(property(keyPath), newValue) }

    /// **Extension.** Sets a relationship in the initializer of the model.
    public mutating func setValue<Value: PersistentModel>(
        forKey keyPath: KeyPath<Model, Value?>, to newValue: Value?, in initializer: Void = ()
    ) { newObject().setWhenAttached(property(keyPath), newValue) }

    /// **Extension.** Sets a to-many relationship in the initializer of the model.
    public mutating func setValue<Value: RelationshipCollection>(
        forKey keyPath: KeyPath<Model, Value>, to newValue: Value, in initializer: Void = ()
    ) { newObject().setWhenAttached(property(keyPath), newValue.relatedModels) }

    // A class of models that is `Codable`: one function for each of the kinds above.

    /// **Extension.** Sets a relationship to a class that is `Codable`, in the initializer of the model.
    public mutating func setValue<Value: PersistentModel & Encodable>(
        forKey keyPath: KeyPath<Model, Value>, to newValue: Value, in initializer: Void = ()
    ) { newObject().setWhenAttached(property(keyPath), newValue) }

    /// **Extension.** Sets a relationship to a class that is `Codable`, in the initializer of the model.
    public mutating func setValue<Value: PersistentModel & Encodable>(
        forKey keyPath: KeyPath<Model, Value?>, to newValue: Value?, in initializer: Void = ()
    ) { newObject().setWhenAttached(property(keyPath), newValue) }

    /// **Extension.** Sets a to-many relationship to a class that is `Codable`, in the initializer of the model.
    public mutating func setValue<Value: RelationshipCollection & Encodable>(
        forKey keyPath: KeyPath<Model, Value>, to newValue: Value, in initializer: Void = ()
    ) { newObject().setWhenAttached(property(keyPath), newValue.relatedModels) }

    /// **Extension.** Sets a transformable attribute in the initializer of the model.
    public mutating func setTransformableValue<Value>(
        forKey keyPath: KeyPath<Model, Value>, to newValue: Value, in initializer: Void = ()
    ) { newObject().setTransformableValue(newValue, of: property(keyPath)) }
}

// MARK: Observation

extension ManagedBackingData {
    /// **Extension.** The registrar of a model's observers.
    public func observationRegistrar(of model: Model) -> ObservationRegistrar {
        attachedObject(of: model).observed().registrar
    }

    /// **Extension.** Reports to the running observation tracking that a property is read.
    public func access<Value>(_ model: Model, keyPath: KeyPath<Model, Value>) {
        if ObservationTracking.isActive { attachedObject(of: model).access(model, keyPath) }
    }

    /// **Extension.** Changes a property, and tells its observers.
    public func withMutation<Value, Result>(
        of model: Model, keyPath: KeyPath<Model, Value>, _ mutation: () throws -> Result
    ) rethrows -> Result {
        let object = attachedObject(of: model)
        guard object.observation != nil else { return try mutation() }
        return try object.withMutation(of: model, keyPath, key: nil, mutation)
    }
}

extension ModelObject {
    fileprivate func setWhenAttached(_ property: PersistentProperty, _ model: (any PersistentModel)?) {
        setWhenAttached { $0.setDestination(model, of: property) }
    }

    fileprivate func setWhenAttached(_ property: PersistentProperty, _ models: [any PersistentModel]) {
        setWhenAttached { $0.setDestinations(models, of: property) }
    }

    /// The value of an attribute whose type isn't `Encodable`.
    fileprivate func decodableValue<Value: Decodable>(of property: PersistentProperty) -> Value {
        guard let slot = property.handle.slot(of: self), !isNil(slot) else { return missingValue(of: property) }
        return decodedValue(of: property, slot)
    }
}

/// The properties of key paths, made once for each.
private enum KeyPathProperties {
    private static let known = Locked<[AnyKeyPath: PersistentProperty]>([:])

    /// The property of a key path. For a key path without a stored property, no entity has the result.
    static func property(for keyPath: AnyKeyPath) -> PersistentProperty {
        if let known = known.withLock({ $0[keyPath] }) { return known }
        let name = ModelKeyPaths.name(of: keyPath) ?? "\(keyPath)"
        let property = PersistentProperty(name, in: type(of: keyPath).rootType)
        return known.withLock { known in
            if let first = known[keyPath] { return first }
            known[keyPath] = property
            return property
        }
    }
}
