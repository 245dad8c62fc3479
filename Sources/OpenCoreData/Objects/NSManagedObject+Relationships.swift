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

    /// The objects to which the next save would write a link, as far as they are known here, by relationship.
    final var savedDestinations: [(slot: PropertySlot, objects: [NSManagedObject])] {
        layout.relationshipProperties.compactMap { index in
            let slot = layout.properties[index]
            guard !slot.isTransient else { return nil }
            return switch link(slot.link) {
            case let destination as NSManagedObject: (slot, [destination])
            case let content as ToManyContent: (slot, Array(content.added))
            default: nil
            }
        }
    }

    // MARK: To-one

    /// The destination of a to-one relationship, a fault if it isn't known yet.
    final func destination(_ slot: PropertySlot) -> NSManagedObject? {
        fireFaultIfNeeded(slot.cell)
        if let known = link(slot.link) { return unsafeDowncast(known, to: NSManagedObject.self) }
        guard cells.isPresent(slot.cell), let context else { return nil }
        let object = context.object(
            ofLayout: cells.referenceLayout(slot.cell), key: cells.integer(slot.cell), near: self)
        setLink(object, slot.link)
        return object
    }

    /// Sets the destination and keeps the inverse in step.
    final func setDestination(_ object: NSManagedObject?, _ slot: PropertySlot) {
        if let object { checkDestination(object, slot) }
        let old = destination(slot)
        if old === object {
            prepareForWriting(slot.cell)
            return
        }
        placeDestination(object, slot)
        guard maintainsInverse(of: slot) else { return }
        old?.loseInverse(self, slot)
        object?.gainInverse(self, slot)
    }

    /// Writes the destination alone.
    private func placeDestination(_ object: NSManagedObject?, _ slot: PropertySlot) {
        prepareForWriting(slot.cell)
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
        if flags.contains(.checksConcurrency) { checkQueue(slot, isWriting: false) }
        let content: ToManyContent
        if let known = link(slot.link) {
            content = unsafeDowncast(known, to: ToManyContent.self)
        } else {
            let isNew =
                !flags.isDisjoint(with: [.inserted, .detached]) || table == nil
                || (primaryKey < 0 && table?.handle.parent == nil)
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
            prepareForWriting()
            return
        }
        let content = toManyContent(slot, loading: position != nil || !hasToOneInverse)
        if position != nil { recordOrder(slot, content) }
        guard content.insert(object, at: position) else { return }
        recordAddition(object, slot)
        prepareForWriting()
        guard maintainsInverse(of: slot) else { return }
        object.gainInverse(self, slot)
    }

    /// Removes an object from a to-many relationship and keeps the inverse in step.
    final func removeMember(_ object: NSManagedObject, _ slot: PropertySlot) {
        let isMember = isToldByInverse(object, slot)
        if !removeMember(object, slot, of: toManyContent(slot, loading: !isMember || mustLoadForUndo(slot))) {
            guard isMember else { return }
            prepareForWriting()
        }
        guard maintainsInverse(of: slot) else { return }
        object.loseInverse(self, slot)
    }

    /// Whether the to-one inverse of an object, whose values are there, says that it is a member.
    private func isToldByInverse(_ object: NSManagedObject, _ slot: PropertySlot) -> Bool {
        guard slot.inverse >= 0, !object.flags.contains(.fault) else { return false }
        let inverse = object.layout.properties[slot.inverse]
        return inverse.kind == .toOne && object.destination(inverse) === self
    }

    /// Replaces the whole content of a to-many relationship.
    final func replaceMembers(_ objects: [NSManagedObject], _ slot: PropertySlot) {
        let content = toManyContent(slot, loading: true)
        prepareForWriting()
        let wanted = Set(objects)
        for object in content.members where !wanted.contains(object) { removeMember(object, slot) }
        // What stays isn't touched: its values needn't even be there.
        for object in objects where !content.contains(object) { addMember(object, slot) }
        if slot.isOrdered {
            recordOrder(slot, content)
            var seen = Set<NSManagedObject>(minimumCapacity: objects.count)
            content.reorder(objects.filter { seen.insert($0).inserted })
        }
    }

    /// Gives an ordered relationship another order of the same members.
    final func reorderMembers(_ objects: [NSManagedObject], _ slot: PropertySlot) {
        let content = toManyContent(slot, loading: true)
        recordOrder(slot, content)
        content.reorder(objects)
        prepareForWriting()
    }

    /// Lets go of the objects of a relationship, whose other sides are left alone: this object is deleted.
    final func tearDown(_ slot: PropertySlot) {
        if slot.kind == .toOne {
            if destination(slot) != nil { placeDestination(nil, slot) }
        } else if let content = link(slot.link) as? ToManyContent, content.count > 0 {
            recordOrder(slot, content)
            for member in content.members { recordRemoval(member, slot) }
            content.removeAll()
            prepareForWriting()
        }
    }

    // MARK: Inverses

    /// Whether the other side follows: not while the object awakes with fetched values.
    @inline(__always)
    private func maintainsInverse(of slot: PropertySlot) -> Bool {
        slot.inverse >= 0 && !flags.contains(.suppressesChangeTracking)
    }

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
            var content = toManyContent(inverse, loading: mustLoadForUndo(inverse))
            // Whether an object that comes back has its former place, only the whole order tells.
            if inverse.isOrdered && content.removed.contains(source) { content = toManyContent(inverse, loading: true) }
            guard content.insert(source) else { return }
            recordAddition(source, inverse)
            prepareForWriting()
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
            removeMember(source, inverse, of: toManyContent(inverse, loading: mustLoadForUndo(inverse)))
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
            removeMember(object, slot, of: toManyContent(slot, loading: mustLoadForUndo(slot)))
        default:
            break
        }
    }

    /// Puts `object` into the content of a to-many relationship of this object, at the end.
    final func insertMember(_ object: NSManagedObject, _ slot: PropertySlot, in content: ToManyContent) -> Bool {
        guard content.insert(object) else { return false }
        recordAddition(object, slot)
        prepareForWriting()
        return true
    }

    /// Takes `object` out of the content of a to-many relationship of this object.
    @discardableResult
    final func removeMember(_ object: NSManagedObject, _ slot: PropertySlot, of content: ToManyContent) -> Bool {
        recordOrder(slot, content)
        guard content.remove(object) else { return false }
        recordRemoval(object, slot)
        prepareForWriting()
        return true
    }

    // MARK: Checks

    /// A save has to look whether the other object can be saved by then.
    @inline(never)
    private func noteDangling(_ object: NSManagedObject) {
        context?.mayHaveDanglingReferences = true
        object.context?.mayHaveDanglingReferences = true
    }

    private func checkDestination(_ object: NSManagedObject, _ slot: PropertySlot) {
        if object.table == nil || table == nil || !object.flags.isDisjoint(with: [.deleted, .detached]) {
            noteDangling(object)
        }
        if let context, let other = object.context, context !== other {
            programmingError(
                """
                Illegal attempt to establish a relationship '\(slot.name)' between objects in different contexts \
                (source = \(layout.name) \(objectID), destination = \(object.layout.name) \(object.objectID)).
                """,
                remedy: "Get the object in this context by object(with:).")
        }
        let number = object.layout.number
        let destination = layout.model[slot.destination]
        guard number &- slot.destination <= destination.span else {
            programmingError(
                """
                Unacceptable type of value for \(slot.kind == .toOne ? "to-one" : "to-many") relationship: entity \
                = \"\(layout.name)\"; property = \"\(slot.name)\"; desired type = \(destination.name); given type \
                = \(object.layout.name).
                """,
                remedy: "Give an object of entity \(destination.name).")
        }
    }
}
