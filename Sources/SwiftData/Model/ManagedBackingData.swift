// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// **Extension.** The backing data that `@Model` gives each model. It stores the values in a managed object.
///
/// New backing data is empty. When the initializer of the model sets the first value, the managed object is made.
public struct ManagedBackingData<Model: PersistentModel>: BackingData {
    @usableFromInline var object: ModelObject? {
        didSet { reference = object.map { Unmanaged.passUnretained($0) } }
    }
    /// The same object, for accessors: they read this reference without a retain.
    @usableFromInline var reference: Unmanaged<ModelObject>?

    /// Makes the backing data of a model whose initializer sets the values.
    @inlinable
    @inline(__always)
    public init() {
        object = nil
        reference = nil
    }

    /// Makes the backing data of a new model.
    public init(for modelType: Model.Type) { self.init(KnownSchemas.makeObject(for: modelType)) }

    /// Makes backing data with the managed object of other backing data.
    @inlinable
    @inline(__always)
    public init(_ other: any BackingData) {
        reference = other.modelStorage?.reference
        object = reference.map(Self.objectForModel)
    }

    /// Makes the backing data that the initializer of a model copies. It doesn't retain the object.
    @inlinable
    @inline(__always)
    init(borrowing storage: ModelStorage) {
        object = nil
        reference = storage.reference
    }

    /// The object, with the reference that was counted for its new model if there is one.
    @inlinable
    @inline(__always)
    static func objectForModel(_ reference: Unmanaged<ModelObject>) -> ModelObject {
        guard reference._withUnsafeGuaranteedRef({ $0.hasReferenceForModel }) else {
            return reference.takeUnretainedValue()
        }
        reference._withUnsafeGuaranteedRef { $0.hasReferenceForModel = false }
        return reference.takeRetainedValue()
    }

    @inline(__always)
    init(_ object: ModelObject) {
        self.object = object
        reference = Unmanaged.passUnretained(object)
    }

    /// The managed object; nil before the first value is set.
    @inlinable
    @inline(__always)
    public var modelStorage: ModelStorage? { reference.map { ModelStorage($0) } }

    /// The managed object; `Void` before the first value is set.
    public var metadata: Any { object ?? () }

    /// The identifier of the model. Setting it has no effect: contexts and stores assign identifiers.
    public var persistentModelID: PersistentIdentifier? {
        get { object.map { PersistentIdentifier($0.objectID) } }
        set {}
    }

    // MARK: Calls of expansions

    /// The backing data of a model for its `persistentBackingData`.
    public mutating func backingData(of model: Model) -> any BackingData<Model> {
        if object == nil { object = KnownSchemas.makeObject(for: Model.self) }
        return self
    }

    /// Unites the backing data of a model with the backing data of its superclass, after the initializers of both have
    /// set values.
    ///
    /// - Parameters:
    ///   - inherited: the backing data of the superclass.
    ///   - model: the model.
    /// - Returns: the backing data that the superclass uses from now on; nil if both are united already.
    public mutating func merged<Root: PersistentModel>(with inherited: any BackingData<Root>, of model: Model) -> (
        any BackingData<Root>
    )? {
        let other = inherited.modelStorage?.object
        if let object, object === other { return nil }
        let own = object ?? KnownSchemas.makeObject(for: Model.self)
        object = own
        if let other { own.takeInitialValues(of: other) }
        return ManagedBackingData<Root>(own)
    }

    /// The managed object in the initializer of a model.
    mutating func newObject() -> ModelObject {
        if let object { return object }
        let new = KnownSchemas.makeObject(for: Model.self)
        object = new
        return new
    }

    /// The managed object of a model that is used, and knows it.
    func attachedObject(of model: Model) -> ModelObject {
        if let object, object.attachment == nil { return object }
        return model.storage.object
    }

    /// The storage from which a model's values are read.
    @inlinable
    @inline(__always)
    func reading<Value>(
        _ model: Model, _ keyPath: () -> KeyPath<Model, Value>
    ) -> ModelStorage {
        if let reference, reference._withUnsafeGuaranteedRef({ $0.isReady }), !ObservationTracking.isActive {
            return ModelStorage(reference)
        }
        // Without `self`, whose object would be retained for each read.
        return Self.readingSlowly(model, keyPath())
    }

    /// The storage of a model that is new, or whose reads are tracked.
    @inline(never)
    @usableFromInline
    static func readingSlowly<Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) -> ModelStorage {
        let object = model.storage.object
        if ObservationTracking.isActive { object.access(model, keyPath) }
        return ModelStorage(object)
    }
}

extension ModelObject {
    /// Takes over the values that the initializer of a superclass has set.
    func takeInitialValues(of other: ModelObject) {
        for otherSlot in other.layout.properties where otherSlot.cell >= 0 && !otherSlot.isRelationship {
            guard let slot = layout.slot(named: otherSlot.name), slot.kind == otherSlot.kind else { continue }
            copyAttribute(slot, from: other, otherSlot)
        }
        guard let waiting = other.attachment else { return }
        attachment = (attachment ?? .nothing).adding(waiting)
    }
}
