import CoreData

/// Folders with notes.
enum NotesModel {
    static func make() -> NSManagedObjectModel {
        let (note, folder) = (NSEntityDescription(), NSEntityDescription())
        (note.name, folder.name) = ("Note", "Folder")
        let id = attribute("id", .UUIDAttributeType)
        id.userInfo = ["syncIdentity": "yes"]
        let film = attribute("film", .binaryDataAttributeType)
        film.userInfo = ["syncBlob": "later"]
        note.properties = [
            id, attribute("title", .stringAttributeType), attribute("rank", .integer64AttributeType), film,
        ]
        folder.properties = [attribute("name", .stringAttributeType)]
        let (owner, notes) = (NSRelationshipDescription(), NSRelationshipDescription())
        (owner.name, owner.destinationEntity, owner.maxCount) = ("folder", folder, 1)
        (notes.name, notes.destinationEntity, notes.maxCount) = ("notes", note, 0)
        (owner.inverseRelationship, notes.inverseRelationship) = (notes, owner)
        (owner.deleteRule, notes.deleteRule) = (.nullifyDeleteRule, .nullifyDeleteRule)
        note.properties.append(owner)
        folder.properties.append(notes)
        let model = NSManagedObjectModel()
        model.entities = [note, folder]
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }
}
