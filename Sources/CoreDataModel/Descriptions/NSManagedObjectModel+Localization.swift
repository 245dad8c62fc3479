extension NSManagedObjectModel {
    /// The name of an entity for people: from the localization dictionary, else the name itself.
    package final func localizedName(of entity: NSEntityDescription) -> String {
        let name = entity.name ?? ""
        return localizationDictionary?["Entity/\(name)"] ?? name
    }

    /// The name of a property for people: the text for the entity or one of its ancestors, then the text for any
    /// entity, else the name.
    package final func localizedName(of property: NSPropertyDescription, in entity: NSEntityDescription) -> String {
        guard let texts = localizationDictionary else { return property.name }
        var current: NSEntityDescription? = entity
        while let entity = current {
            if let text = texts["Property/\(property.name)/Entity/\(entity.name ?? "")"] { return text }
            current = entity.superentity
        }
        return texts["Property/\(property.name)"] ?? property.name
    }

    /// The text of an error for people; the text itself if there is no other.
    package final func localizedErrorText(_ text: String) -> String {
        localizationDictionary?["ErrorString/\(text)"] ?? text
    }
}
