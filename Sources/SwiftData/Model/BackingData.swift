// SPDX-License-Identifier: Apache-2.0

/// The storage of a model's values.
///
/// `@Model` gives each model a ``ManagedBackingData``. A program uses it only in accessors that it writes itself.
public protocol BackingData<Model> {
    /// The class of the model.
    associatedtype Model: PersistentModel

    /// The identifier of the model; nil before the model has one.
    var persistentModelID: PersistentIdentifier? { get set }

    /// The managed object, or another object in which the values are stored.
    var metadata: Any { get }

    /// Makes the backing data of a new model.
    init(for modelType: Model.Type)

    /// The value of an attribute.
    func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value
    /// The destination of a relationship that always has one.
    func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value
    /// The destination of a relationship.
    func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value?
    /// The models of a to-many relationship.
    func getValue<Value: RelationshipCollection, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
    where OtherModel == Value.PersistentElement
    /// The models of a to-many relationship to a class that is `Codable`.
    func getValue<Value: Decodable & RelationshipCollection, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
    where OtherModel == Value.PersistentElement
    /// The value of a transformable attribute.
    func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value

    /// Sets an attribute.
    func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value)
    /// Sets the destination of a relationship that always has one.
    func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
    /// Sets the destination of a relationship.
    func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>, to newValue: Value?)
    /// Sets the models of a to-many relationship.
    func setValue<Value: RelationshipCollection, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
    where OtherModel == Value.PersistentElement
    /// Sets the models of a to-many relationship to a class that is `Codable`.
    func setValue<Value: Encodable & RelationshipCollection, OtherModel>(
        forKey: KeyPath<Model, Value>, to newValue: Value)
    where OtherModel == Value.PersistentElement
    /// Sets a transformable attribute.
    func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)

    /// **Extension.** The storage that gives the model's managed object; nil for backing data that the program
    /// implements.
    var modelStorage: ModelStorage? { get }
}

extension BackingData {
    /// **Extension.** Nil: only ``ManagedBackingData`` has a managed object.
    public var modelStorage: ModelStorage? { nil }
}
