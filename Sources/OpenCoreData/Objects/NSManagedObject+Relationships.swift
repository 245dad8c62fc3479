extension NSManagedObject {
    // MARK: Links

    @inline(__always)
    final func link(_ index: Int) -> AnyObject? { links?[index] }

    @inline(__always)
    final func setLink(_ object: AnyObject?, _ index: Int) {
        if links == nil {
            guard object != nil else { return }
            let count = max(layout.linkCount, 1)
            let new = UnsafeMutablePointer<AnyObject?>.allocate(capacity: count)
            new.initialize(repeating: nil, count: count)
            links = new
        }
        links![index] = object
    }

    // MARK: To-one

    /// The destination of a to-one relationship, a fault if it isn't known yet.
    final func destination(_ slot: PropertySlot) -> NSManagedObject? {
        readable(slot.cell)
        if let known = link(slot.link) { return unsafeDowncast(known, to: NSManagedObject.self) }
        guard cells.isPresent(slot.cell), let context else { return nil }
        let object = context.object(ofLayout: cells.referenceLayout(slot.cell), key: cells.integer(slot.cell), near: self)
        setLink(object, slot.link)
        return object
    }

    /// Sets the destination and keeps the inverse in step.
    final func setDestination(_ object: NSManagedObject?, _ slot: PropertySlot) {
        if let object { checkDestination(object, slot) }
        let old = destination(slot)
        if old === object {
            writable()
            return
        }
        placeDestination(object, slot)
        guard slot.inverse >= 0 else { return }
        old?.loseInverse(self, slot)
        object?.gainInverse(self, slot)
    }

    /// Writes the destination alone.
    private func placeDestination(_ object: NSManagedObject?, _ slot: PropertySlot) {
        writable()
        if let object {
            if object.table == nil { _ = object.objectID }
            cells.setReference(object.primaryKey, layout: object.layout.number, at: slot.cell)
        } else {
            cells.setEmpty(slot.cell)
        }
        setLink(object, slot.link)
    }

    // MARK: To-many

    /// The content of a to-many relationship, loaded on demand.
    final func toManyContent(_ slot: PropertySlot, loading: Bool) -> ToManyContent {
        let content: ToManyContent
        if let known = link(slot.link) {
            content = unsafeDowncast(known, to: ToManyContent.self)
        } else {
            let isNew = flags.contains(.inserted) || table == nil || primaryKey < 0
            content = ToManyContent(isOrdered: slot.isOrdered, isLoaded: isNew)
            setLink(content, slot.link)
        }
        if loading && !content.isLoaded {
            if let context {
                // Content that can't be read stays unloaded: only its changes are known.
                if let stored = context.destinationObjects(of: self, slot: slot) { content.load(stored) }
            } else {
                content.load([])
            }
        }
        return content
    }

    /// Adds an object to a to-many relationship and keeps the inverse in step.
    final func addMember(_ object: NSManagedObject, _ slot: PropertySlot, at position: Int? = nil) {
        checkDestination(object, slot)
        // A to-one inverse tells whether the object is a member already; else the content has to.
        let hasToOneInverse = slot.inverse >= 0 && object.layout.properties[slot.inverse].kind == .toOne
        if hasToOneInverse && position == nil && object.destination(object.layout.properties[slot.inverse]) === self {
            writable()
            return
        }
        let content = toManyContent(slot, loading: position != nil || slot.isOrdered || !hasToOneInverse)
        guard content.insert(object, at: position) else { return }
        writable()
        guard slot.inverse >= 0 else { return }
        object.gainInverse(self, slot)
    }

    /// Removes an object from a to-many relationship and keeps the inverse in step.
    final func removeMember(_ object: NSManagedObject, _ slot: PropertySlot) {
        let content = toManyContent(slot, loading: true)
        guard content.remove(object) else { return }
        writable()
        guard slot.inverse >= 0 else { return }
        object.loseInverse(self, slot)
    }

    /// Replaces the whole content of a to-many relationship.
    final func replaceMembers(_ objects: [NSManagedObject], _ slot: PropertySlot) {
        let content = toManyContent(slot, loading: true)
        writable()
        let wanted = Set(objects)
        for object in content.members where !wanted.contains(object) { removeMember(object, slot) }
        for object in objects { addMember(object, slot) }
        if slot.isOrdered {
            var seen: Set<NSManagedObject> = []
            content.reorder(objects.filter { seen.insert($0).inserted })
        }
    }

    // MARK: Inverses

    /// The other side of a relationship was set to this object: `slot` is the relationship of `source`.
    final func gainInverse(_ source: NSManagedObject, _ slot: PropertySlot) {
        let inverse = layout.properties[slot.inverse]
        switch inverse.kind {
        case .toOne:
            let old = destination(inverse)
            if old === source { return }
            placeDestination(source, inverse)
            // The source takes the place of whoever was there.
            old?.loseMember(self, slot)
        case .toMany:
            let content = toManyContent(inverse, loading: false)
            if content.insert(source) { writable() }
        default:
            break
        }
    }

    /// The other side of a relationship let go of this object.
    final func loseInverse(_ source: NSManagedObject, _ slot: PropertySlot) {
        let inverse = layout.properties[slot.inverse]
        switch inverse.kind {
        case .toOne:
            if destination(inverse) === source { placeDestination(nil, inverse) }
        case .toMany:
            let content = toManyContent(inverse, loading: false)
            if content.remove(source) { writable() }
        default:
            break
        }
    }

    /// Takes `object` out of a relationship of this object, without touching the other side.
    private func loseMember(_ object: NSManagedObject, _ slot: PropertySlot) {
        switch slot.kind {
        case .toOne:
            if destination(slot) === object { placeDestination(nil, slot) }
        case .toMany:
            if toManyContent(slot, loading: false).remove(object) { writable() }
        default:
            break
        }
    }

    // MARK: Checks

    private func checkDestination(_ object: NSManagedObject, _ slot: PropertySlot) {
        if let context, let other = object.context, context !== other {
            programmingError(
                "Illegal attempt to establish a relationship '\(slot.name)' between objects in different contexts (source = \(layout.name) \(objectID), destination = \(object.layout.name) \(object.objectID)).",
                remedy: "Get the object in this context by object(with:).")
        }
        let number = object.layout.number
        let destination = layout.model[slot.destination]
        guard number &- slot.destination <= destination.span else {
            programmingError(
                "Unacceptable type of value for \(slot.kind == .toOne ? "to-one" : "to-many") relationship: entity = \"\(layout.name)\"; property = \"\(slot.name)\"; desired type = \(destination.name); given type = \(object.layout.name).",
                remedy: "Give an object of entity \(destination.name).")
        }
    }
}
