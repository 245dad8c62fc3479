extension NSEntityDescription {
    /// True if a key path from an object of the entity crosses or ends at a to-many relationship.
    package final func leadsToMany(_ path: ArraySlice<String>) -> Bool {
        var entity: NSEntityDescription? = self
        for key in path {
            guard let relationship = entity?.relationshipsByName[key] else { return false }
            if relationship.isToMany { return true }
            entity = relationship.destinationEntity
        }
        return false
    }
}
