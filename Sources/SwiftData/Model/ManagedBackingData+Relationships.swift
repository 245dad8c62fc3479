// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

// The calls of the accessors that `@Model` makes for relationships.

extension ManagedBackingData {
    // MARK: To-one

    /// **Extension.** The destination of a relationship that always has one.
    public func value<Value: PersistentModel>(
        of property: PersistentProperty, in model: Model, keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) -> Value { reading(model, keyPath).object.requiredDestination(of: property) }

    /// **Extension.** The destination of a relationship.
    public func value<Value: PersistentModel>(
        of property: PersistentProperty, in model: Model, keyPath: @autoclosure () -> KeyPath<Model, Value?>
    ) -> Value? { reading(model, keyPath).object.destination(of: property) }

    /// **Extension.** Sets the destination of a relationship that always has one.
    public func setValue<Value: PersistentModel>(
        _ value: Value, of property: PersistentProperty, in model: Model,
        keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) { writing(model, property, keyPath) { $0.object.setDestination(value, of: property) } }

    /// **Extension.** Sets the destination of a relationship.
    public func setValue<Value: PersistentModel>(
        _ value: Value?, of property: PersistentProperty, in model: Model,
        keyPath: @autoclosure () -> KeyPath<Model, Value?>
    ) { writing(model, property, keyPath) { $0.object.setDestination(value, of: property) } }

    /// **Extension.** Sets the destination of a relationship in the initializer of the model.
    public mutating func initialize<Value: PersistentModel>(_ property: PersistentProperty, to value: Value) {
        newObject().setWhenAttached { $0.setDestination(value, of: property) }
    }

    /// **Extension.** Sets the destination of a relationship in the initializer of the model.
    public mutating func initialize<Value: PersistentModel>(_ property: PersistentProperty, to value: Value?) {
        let object = newObject()
        guard let value else { return }
        object.setWhenAttached { $0.setDestination(value, of: property) }
    }

    // MARK: To-many

    /// **Extension.** The models of a to-many relationship.
    public func value<Value: RelationshipCollection>(
        of property: PersistentProperty, in model: Model, keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) -> Value { Value(relatedModels: reading(model, keyPath).object.destinations(of: property)) }

    /// **Extension.** Sets the models of a to-many relationship.
    public func setValue<Value: RelationshipCollection>(
        _ value: Value, of property: PersistentProperty, in model: Model,
        keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) { writing(model, property, keyPath) { $0.object.setDestinations(value.relatedModels, of: property) } }

    /// **Extension.** Sets the models of a to-many relationship in the initializer of the model.
    public mutating func initialize<Value: RelationshipCollection>(_ property: PersistentProperty, to value: Value) {
        let object = newObject()
        let models = value.relatedModels
        guard !models.isEmpty else { return }
        object.setWhenAttached { $0.setDestinations(models, of: property) }
    }
}

extension ModelObject {
    /// Sets a relationship when the object knows its model: the inverse leads back to that.
    func setWhenAttached(_ set: @escaping (ModelObject) -> Void) {
        guard let attachment else { return set(self) }
        self.attachment = attachment.adding(set)
    }
}
