import CoreData
import CoreDataSyncModel

/// Three versions of a model: renamed entities, attributes and relationships, additions, removals, defaults that come
/// and go, another type of number, and a hierarchy that gets a new root and a new leaf.
enum VersionedModel {
    static let count = 3

    /// - Parameter version: from 1 on.
    static func make(_ version: Int) -> NSManagedObjectModel {
        let note = entity(version < 2 ? "Note" : "Memo", was: "Note")
        let folder = entity(version < 2 ? "Folder" : "Box", was: "Folder")
        let entry = entity(version < 2 ? "Entry" : "Line", was: "Entry")
        let id = attribute("id", .UUIDAttributeType)
        id.userInfo = ["syncIdentity": "yes"]
        let title = attribute(version < 2 ? "title" : "heading", .stringAttributeType, was: "title")
        note.properties = [attribute("color", .stringAttributeType, default: version < 2 ? "none" : nil)]
        if version < 3 {
            note.properties.append(attribute("mood", .stringAttributeType, default: version < 2 ? nil : "calm"))
        }
        folder.properties = [attribute(version < 2 ? "name" : "label", .stringAttributeType, was: "name")]
        let ticks = attribute(version < 2 ? "ticks" : "total", .integer64AttributeType, was: "ticks")
        ticks.userInfo = ["syncPolicy": "sum"]
        entry.properties = [attribute("text", .stringAttributeType), ticks]
        relate(
            note, (version < 2 ? "folder" : "box", "folder"), folder, (version < 2 ? "notes" : "memos", "notes"))
        let model = NSManagedObjectModel()
        model.entities = [note, folder, entry]
        if version > 1 {
            let number: NSAttributeType = version < 3 ? .integer16AttributeType : .integer32AttributeType
            note.properties.append(attribute("stars", number, default: 0))
            let tag = entity("Tag", was: "Tag")
            tag.properties = [attribute("name", .stringAttributeType)]
            relate(note, ("tags", "tags"), tag, ("notes", "notes"), toMany: true)
            model.entities.append(tag)
        }
        if version > 2 {
            let (item, photo) = (entity("Item", was: "Item"), entity("Photo", was: "Photo"))
            item.isAbstract = true
            item.properties = [id, title]
            item.subentities = [note]
            photo.properties = [attribute("caption", .stringAttributeType)]
            note.subentities = [photo]
            note.properties.append(attribute("kind", .stringAttributeType, default: "plain"))
            relate(note, ("cover", "cover"), photo, ("covered", "covered"))
            model.entities += [item, photo]
        } else {
            note.properties += [id, title]
        }
        return model
    }

    private static func entity(_ name: String, was former: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        if former != name { entity.renamingIdentifier = former }
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, was former: String? = nil, default value: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.defaultValue = value
        attribute.isOptional = value == nil
        if let former, former != name { attribute.renamingIdentifier = former }
        return attribute
    }

    private typealias Name = (now: String, former: String)

    private static func relate(
        _ one: NSEntityDescription, _ name: Name, _ other: NSEntityDescription, _ inverseName: Name,
        toMany: Bool = false
    ) {
        let (relationship, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        (relationship.name, relationship.destinationEntity) = (name.now, other)
        (inverse.name, inverse.destinationEntity) = (inverseName.now, one)
        if name.now != name.former { relationship.renamingIdentifier = name.former }
        if inverseName.now != inverseName.former { inverse.renamingIdentifier = inverseName.former }
        relationship.maxCount = toMany ? 0 : 1
        relationship.inverseRelationship = inverse
        inverse.inverseRelationship = relationship
        one.properties.append(relationship)
        other.properties.append(inverse)
    }
}
