// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    // MARK: By position

    /// The value of any property, as key-value coding gives it.
    final func propertyValue(at position: Int) -> Any? {
        let slot = layout.properties[position]
        switch slot.kind {
        case .toOne:
            return destination(slot)
        case .toMany:
            let content = toManyContent(slot, loading: true)
            return content.isOrdered ? content.orderedSet : content.set
        case .fetched:
            return context?.fetchedPropertyValue(of: self, slot: slot)
        case .transformable:
            fireFaultIfNeeded(slot.cell)
            return transformableValue(slot)
        default:
            fireFaultIfNeeded(slot.cell)
            return slot.read(cells)
        }
    }

    /// The value of a transformable attribute. It is decoded once, and stays the same object until the attribute gets
    /// another value.
    private func transformableValue(_ slot: PropertySlot) -> Any? {
        guard let stored = cells.object(slot.cell).pointee as? StoredTransformable else { return slot.read(cells) }
        if let known = link(slot.link) as? DecodedTransformable, known.stored === stored { return known.value }
        guard let value = slot.read(cells) else { return nil }
        setLink(DecodedTransformable(stored: stored, value: value), slot.link)
        return value
    }

    final func setPropertyValue(_ value: Any?, at position: Int) {
        let slot = layout.properties[position]
        switch slot.kind {
        case .toOne:
            let value = value is NSNull ? nil : value
            guard value == nil || value is NSManagedObject else {
                refuseRelationshipValue(value!, slot, "an NSManagedObject")
            }
            setDestination(value as! NSManagedObject?, slot)
        case .toMany:
            setToMany(value, slot)
        case .fetched:
            programmingError(
                "The fetched property '\(slot.name)' of entity '\(layout.name)' can't be set.",
                remedy: "Change the objects that it fetches.")
        default:
            prepareForWriting(slot.cell)
            slot.write(value, to: cells, entity: layout.name)
            if slot.kind == .integer64 { recordRange(of: value, slot) }
        }
    }

    /// Records a number that doesn't fit into an attribute of 64 bits, so that the next save refuses it.
    @inline(__always)
    private func recordRange(of value: Any?, _ slot: PropertySlot) {
        let stored = cells.integer(slot.cell)
        if stored == .max || stored == .min { recordExtreme(value, slot) }
    }

    @inline(never)
    private func recordExtreme(_ value: Any?, _ slot: PropertySlot) {
        guard let saving = context?.saving else { return }
        if let number = value as? NSNumber, Numbers.int64(number) == nil {
            saving.recordUnrepresentableNumber(slot, of: self)
        } else {
            saving.removeUnrepresentableNumber(slot, of: self)
        }
    }

    private func refuseRelationshipValue(_ value: Any, _ slot: PropertySlot, _ desired: String) -> Never {
        programmingError(
            """
            Unacceptable type of value for \(slot.kind == .toOne ? "to-one" : "to-many") relationship: entity = \
            \"\(layout.name)\"; property = \"\(slot.name)\"; desired type = \
            \(slot.relationship?.destinationEntity?.managedObjectClassName ?? "NSManagedObject"); given type = \
            \(type(of: value)).
            """,
            remedy: "Give \(desired) or nil.")
    }

    private func setToMany(_ value: Any?, _ slot: PropertySlot) {
        let objects: [Any]
        switch value {
        case nil, is NSNull: objects = []
        case let ordered as NSOrderedSet: objects = ordered.array
        case let set as NSSet: objects = set.allObjects
        case let set as Set<NSManagedObject>: objects = Array(set)
        case let array as [NSManagedObject]: objects = array
        default: refuseRelationshipValue(value!, slot, slot.isOrdered ? "an NSOrderedSet" : "an NSSet")
        }
        let members = objects.map { object -> NSManagedObject in
            guard let object = object as? NSManagedObject else {
                refuseRelationshipValue(object, slot, "a set of NSManagedObjects")
            }
            return object
        }
        replaceMembers(members, slot)
    }

    // MARK: Primitive values

    /// The result of `primitiveValue(forKey:)`.
    final func storedValue(forKey key: String) -> Any? {
        guard let position = layout.position(of: key) else {
            return layout.isRecording ? KeyRecording.value(forKey: key, of: self) : unknownKey(key)
        }
        return propertyValue(at: position)
    }

    /// The effect of `setPrimitiveValue(_:forKey:)`.
    final func storeValue(_ value: Any?, forKey key: String) {
        guard let position = layout.position(of: key) else {
            // An object that records keys has no values: values that an initializer sets are discarded.
            if layout.isRecording { return }
            unknownKey(key, "setValue:forUndefinedKey:")
        }
        let slot = layout.properties[position]
        if slot.isRelationship {
            setPropertyValue(value, at: position)
            return
        }
        guard slot.cell >= 0 else {
            setPropertyValue(value, at: position)
            return
        }
        fireFaultIfNeeded()
        ownCells()
        slot.write(value, to: cells, entity: layout.name)
    }

    // MARK: Key paths

    /// The value at the end of a key path, which may contain collection operators.
    ///
    /// ```swift
    /// func artistName(of song: Song) -> String? { song.value(forKeyPath: "artist.name") as? String }
    /// ```
    ///
    /// - Parameter keyPath: keys separated by dots, for example `album.songs.@count`.
    /// - Returns: the value; if the key path crosses a to-many relationship, the values of all its objects.
    public final func value(forKeyPath keyPath: String) -> Any? {
        KeyPathAccess.value(of: self, keyPath: keyPath)
    }

    /// Sets the property at the end of a key path. Does nothing if a relationship of the key path has no destination.
    ///
    /// - Parameters:
    ///   - value: the value, as for `setValue(_:forKey:)`.
    ///   - keyPath: keys separated by dots; all but the last are to-one relationships.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
        guard let (owner, key) = owner(ofKeyPath: keyPath) else { return }
        owner.setValue(value, forKey: key)
    }

    /// A mutable set that shows and changes the to-many relationship at the end of a key path.
    ///
    /// - Parameter keyPath: keys separated by dots; all but the last are to-one relationships. See
    ///   ``mutableSetValue(forKey:)`` for the last.
    /// - Returns: a set that stays connected with the object that has the relationship. If a relationship of the key
    ///   path has no destination, an empty set that is connected with no object.
    public final func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        guard let (owner, key) = owner(ofKeyPath: keyPath) else { return NSMutableSet() }
        return owner.mutableSetValue(forKey: key)
    }

    /// A mutable ordered set that shows and changes the ordered relationship at the end of a key path.
    ///
    /// - Parameter keyPath: keys separated by dots; all but the last are to-one relationships. See
    ///   ``mutableOrderedSetValue(forKey:)`` for the last.
    /// - Returns: an ordered set that stays connected with the object that has the relationship. If a relationship of
    ///   the key path has no destination, an empty set that is connected with no object.
    public final func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        guard let (owner, key) = owner(ofKeyPath: keyPath) else { return NSMutableOrderedSet() }
        return owner.mutableOrderedSetValue(forKey: key)
    }

    /// The object that has the last key of a key path; nil if a relationship of the key path has no destination.
    private func owner(ofKeyPath keyPath: String) -> (NSManagedObject, key: String)? {
        guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
        guard let owner = value(forKeyPath: String(keyPath[..<dot])) else { return nil }
        guard let owner = owner as? NSManagedObject else {
            programmingError(
                "The key path '\(keyPath)' of entity '\(layout.name)' leads through a value that is no managed object.",
                remedy: "Set the whole value instead.")
        }
        return (owner, String(keyPath[keyPath.index(after: dot)...]))
    }

    // MARK: Relationships as sets

    /// A mutable set that shows and changes a to-many relationship.
    ///
    /// ```swift
    /// func tag(_ song: NSManagedObject, with tag: NSManagedObject) {
    ///     song.mutableSetValue(forKey: "tags").add(tag)       // The tag's "songs" contain the song now.
    /// }
    /// ```
    ///
    /// Each change maintains the inverse and marks the objects as changed. The relationship is loaded at the first
    /// access to the set (one `SELECT`). Stops the program if the key is no unordered to-many relationship, and for an
    /// object of another entity or context. Use the set on the context's queue.
    ///
    /// - Parameter key: an unordered to-many relationship.
    /// - Returns: a set that stays connected with the object.
    public final func mutableSetValue(forKey key: String) -> NSMutableSet {
        RelationshipMutableSet(owner: self, slot: toManySlot(key, ordered: false))
    }

    /// A mutable ordered set that shows and changes an ordered to-many relationship.
    ///
    /// ```swift
    /// func moveToFront(_ track: NSManagedObject, of playlist: NSManagedObject) {
    ///     let tracks = playlist.mutableOrderedSetValue(forKey: "tracks")
    ///     tracks.remove(track)
    ///     tracks.insert(track, at: 0)
    /// }
    /// ```
    ///
    /// Each change maintains the inverse and marks the objects as changed; the order is saved too. The relationship is
    /// loaded by this call (one `SELECT`). Stops the program if the key is no ordered to-many relationship, and for an
    /// object of another entity or context. Use the set on the context's queue.
    ///
    /// - Parameter key: an ordered to-many relationship.
    /// - Returns: an ordered set that stays connected with the object.
    public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        RelationshipMutableOrderedSet.of(self, toManySlot(key, ordered: true))
    }

    private func toManySlot(_ key: String, ordered: Bool) -> PropertySlot {
        guard let slot = layout.slot(named: key) else {
            guard layout.isRecording else { unknownKey(key) }
            return KeyRecording.slot(of: key, in: self, as: nil) { $0.kind == .toMany && $0.isOrdered == ordered }
        }
        guard slot.kind == .toMany, slot.isOrdered == ordered else {
            programmingError(
                "'\(key)' of entity '\(layout.name)' is no \(ordered ? "ordered" : "unordered") to-many relationship.",
                remedy: slot.kind == .toMany
                    ? "Use mutable\(ordered ? "" : "Ordered")SetValue(forKey:)."
                    : "Use value(forKey:) and setValue(_:forKey:).")
        }
        return slot
    }
}
