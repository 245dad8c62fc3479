// SPDX-License-Identifier: Apache-2.0

/// A class whose objects are stored: `@Model` makes a class conform.
///
/// ```swift
/// @Model final class Recipe {
///     var title: String
///     var servings = 2
///     @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe) var ingredients: [Ingredient] = []
///
///     init(title: String) { self.title = title }
/// }
/// ```
///
/// A model stores its values in a managed object. There is one model for each managed object of a context. A model is
/// used where its context is used: on the main actor, in a model actor, or on the thread that made the context. Pass
/// ``persistentModelID`` elsewhere.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    /// The class at the top of a hierarchy of model classes: the class itself if it inherits from no model class.
    associatedtype Root: PersistentModel = Self

    /// The storage of the values.
    var persistentBackingData: any BackingData<Self> { get set }

    /// The properties, as a schema describes them.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }

    /// Makes a model with stored values.
    init(backingData: any BackingData<Self>)

    /// **Extension.** Makes the model of a managed object. If the class doesn't implement this method, the compiler
    /// specializes the default implementation in the class's module, where the types are known.
    static func makeModel(on storage: ModelStorage) -> Self
}

extension PersistentModel {
    // MARK: Identity

    /// The identifier of the model: temporary until the model is saved.
    public var persistentModelID: PersistentIdentifier { PersistentIdentifier(storage.object.objectID) }

    /// The identifier of the model, for a class that declares no `id`.
    public var id: PersistentIdentifier { persistentModelID }

    /// Whether two models are the same object.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    // MARK: State

    /// The context of the model; nil before it is inserted, and after its deletion was saved.
    public var modelContext: ModelContext? { storage.object.modelContext }

    /// Whether the model will be deleted at the next save.
    public var isDeleted: Bool { storage.object.isDeleted }

    /// Whether the model is new, changed or deleted.
    public var hasChanges: Bool { storage.object.hasChanges }

    // MARK: Values

    /// **Extension.** Makes the model of a managed object.
    @inlinable
    public static func makeModel(on storage: ModelStorage) -> Self {
        Self(backingData: ManagedBackingData<Self>(borrowing: storage))
    }

    /// Makes the backing data of a new model.
    public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
        ManagedBackingData<P>(for: P.self)
    }

    /// The value of an attribute.
    public func getValue<Value: Decodable>(forKey: KeyPath<Self, Value>) -> Value {
        persistentBackingData.getValue(forKey: forKey)
    }

    /// The destination of a relationship that always has one.
    public func getValue<Value: PersistentModel>(forKey: KeyPath<Self, Value>) -> Value {
        persistentBackingData.getValue(forKey: forKey)
    }

    /// The destination of a relationship.
    public func getValue<Value: PersistentModel>(forKey: KeyPath<Self, Value?>) -> Value? {
        persistentBackingData.getValue(forKey: forKey)
    }

    /// The models of a to-many relationship.
    public func getValue<Value: RelationshipCollection, OtherModel>(forKey: KeyPath<Self, Value>) -> Value
    where OtherModel == Value.PersistentElement { persistentBackingData.getValue(forKey: forKey) }

    /// The models of a to-many relationship to a class that is `Codable`.
    public func getValue<Value: Decodable & RelationshipCollection, OtherModel>(forKey: KeyPath<Self, Value>) -> Value
    where OtherModel == Value.PersistentElement { persistentBackingData.getValue(forKey: forKey) }

    /// The value of a transformable attribute.
    public func getTransformableValue<Value>(forKey: KeyPath<Self, Value>) -> Value {
        persistentBackingData.getTransformableValue(forKey: forKey)
    }

    /// Sets an attribute.
    public func setValue<Value: Encodable>(forKey: KeyPath<Self, Value>, to newValue: Value) {
        persistentBackingData.setValue(forKey: forKey, to: newValue)
    }

    /// Sets the destination of a relationship that always has one.
    public func setValue<Value: PersistentModel>(forKey: KeyPath<Self, Value>, to newValue: Value) {
        persistentBackingData.setValue(forKey: forKey, to: newValue)
    }

    /// Sets the destination of a relationship.
    public func setValue<Value: PersistentModel>(forKey: KeyPath<Self, Value?>, to newValue: Value?) {
        persistentBackingData.setValue(forKey: forKey, to: newValue)
    }

    /// Sets the models of a to-many relationship.
    public func setValue<Value: RelationshipCollection, OtherModel>(forKey: KeyPath<Self, Value>, to newValue: Value)
    where OtherModel == Value.PersistentElement { persistentBackingData.setValue(forKey: forKey, to: newValue) }

    /// Sets the models of a to-many relationship to a class that is `Codable`.
    public func setValue<Value: Encodable & RelationshipCollection, OtherModel>(
        forKey: KeyPath<Self, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement { persistentBackingData.setValue(forKey: forKey, to: newValue) }

    /// Sets a transformable attribute.
    public func setTransformableValue<Value>(forKey: KeyPath<Self, Value>, to newValue: Value) {
        persistentBackingData.setTransformableValue(forKey: forKey, to: newValue)
    }
}

extension PersistentModel {
    /// The managed object of the model, after the work that has waited for the model's first use is done.
    var storage: ModelStorage {
        let object = managedObject
        guard let attachment = object.attachment else { return ModelStorage(object) }
        object.attach(to: self)
        if attachment === ModelAttachment.nothing { return ModelStorage(object) }
        // The steps that have waited may have moved the model to an object of another schema.
        return ModelStorage(managedObject)
    }

    /// The present managed object of the model.
    var managedObject: ModelObject {
        guard let storage = persistentBackingData.modelStorage else {
            programmingError(
                "The backing data of \(Self.self) is no ManagedBackingData.",
                remedy: "Use the backing data that @Model declares.")
        }
        return storage.object
    }
}
