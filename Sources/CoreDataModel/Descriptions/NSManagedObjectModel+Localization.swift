// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectModel {
    /// The localized name of a property: the text for the entity or its nearest ancestor, then the text for any entity,
    /// then the name itself.
    package final func localizedName(of property: NSPropertyDescription, in entity: NSEntityDescription) -> String {
        guard let texts = localizationDictionary else { return property.name }
        var current: NSEntityDescription? = entity
        while let entity = current {
            if let text = texts["Property/\(property.name)/Entity/\(entity.name ?? "")"] { return text }
            current = entity.superentity
        }
        return texts["Property/\(property.name)"] ?? property.name
    }

    /// The localized text of an error; the text itself if there is no localization.
    package final func localizedErrorText(_ text: String) -> String {
        localizationDictionary?["ErrorString/\(text)"] ?? text
    }
}
