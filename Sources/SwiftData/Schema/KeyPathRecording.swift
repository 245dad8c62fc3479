// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Finds the names of a key path that leads along several properties, by reading it from a model that records which
/// properties are read.
///
/// The recording model has values that no other model is likely to have. The value at the end of the key path shows
/// whether it is that of the last property, or computed from it.
final class KeyPathRecording {
    private struct Step {
        let object: ModelObject
        let name: String
    }

    private var steps: [Step] = []

    /// The name of a key path, for example `author.name`; nil for one that leads along something that isn't stored.
    static func name(of keyPath: AnyKeyPath, root: any PersistentModel.Type) -> String? {
        let text = KeyPathText(keyPath)
        // The metadata of the class has the key paths to its own properties. A key path from a subclass to an inherited
        // property is another one than that from the superclass.
        guard text.computedCount > 1 || !text.fields.isEmpty || ModelMetadata.of(root).superclass != nil
        else { return nil }
        let recording = KeyPathRecording()
        // The models retain the recording.
        defer {
            recording.models = []
            recording.steps = []
        }
        let model: any PersistentModel = recording.recorder(of: root)
        let value = (model as Any)[keyPath: keyPath]
        guard recording.steps.count == text.computedCount, let last = recording.steps.last else { return nil }
        let names = recording.steps.map(\.name) + text.fields
        guard let slot = last.object.layout.slot(named: last.name) else { return nil }
        guard text.fields.isEmpty else {
            guard let property = ModelMetadata.of(last.object.modelType).property(named: last.name),
                KeyPathText.areFields(text.fields, of: Swift.type(of: property.keypath).valueType)
            else { return nil }
            return names.joined(separator: ".")
        }
        return recording.isValue(value, of: slot, in: last.object) ? names.joined(separator: ".") : nil
    }

    /// Whether a value is that of a property: of one whose value has another form in the store, it is assumed.
    private func isValue(_ value: Any?, of slot: PropertySlot, in object: ModelObject) -> Bool {
        guard !slot.isRelationship, let plain = AnyValues.unwrapped(value) as? any AttributeValue,
            let stored = object.slotValue(slot), !(stored is [String: Any])
        else { return true }
        return ValueEquality.areEqual(plain.storedValue, stored)
    }

    // MARK: Recording

    func recorder<Model: PersistentModel>(of type: Model.Type) -> Model {
        let object = KnownSchemas.makeObject(for: type)
        for slot in object.layout.properties {
            if let sample = Self.sample(slot.kind) { object.setSlotValue(sample, slot) }
        }
        object.attachment = ModelAttachment(recording: self)
        let model = type.init(backingData: ManagedBackingData<Model>(object))
        object.setModel(model)
        models.append(model)
        return model
    }

    /// The models that record, which the managed objects don't retain.
    private var models: [AnyObject] = []

    func record(_ name: String, of object: ModelObject) { steps.append(Step(object: object, name: name)) }

    private static func sample(_ kind: StorageKind) -> Any? {
        switch kind {
        case .integer16: NSNumber(value: 7_351)
        case .integer32, .integer64: NSNumber(value: 73_512_469)
        case .boolean: NSNumber(value: true)
        case .double, .float: NSNumber(value: 0.703_125)
        case .decimal: NSDecimalNumber(string: "73.512469")
        case .date: Date(timeIntervalSinceReferenceDate: 73_512_469)
        case .string: "the value of a recording model"
        case .data: Data("the value of a recording model".utf8)
        case .uuid: UUID()
        case .uri: URL(string: "x-recording:///value")
        default: nil
        }
    }
}

extension ModelObject {
    /// The class of the model.
    var modelType: any PersistentModel.Type { schemaModel.type(of: layout) ?? UnavailableModel.self }
}
