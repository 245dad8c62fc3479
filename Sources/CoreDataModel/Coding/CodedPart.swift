/// A part of a model as it is archived: its model, and the way to it.
struct CodedPart {
    let model: NSManagedObjectModel
    /// Names from the entity on, the kind first.
    let path: [String]
    /// Whether the model was made for the archive, since the part belongs to none.
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
            let standIn = StandIns.entity(for: entity)
            self.init(StandIns.model(around: standIn), .entity, [standIn.name ?? ""], isDetached: true)
        }
    }

    init(_ property: NSPropertyDescription) {
        if let entity = property.owningEntity, entity.ownProperties.contains(where: { $0 === property }) {
            let part = CodedPart(entity)
            self.init(part.model, .property, [part.path[1], property.name], isDetached: part.isDetached)
        } else {
            let entity = StandIns.entity(holding: property)
            self.init(
                StandIns.model(around: entity), .property, [entity.name ?? "", entity.ownProperties[0].name],
                isDetached: true)
        }
    }

    init(_ index: NSFetchIndexDescription) {
        if let entity = index.entity, entity.indexes.first(where: { $0.name == index.name }) === index {
            let part = CodedPart(entity)
            self.init(part.model, .index, [part.path[1], index.name], isDetached: part.isDetached)
        } else {
            let entity = StandIns.entity(holding: index)
            self.init(StandIns.model(around: entity), .index, [entity.name ?? "", index.name], isDetached: true)
        }
    }

    init(_ element: NSFetchIndexElementDescription) {
        if let index = element.indexDescription, let number = index.elements.firstIndex(where: { $0 === element }) {
            let part = CodedPart(index)
            self.init(part.model, .element, [part.path[1], part.path[2], String(number)], isDetached: part.isDetached)
        } else {
            let index = StandIns.index(holding: element)
            let entity = StandIns.entity(holding: index)
            self.init(StandIns.model(around: entity), .element, [entity.name ?? "", index.name, "0"], isDetached: true)
        }
    }

    private init(_ model: NSManagedObjectModel, _ kind: Kind, _ names: [String], isDetached: Bool) {
        self.model = model
        path = [kind.rawValue] + names
        self.isDetached = isDetached
    }

    /// The part that a path leads to; nil if there is none.
    static func find(_ path: [String], in model: NSManagedObjectModel) -> AnyObject? {
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

    /// A copy of a part that keeps the model and is related to its parts as the original is; the model doesn't know of
    /// it, so that nothing holds itself.
    static func copy(of part: any NSObject & NSCopying, keeping model: NSManagedObjectModel) -> AnyObject {
        let copy = part.copy() as AnyObject
        switch (part, copy) {
        case (let original as NSEntityDescription, let copy as NSEntityDescription):
            copy.decodedModel = model
            copy.modelStorage = model
            copy.pendingSuperentityName = nil
            copy.superentityStorage = original.superentityStorage
            copy.subentityStorage = original.subentityStorage
            for property in copy.ownProperties {
                keepOwnInverse(of: original.property(named: property.name), in: property)
            }
        case (let original as NSPropertyDescription, let copy as NSPropertyDescription):
            copy.decodedModel = model
            copy.entityStorage = original.entityStorage
            keepOwnInverse(of: original, in: copy)
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

    /// A relationship that leads back by itself does so in the copy: by the name, that of the model would be found.
    private static func keepOwnInverse(of original: NSPropertyDescription?, in copy: NSPropertyDescription) {
        guard let original = original as? NSRelationshipDescription, original.inverseRelationship === original,
            let copy = copy as? NSRelationshipDescription
        else { return }
        copy.inverseRelationship = copy
    }
}
