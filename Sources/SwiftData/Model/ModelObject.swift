// SPDX-License-Identifier: Apache-2.0

internal import CSwiftRuntime
import OpenCoreData

/// The managed object on which a model stands.
///
/// The model retains it. It refers back to the model without retaining it: a model that is released while its managed
/// object lives on is made again when it is asked for. Used where its context is used.
@usableFromInline
final class ModelObject: NSManagedObject {
    /// The model, an unowned reference: its memory stays until the reference is replaced.
    @exclusivity(unchecked) private var modelReference: UnsafeMutableRawPointer?
    /// The steps that wait for the first use of the new model; nil once the object knows its model.
    @exclusivity(unchecked) var attachment: ModelAttachment? {
        didSet { isReady = attachment == nil }
    }
    /// Whether nothing waits for the model's first use.
    @exclusivity(unchecked) @usableFromInline var isReady = true
    /// Whether a reference to the object was counted for the backing data of its new model, which takes it over.
    @exclusivity(unchecked) @usableFromInline var hasReferenceForModel = false
    /// Whether the model has observers.
    @exclusivity(unchecked) @usableFromInline var isObserved = false
    /// An object to keep alive. Without a context it is the model of the entity. With a context it is the context's
    /// keeper, so that relationships can still be read after the program has released the context.
    @exclusivity(unchecked) var kept: AnyObject?
    /// The observers of the model; nil as long as there are none.
    @exclusivity(unchecked) var observation: ModelObservation? {
        didSet { isObserved = observation != nil }
    }

    @usableFromInline
    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }

    /// Makes the object of a new model, without context.
    convenience init(newModelOf layout: EntityLayout) {
        self.init(entity: layout.entity, insertInto: nil)
        attachment = .nothing
        kept = schemaModel
        beginWithKeptModel()
    }

    deinit {
        if let modelReference { swift_unownedRelease(modelReference) }
        observation?.end()
    }

    /// The schema of the object's entity.
    var schemaModel: SchemaModel { unsafeDowncast(layout.model.managedObjectModel, to: SchemaModel.self) }

    // MARK: The model

    /// The model, if it was made and not released.
    var knownModel: AnyObject? {
        guard let modelReference, let retained = swift_tryRetain(modelReference) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
    }

    func setModel(_ model: AnyObject) { setModelReference(Unmanaged.passUnretained(model).toOpaque()) }

    private func setModelReference(_ model: UnsafeMutableRawPointer) {
        let reference = swift_unownedRetain(model)
        if let modelReference { swift_unownedRelease(modelReference) }
        modelReference = reference
    }

    /// The model, made if it isn't known.
    var model: any PersistentModel {
        if let known = knownModel as? any PersistentModel { return known }
        guard let type = schemaModel.type(of: layout) else { return UnavailableModel(object: self) }
        return makeModel(type)
    }

    /// The model as an instance of a class; nil if the entity's class neither is this class nor inherits from it.
    func model<Model: PersistentModel>(as type: Model.Type) -> Model? {
        if let known = knownModel { return known as? Model }
        guard let type = schemaModel.type(of: layout) else { return nil }
        if type == Model.self { return makeModel(Model.self) }
        return makeModel(type) as? Model
    }

    private func makeModel<Model: PersistentModel>(_ type: Model.Type) -> Model {
        makeModel(type, keeping: (registeredContext as? ManagedContext)?.keeper)
    }

    /// Makes the model, of the entity's class.
    private func makeModel<Model: PersistentModel>(_ type: Model.Type, keeping keeper: ContextKeeper?) -> Model {
        _ = Unmanaged.passRetained(self)
        return makeModelTakingReference(type, keeping: keeper)
    }

    /// Makes the model, of the entity's class. It takes over a reference to the object that the caller has counted.
    func makeModelTakingReference<Model: PersistentModel>(
        _ type: Model.Type, keeping keeper: consuming ContextKeeper?
    ) -> Model {
        // Its last values must be known when the deletion is saved.
        if isDeleted { loadValues() }
        if attachment != nil { attachment = nil }
        if keeper != nil { kept = consume keeper }
        hasReferenceForModel = true
        let model = type.makeModel(on: ModelStorage(self))
        setModelReference(Unmanaged.passUnretained(model).toOpaque())
        guard hasReferenceForModel else { return model }
        return replacementOfBorrowing(type)
    }

    /// The model of a class whose initializer wasn't made by `@Model` and has stored the backing data as it was, which
    /// counts no reference: a model with backing data that counts one.
    private func replacementOfBorrowing<Model: PersistentModel>(_ type: Model.Type) -> Model {
        hasReferenceForModel = false
        let model = type.init(backingData: ManagedBackingData<Model>(self))
        Unmanaged.passUnretained(self).release()
        setModel(model)
        return model
    }

    /// Whether the model was made, and may have been released since.
    var hadModel: Bool { modelReference != nil }

    /// Sets the new model of the object, and does the work that has waited for the model.
    func attach(to model: any PersistentModel) {
        guard let attachment else { return }
        self.attachment = nil
        setModel(model)
        attachment.apply(to: model)
    }

    /// The present object of the model: a relationship between models of two schemas moves both models to one schema.
    var current: ModelObject { (knownModel as? any PersistentModel)?.managedObject ?? self }

    /// The class of the model.
    var modelType: any PersistentModel.Type { schemaModel.type(of: layout) ?? UnavailableModel.self }

    // MARK: The context

    /// The context, nil before the object is inserted and after its deletion was saved.
    var modelContext: ModelContext? { (managedObjectContext as? ManagedContext)?.modelContext }

    // MARK: Values

    /// Sets a property to a value in the form of Core Data. A property that the entity doesn't have is not set.
    func setStoredValue(_ value: Any?, of property: PersistentProperty) {
        guard let slot = property.handle.slot(of: self), !slot.isRelationship else { return }
        guard let value else { return setSlotValue(nil, slot) }
        guard slot.kind == .composite else {
            guard slot.accepts(value) else { return }
            return setSlotValue(value, slot)
        }
        guard slot.elements.count == 1, slot.elements[0].accepts(value) else { return }
        setSlotValue([slot.elements[0].name: value], slot)
    }
}

/// The steps that wait until a new model is used: its initializer has set relationships before the managed
/// object could know the model.
final class ModelAttachment {
    /// Nothing waits.
    // Sendable: never changed.
    nonisolated(unsafe) static let nothing = ModelAttachment([])

    private let relationships: [(ModelObject) -> Void]

    private init(_ relationships: [(ModelObject) -> Void]) { self.relationships = relationships }

    func adding(_ relationship: @escaping (ModelObject) -> Void) -> ModelAttachment {
        ModelAttachment(relationships + [relationship])
    }

    func adding(_ other: ModelAttachment) -> ModelAttachment { ModelAttachment(other.relationships + relationships) }

    func apply(to model: any PersistentModel) {
        // Each relationship may move the model to another object.
        for relationship in relationships { relationship(model.managedObject) }
    }
}
