// SPDX-License-Identifier: Apache-2.0

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

    /// The objects to which the next save would write a reference, by relationship. For a to-many relationship these
    /// are its additions.
    final var savedDestinations: [(slot: PropertySlot, objects: [NSManagedObject])] {
        layout.relationshipProperties.compactMap { index in
            let slot = layout.properties[index]
            guard !slot.isTransient else { return nil }
            return switch link(slot.link) {
            case let destination as NSManagedObject: (slot, [destination])
            case let content as ToManyContent: (slot, content.additions)
            default: nil
            }
        }
    }

    // MARK: To-one

    /// The destination of a to-one relationship; a new fault if the context has no such object yet.
    final func destination(_ slot: PropertySlot) -> NSManagedObject? {
        fireFaultIfNeeded(slot.cell)
        if let known = link(slot.link) { return unsafeDowncast(known, to: NSManagedObject.self) }
        guard cells.isPresent(slot.cell), let context else { return nil }
        let object = context.object(
            ofLayout: cells.referenceLayout(slot.cell), key: cells.integer(slot.cell), near: self)
        setLink(object, slot.link)
        return object
    }

    /// Sets the destination and maintains the inverse.
    final func setDestination(_ object: NSManagedObject?, _ slot: PropertySlot) {
        if let object { checkDestination(object, slot) }
        var old = destination(slot)
        if old === object {
            prepareForWriting(slot.cell)
            return
        }
        let maintainsInverse = maintainsInverse(of: slot)
        if maintainsInverse && (old?.flags.contains(.fault) == true || object?.flags.contains(.fault) == true) {
            // The inverses are written below. Both objects fire before: they may call the program, which may change
            // the relationship too.
            old?.fireFaultIfNeeded()
            object?.fireFaultIfNeeded()
            old = destination(slot)
        }
        writeDestination(object, slot)
        guard maintainsInverse else { return }
        if let old, old !== object {
            old.removeFromOtherOwner(than: self, slot)
            old.removeFromInverse(self, slot)
        }
        object?.addToInverse(self, slot)
    }

    /// Writes the destination without the inverse.
    final func writeDestination(_ object: NSManagedObject?, _ slot: PropertySlot) {
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

    /// The contents of a to-many relationship, loaded on demand.
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
            guard let context else {
                content.load([])
                return content
            }
            // The batch of a fetch may prefetch the relationship.
            if buffer?.slice != nil { context.loadSlice(of: self) }
            if content.isLoaded { return currentContent(slot, content) }
            // Contents that can't be read stay unloaded: only their changes are known.
            let hasRow = row != nil || context.hierarchy.parent != nil
            if let stored = context.destinationObjects(of: self, slot: slot) {
                content.hasFailedRead = false
                if !content.isLoaded {
                    content.load(stored)
                    content.wereReadWithoutRow = !hasRow
                }
            } else {
                content.hasFailedRead = true
            }
            return currentContent(slot, content)
        }
        return content
    }

    /// The contents of a relationship after a call of the program, which may have made the object a fault: the contents
    /// that it had then are released.
    private final func currentContent(_ slot: PropertySlot, _ content: ToManyContent) -> ToManyContent {
        link(slot.link) === content ? content : toManyContent(slot, loading: content.isLoaded)
    }

    /// Call before the contents of a relationship are compared with new contents: releases contents that may be older
    /// than the object's row. With the version of that row, a save of the former members would find no conflict.
    ///
    /// - Parameter isWriting: whether the change is under way, not only prepared.
    final func fireFault(beforeChanging slot: PropertySlot, isWriting: Bool = true) {
        if flags.contains(.checksConcurrency) { checkQueue(slot, isWriting: isWriting) }
        fireFaultIfNeeded()
        guard let known = link(slot.link), row != nil else { return }
        let content = unsafeDowncast(known, to: ToManyContent.self)
        if content.wereReadWithoutRow && !content.isChanged { setLink(nil, slot.link) }
    }

    /// The contents of a to-many relationship that is about to change. A fault that needs its members fires first, so
    /// that its row isn't newer than the members.
    final func contentForChanging(_ slot: PropertySlot, loading: Bool) -> ToManyContent {
        if let known = link(slot.link) {
            if flags.contains(.fault) || unsafeDowncast(known, to: ToManyContent.self).wereReadWithoutRow {
                fireFault(beforeChanging: slot)
            }
        } else if loading && flags.contains(.fault) {
            fireFault(beforeChanging: slot)
        }
        return toManyContent(slot, loading: loading)
    }

    /// Adds an object to a to-many relationship and maintains the inverse.
    final func addMember(_ object: NSManagedObject, _ slot: PropertySlot, at position: Int? = nil) {
        checkDestination(object, slot)
        // A to-one inverse shows whether the object is a member already; otherwise the contents must be loaded.
        let hasToOneInverse = slot.inverse >= 0 && object.layout.properties[slot.inverse].kind == .toOne
        if hasToOneInverse && position == nil && object.destination(object.layout.properties[slot.inverse]) === self
            && isMemberAlready(object, slot)
        {
            return prepareForWriting()
        }
        var content = contentForChanging(slot, loading: position != nil || !hasToOneInverse)
        if object.flags.contains(.fault), maintainsInverse(of: slot), !content.contains(object) {
            // Its inverse is written below. It may call the program when it fires, which may change this relationship.
            object.fireFaultIfNeeded()
            content = contentForChanging(slot, loading: position != nil || !hasToOneInverse)
        }
        if position != nil { recordOrder(slot, content) }
        guard insertMember(object, slot, in: content, at: position) else { return }
        if maintainsInverse(of: slot) { object.addToInverse(self, slot) }
    }

    /// Removes an object from a to-many relationship and maintains the inverse.
    final func removeMember(_ object: NSManagedObject, _ slot: PropertySlot) {
        let isMember = isMemberByInverse(object, slot)
        let content =
            isMember
            ? contents(slot, changedWith: object, isMember: true) : contentForChanging(slot, loading: true)
        if !removeMember(object, slot, of: content) {
            guard isMember else { return }
            prepareForWriting()
        }
        guard maintainsInverse(of: slot) else { return }
        object.removeFromOtherOwner(than: self, slot)
        object.removeFromInverse(self, slot)
    }

    /// Whether an object is a member because its to-one inverse refers to this object; false for a fault.
    private func isMemberByInverse(_ object: NSManagedObject, _ slot: PropertySlot) -> Bool {
        guard slot.inverse >= 0, !object.flags.contains(.fault) else { return false }
        let inverse = object.layout.properties[slot.inverse]
        return inverse.kind == .toOne && object.destination(inverse) === self
    }

    /// Replaces all members of a to-many relationship.
    final func replaceMembers(_ objects: [NSManagedObject], _ slot: PropertySlot) {
        fireFault(beforeChanging: slot)
        let hadFailedRead = (link(slot.link) as? ToManyContent)?.hasFailedRead == true
        var content = toManyContent(slot, loading: true)
        prepareForWriting()
        // The members that can't be read aren't removed: such a change isn't saved. Nor is one that the program has
        // made of members which it couldn't read.
        if hadFailedRead || !content.isLoaded { content.recordUnreadChange() }
        let wanted = Set(objects)
        for object in content.members where !wanted.contains(object) { removeMember(object, slot) }
        // Members that stay are not modified, so they may be faults.
        for object in objects where !content.contains(object) { addMember(object, slot) }
        guard slot.isOrdered else { return }
        // Members that have fired may have called the program, which may have changed the members once more.
        if link(slot.link) !== content { content = toManyContent(slot, loading: true) }
        var order: [NSManagedObject] = []
        var seen = Set<NSManagedObject>(minimumCapacity: objects.count)
        for object in objects where content.contains(object) && seen.insert(object).inserted { order.append(object) }
        if order.count < content.count { order += content.members.filter { !seen.contains($0) } }
        reorder(content, order, slot)
    }

    /// Gives an ordered relationship another order of the same members.
    final func reorderMembers(_ objects: [NSManagedObject], _ slot: PropertySlot) {
        let content = contentForChanging(slot, loading: true)
        reorder(content, objects, slot)
        prepareForWriting()
    }

    private final func reorder(_ content: ToManyContent, _ order: [NSManagedObject], _ slot: PropertySlot) {
        guard content.isLoaded else { return content.recordUnreadChange() }
        recordOrder(slot, content)
        content.reorder(order)
    }

    /// Moves members of an ordered relationship. An order that can't be read isn't changed, and not saved.
    final func moveMembers(_ slot: PropertySlot, _ move: (ToManyContent) -> Void) {
        let content = contentForChanging(slot, loading: true)
        if content.isLoaded {
            recordOrder(slot, content)
            move(content)
        } else {
            content.recordUnreadChange()
        }
        prepareForWriting()
    }

    /// Removes all destinations without the inverses: this object is deleted.
    final func removeAllDestinations(_ slot: PropertySlot) {
        if slot.kind == .toOne {
            if destination(slot) != nil { writeDestination(nil, slot) }
        } else if let content = link(slot.link) as? ToManyContent, content.count > 0 {
            recordOrder(slot, content)
            recordRemoval(ofAll: content.members, slot)
            content.removeAll()
            prepareForWriting()
        }
    }

    // MARK: Inverses

    /// Whether the inverse is maintained. False while the object awakes with fetched values.
    @inline(__always)
    private func maintainsInverse(of slot: PropertySlot) -> Bool {
        slot.inverse >= 0 && !flags.contains(.suppressesChangeTracking)
    }

    /// Maintains the inverse: `source` refers to this object by its relationship `slot` now.
    final func addToInverse(_ source: NSManagedObject, _ slot: PropertySlot) {
        let inverse = layout.properties[slot.inverse]
        switch inverse.kind {
        case .toOne:
            if destination(inverse) === source, isReferenceCurrent(to: source, inverse) { return }
            let old = destination(inverse)
            writeDestination(source, inverse)
            // The source replaces the old destination.
            old?.removeFromInverse(self, inverse)
        case .toMany:
            var content = contents(inverse, changedWith: source, isMember: false)
            // The position of an object that is added again is known only in the loaded order.
            if inverse.isOrdered && content.isRemoved(source) { content = toManyContent(inverse, loading: true) }
            insertMember(source, inverse, in: content)
        default:
            break
        }
    }

    /// Maintains the inverse: `source` no longer refers to this object by its relationship `slot`.
    final func removeFromInverse(_ source: NSManagedObject, _ slot: PropertySlot) {
        let inverse = layout.properties[slot.inverse]
        switch inverse.kind {
        case .toOne:
            if slot.kind == .toOne { followNewerRow(of: source, inverse) }
            if destination(inverse) === source { writeDestination(nil, inverse) }
        case .toMany:
            removeMember(source, inverse, of: contents(inverse, changedWith: source, isMember: true))
        default:
            break
        }
    }

    /// Adds an object to the contents of a to-many relationship, without the inverse.
    ///
    /// - Parameter position: the index in ordered contents, whose order is recorded; nil for the end.
    @discardableResult
    final func insertMember(
        _ object: NSManagedObject, _ slot: PropertySlot, in content: ToManyContent, at position: Int? = nil
    ) -> Bool {
        let content = presentContent(slot, content, changing: object, isMember: false)
        guard content.insert(object, at: position) else { return false }
        recordAddition(object, slot)
        prepareForWriting()
        return true
    }

    /// Removes an object from the contents of a to-many relationship, without the inverse.
    @discardableResult
    final func removeMember(_ object: NSManagedObject, _ slot: PropertySlot, of content: ToManyContent) -> Bool {
        let content = presentContent(slot, content, changing: object, isMember: true)
        recordOrder(slot, content)
        guard content.remove(object) else { return false }
        recordRemoval(object, slot)
        prepareForWriting()
        return true
    }

    /// The contents that a change is made in, after the fault has fired.
    ///
    /// A fault that fires may call the program, which may replace the contents. So the fault fires before the contents
    /// are changed.
    @inline(__always)
    private final func presentContent(
        _ slot: PropertySlot, _ content: ToManyContent, changing object: NSManagedObject, isMember: Bool
    ) -> ToManyContent {
        if !flags.contains(.fault) && link(slot.link) === content { return content }
        return contentAfterFiring(slot, content, object, isMember)
    }

    @inline(never)
    private final func contentAfterFiring(
        _ slot: PropertySlot, _ content: ToManyContent, _ object: NSManagedObject, _ isMember: Bool
    ) -> ToManyContent {
        let isKnown = content.isLoaded ? content.contains(object) != isMember : content.isChanged(object, isMember)
        if link(slot.link) === content && isKnown { return content }
        fireFaultIfNeeded()
        return link(slot.link) === content ? content : toManyContent(slot, loading: content.isLoaded)
    }

    // MARK: Checks

    /// Makes the next save check that it can save the destination too.
    @inline(never)
    private func recordPossibleDanglingReference(_ object: NSManagedObject) {
        context?.saving.recordPossibleDanglingReference()
        object.context?.saving.recordPossibleDanglingReference()
    }

    private func checkDestination(_ object: NSManagedObject, _ slot: PropertySlot) {
        if object.table == nil || table == nil || flags.contains(.deleted)
            || !object.flags.isDisjoint(with: [.deleted, .detached])
        {
            recordPossibleDanglingReference(object)
            keepModel()
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
