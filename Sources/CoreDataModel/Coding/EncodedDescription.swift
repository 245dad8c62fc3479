// SPDX-License-Identifier: Apache-2.0

/// A description as an archive contains it: its model, and the path to the description in that model.
struct EncodedDescription {
    let model: NSManagedObjectModel
    /// The kind of the description, the entity's name, and the names or positions that follow.
    let path: [String]
    /// Whether the model is a placeholder, because the description belongs to no model.
    let isDetached: Bool

    private enum Kind: String {
        case entity, property, index, element
    }

    init(_ entity: NSEntityDescription) {
        if let model = entity.owningModel, let name = entity.name, model.entity(named: name) === entity,
            model.firstProblem() == nil
        {
            self.init(model, .entity, [name], isDetached: false)
        } else {
            let standIn = PlaceholderModel.entity(for: entity)
            self.init(PlaceholderModel.model(containing: standIn), .entity, [standIn.name ?? ""], isDetached: true)
        }
    }

    init(_ property: NSPropertyDescription) {
        if let entity = property.owningEntity, entity.ownProperties.contains(where: { $0 === property }) {
            let part = EncodedDescription(entity)
            self.init(part.model, .property, [part.path[1], property.name], isDetached: part.isDetached)
        } else {
            let entity = PlaceholderModel.entity(containing: property)
            self.init(
                PlaceholderModel.model(containing: entity), .property,
                [entity.name ?? "", entity.ownProperties[0].name],
                isDetached: true)
        }
    }

    init(_ index: NSFetchIndexDescription) {
        if let entity = index.entity, entity.indexes.first(where: { $0.name == index.name }) === index {
            let part = EncodedDescription(entity)
            self.init(part.model, .index, [part.path[1], index.name], isDetached: part.isDetached)
        } else {
            let entity = PlaceholderModel.entity(containing: index)
            self.init(
                PlaceholderModel.model(containing: entity), .index, [entity.name ?? "", index.name], isDetached: true)
        }
    }

    init(_ element: NSFetchIndexElementDescription) {
        if let index = element.indexDescription, let number = index.elements.firstIndex(where: { $0 === element }) {
            let part = EncodedDescription(index)
            self.init(part.model, .element, [part.path[1], part.path[2], String(number)], isDetached: part.isDetached)
        } else {
            let index = PlaceholderModel.index(containing: element)
            let entity = PlaceholderModel.entity(containing: index)
            self.init(
                PlaceholderModel.model(containing: entity), .element, [entity.name ?? "", index.name, "0"],
                isDetached: true)
        }
    }

    private init(_ model: NSManagedObjectModel, _ kind: Kind, _ names: [String], isDetached: Bool) {
        self.model = model
        path = [kind.rawValue] + names
        self.isDetached = isDetached
    }

    /// The description at a path; nil if there is none.
    static func description(_ path: [String], in model: NSManagedObjectModel) -> AnyObject? {
        guard path.count >= 2, let kind = Kind(rawValue: path[0]), let entity = model.entity(named: path[1]) else {
            return nil
        }
        switch (kind, path.count) {
        case (.entity, 2): return entity
        case (.property, 3): return entity.ownProperties.first { $0.name == path[2] }
        case (.index, 3): return entity.indexes.first { $0.name == path[2] }
        case (.element, 4):
            guard let elements = entity.indexes.first(where: { $0.name == path[2] })?.elements,
                let number = Int(path[3]),
                elements.indices.contains(number)
            else { return nil }
            return elements[number]
        default: return nil
        }
    }

    /// A copy of a description that retains the model and refers to the model's other descriptions as the original
    /// does. The model doesn't refer to the copy, so there is no retain cycle.
    static func copy(of part: any NSObject & NSCopying, retaining model: NSManagedObjectModel) -> AnyObject {
        let copy = part.copy() as AnyObject
        switch (part, copy) {
        case (let original as NSEntityDescription, let copy as NSEntityDescription):
            copy.decodedModel = model
            copy.modelStorage = model
            copy.pendingSuperentityName = nil
            copy.superentityStorage = original.superentityStorage
            copy.subentityStorage = original.subentityStorage
            for property in copy.ownProperties {
                restoreSelfInverse(of: original.property(named: property.name), in: property)
            }
        case (let original as NSPropertyDescription, let copy as NSPropertyDescription):
            copy.decodedModel = model
            copy.entityStorage = original.entityStorage
            restoreSelfInverse(of: original, in: copy)
        case (let original as NSFetchIndexDescription, let copy as NSFetchIndexDescription):
            copy.decodedModel = model
            copy.entityStorage = original.entityStorage
        case (let original as NSFetchIndexElementDescription, let copy as NSFetchIndexElementDescription):
            copy.decodedModel = model
            copy.indexStorage = original.indexStorage
        default: break
        }
        return copy
    }

    /// A relationship that is its own inverse has the copy as its inverse. A search by name would find the relationship
    /// of the model.
    private static func restoreSelfInverse(of original: NSPropertyDescription?, in copy: NSPropertyDescription) {
        guard let original = original as? NSRelationshipDescription, original.inverseRelationship === original,
            let copy = copy as? NSRelationshipDescription
        else { return }
        copy.inverseRelationship = copy
    }
}
