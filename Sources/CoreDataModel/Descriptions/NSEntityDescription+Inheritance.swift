extension NSEntityDescription {
    /// The greatest depth of inheritance. Some functions walk the hierarchy recursively.
    package static let ancestorLimit = 256

    /// The parent, whose properties this entity inherits. Set it through `subentities` of the parent.
    public final var superentity: NSEntityDescription? { superentityStorage }

    /// The name of the parent, which is also known while the model contains no such entity.
    package final var superentityName: String? {
        get { superentityStorage?.nameStorage ?? pendingSuperentityName }
        set {
            willModify("superentity")
            pendingSuperentityName = newValue
        }
    }

    /// The direct children.
    public final var subentities: [NSEntityDescription] {
        get { subentityStorage }
        set {
            willModify("subentities")
            for entity in newValue where isKindOf(entity: entity) {
                programmingError(
                    """
                    \(subjectForMessages) can't have '\(entity.nameStorage ?? "")' as a subentity: it is that entity \
                    or inherits from it. An entity can't inherit from itself.
                    """)
            }
            for entity in subentityStorage { entity.superentityStorage = nil }
            for entity in newValue {
                entity.willModify("superentity")
                if let parent = entity.superentityStorage, parent !== self {
                    parent.subentityStorage.removeAll { $0 === entity }
                }
                entity.superentityStorage = self
                entity.pendingSuperentityName = nil
            }
            subentityStorage = newValue
        }
    }

    /// The direct children by name.
    public final var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(subentityStorage.map { ($0.nameStorage ?? "", $0) }, uniquingKeysWith: { $1 })
    }

    /// Whether the entity is the given entity or inherits from it.
    ///
    /// - Parameter entity: the possible ancestor.
    /// - Returns: true also for the entity itself.
    public final func isKindOf(entity: NSEntityDescription) -> Bool {
        if self === entity { return true }
        if let frozenState { return frozenState.ancestors.contains(ObjectIdentifier(entity)) }
        var ancestor = superentityStorage
        while let current = ancestor {
            if current === entity { return true }
            ancestor = current.superentityStorage
        }
        return false
    }

    /// The topmost ancestor, or the entity itself. Its table contains the rows of the whole hierarchy.
    package final var rootEntity: NSEntityDescription {
        var entity = self
        while let parent = entity.superentityStorage { entity = parent }
        return entity
    }
}
