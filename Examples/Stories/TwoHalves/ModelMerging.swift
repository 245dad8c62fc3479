import CoreData

extension NSEntityDescription {
    /// Whether the entity is a placeholder for an entity of the other team's model.
    var isPlaceholder: Bool { userInfo?["IsPlaceholder"] as? String == "YES" }
}

/// The model of the artists with another entity. The model of the songs, where Artist is a placeholder, needs no
/// change.
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

/// Merges two models: copies each entity that is no placeholder into a new model.
///
/// Until a coordinator uses the model, its entities refer to each other by name.
func mergeByHand(_ models: [NSManagedObjectModel]) -> NSManagedObjectModel {
    let merged = NSManagedObjectModel()
    merged.entities = models.flatMap(\.entities)
        .filter { !$0.isPlaceholder }
        .compactMap { $0.copy() as? NSEntityDescription }
    return merged
}
