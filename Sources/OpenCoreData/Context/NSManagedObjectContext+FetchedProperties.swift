extension NSManagedObjectContext {
    /// The objects that a fetched property finds for an object, fetched anew at each access.
    final func fetchedPropertyValue(of object: NSManagedObject, slot: PropertySlot) -> Any? {
        guard let property = slot.property as? NSFetchedPropertyDescription, let template = property.fetchRequest else { return [NSManagedObject]() }
        let request = NSFetchRequest<NSManagedObject>(fetchDescription: template.fetchDescription)
        request.predicate = request.predicate?.withSubstitutionVariables(["FETCH_SOURCE": object, "FETCHED_PROPERTY": property])
        do {
            return try fetch(request)
        } catch {
            CoreDataLog.error("The fetched property '\(slot.name)' of entity '\(object.layout.name)' can't be fetched: \(error.localizedDescription)")
            return [NSManagedObject]()
        }
    }
}
