import CoreData

extension NSEntityDescription {
    /// Whether the entity only stands in for one that another team's model holds whole.
    var isPlaceholder: Bool { userInfo?["IsPlaceholder"] as? String == "YES" }
}

/// The artists' model with one entity more: the team of the songs' model, where Artist is a placeholder, has nothing to
/// do.
func withPictures(_ artists: NSManagedObjectModel) -> NSManagedObjectModel {
    guard let model = artists.copy() as? NSManagedObjectModel, let artist = model.entitiesByName["Artist"] else {
        return artists
    }
    let picture = NSEntityDescription()
    picture.name = "Picture"
    let file = NSAttributeDescription()
    file.name = "file"
    file.attributeType = .stringAttributeType
    let shown = NSRelationshipDescription()
    let pictures = NSRelationshipDescription()
    shown.name = "artist"
    shown.destinationEntity = artist
    shown.maxCount = 1
    pictures.name = "pictures"
    pictures.destinationEntity = picture
    pictures.deleteRule = .cascadeDeleteRule
    model.entities.append(picture)
    picture.properties = [file, shown]
    artist.properties.append(pictures)
    shown.inverseRelationship = pictures
    pictures.inverseRelationship = shown
    return model
}

/// The two halves made one: every entity that is no placeholder, copied into a new model.
///
/// It works because entities of a model that no coordinator has taken refer to each other by name.
func mergeByHand(_ models: [NSManagedObjectModel]) -> NSManagedObjectModel {
    let merged = NSManagedObjectModel()
    merged.entities = models.flatMap(\.entities)
        .filter { !$0.isPlaceholder }
        .compactMap { $0.copy() as? NSEntityDescription }
    return merged
}
