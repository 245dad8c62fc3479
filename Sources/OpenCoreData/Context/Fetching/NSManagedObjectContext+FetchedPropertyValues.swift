// SPDX-License-Identifier: Apache-2.0

extension NSManagedObjectContext {
    /// The value of a fetched property (`NSFetchedPropertyDescription`): fetched at its first access, and stored until
    /// the object is refreshed.
    final func fetchedPropertyValue(of object: NSManagedObject, slot: PropertySlot) -> Any? {
        if let stored = object.link(slot.link) as? Box<[Any]> { return stored.value }
        guard let property = slot.property as? NSFetchedPropertyDescription, let template = property.fetchRequest else {
            return [NSManagedObject]()
        }
        let request = NSFetchRequest<any NSFetchRequestResult>(copying: template)
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": object, "FETCHED_PROPERTY": property,
        ])
        do {
            let found = try fetch(request)
            object.setLink(Box(found), slot.link)
            return found
        } catch {
            CoreDataLog.error(
                """
                The fetched property '\(slot.name)' of entity '\(object.layout.name)' can't be fetched: \
                \(error.localizedDescription)
                """
            )
            return [NSManagedObject]()
        }
    }
}

extension NSManagedObject {
    /// Discards the values of fetched properties.
    final func discardFetchedProperties() {
        if links == nil { return }
        for index in layout.fetchedProperties { setLink(nil, layout.properties[index].link) }
    }
}
