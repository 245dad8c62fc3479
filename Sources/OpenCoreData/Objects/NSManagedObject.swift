/// An object of the model: the base class of all that a context manages.
///
/// An object belongs to one context and is used on that context's queue alone. Its values are read and written by
/// key-value coding, by the typed accessors that generated classes have, or through the properties of a subclass that
/// the model names. A fault has identity but no values yet; they come at the first access.
///
/// Subclasses that override the designated initializer write `required override`, which also compiles on Apple's
/// platforms.
open class NSManagedObject: NSObject, NSFetchRequestResult {
    struct Flags: OptionSet {
        let rawValue: UInt32
        /// Values must be fetched, or made, before they are accessed.
        static let fault = Flags(rawValue: 1)
        static let inserted = Flags(rawValue: 2)
        static let updated = Flags(rawValue: 4)
        static let deleted = Flags(rawValue: 8)
        /// The cells are the object's own memory.
        static let ownsCells = Flags(rawValue: 16)
        /// Listed for the next change notification.
        static let pending = Flags(rawValue: 32)
        /// Its relationships were followed by delete propagation.
        static let propagated = Flags(rawValue: 64)
        /// Changes are not noted: the object is being filled from a row or an inverse.
        static let suppressesChangeTracking = Flags(rawValue: 128)
        /// Deleted and saved.
        static let detached = Flags(rawValue: 256)
        /// Its insertion was told in a change notification.
        static let announced = Flags(rawValue: 512)
        /// Inserted in place of a row that somebody else has deleted.
        static let replacing = Flags(rawValue: 1024)
        /// Each access is checked: see `ConcurrencyDebug`. Set for the object's whole life.
        static let checksConcurrency = Flags(rawValue: 2048)
        /// Somebody observes the object, or has done so.
        static let observed = Flags(rawValue: 1 << 16)
    }

    final let layout: EntityLayout
    /// The layout's number, at hand for typed access.
    final let layoutNumber: UInt32
    @exclusivity(unchecked) final var flags: Flags
    /// Position in the context's list of inserted, updated or deleted objects.
    @exclusivity(unchecked) final var changeIndex: Int32 = -1
    /// Where the identity table has noted the object, -1 once it is listed by key. Guarded by the table's lock.
    @exclusivity(unchecked) final var noteIndex: Int32 = -1
    /// The values; shared with the row unless the object owns them. Valid unless the object is a fault.
    @exclusivity(unchecked) final var cells: Cells
    /// The committed values, kept alive by `buffer`; nil for new objects and for faults without data.
    @exclusivity(unchecked) final var row: Row?
    @exclusivity(unchecked) final var buffer: RowBuffer?
    /// Where the object is registered; nil for an object without context.
    @exclusivity(unchecked) final var table: IdentityTable?
    @exclusivity(unchecked) final var primaryKey: Int64 = 0
    /// Destination objects and to-many contents, allocated at the first relationship access.
    @exclusivity(unchecked) final var links: UnsafeMutablePointer<AnyObject?>?
    @exclusivity(unchecked) final var lazyObjectID: NSManagedObjectID?

    /// Makes an object of `entity` and inserts it into `context`.
    ///
    /// - Parameters:
    ///   - entity: an entity of the context's model, not abstract.
    ///   - context: the context to insert into; nil makes an object without context, which
    ///     `NSManagedObjectContext.insert(_:)` may take later.
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        layout = entity.entityLayout
        layoutNumber = layout.number
        flags = layout.blankFlags
        cells = layout.defaultCells
        super.init()
        if let context { context.insert(self) }
    }

    /// Makes an object of the entity that the model has for this class, and inserts it into `context`.
    public required convenience init(context: NSManagedObjectContext) {
        self.init(entity: context.entityDescription(for: Self.self), insertInto: context)
    }

    deinit {
        if let table {
            // The table is kept by this object until the deinit is over.
            Unmanaged.passUnretained(table)._withUnsafeGuaranteedRef { $0.unregister(self) }
            if flags.contains(.observed) { table.handle.observers.finishObject(ObjectIdentifier(self)) }
        }
        if flags.contains(.ownsCells) {
            layout.destroy(cells)
            cells.deallocate()
        }
        if let links {
            links.deinitialize(count: layout.linkCount)
            links.deallocate()
        }
    }

    // MARK: Identity

    /// The object's entity.
    open var entity: NSEntityDescription { layout.entity }

    /// The context the object belongs to; nil once the context is gone or the object's deletion was saved.
    open var managedObjectContext: NSManagedObjectContext? { flags.contains(.detached) ? nil : table?.handle.context }

    /// The object's ID: temporary until the object was saved or `obtainPermanentIDs(for:)` was called.
    open var objectID: NSManagedObjectID {
        if primaryKey < 0, let table, table.handle.parent != nil { table.handle.context?.applyPermanentKeysOnQueue() }
        if let lazyObjectID { return lazyObjectID }
        if table == nil && primaryKey == 0 {
            if layout.isRecording { _ = KeyRecording.value(forKey: "objectID", of: self) }
            primaryKey = TemporaryKeys.make()
        }
        let id = NSManagedObjectID(layout: layout, store: table?.store, key: primaryKey)
        lazyObjectID = id
        return id
    }

    final var context: NSManagedObjectContext? { table?.handle.context }

    // MARK: State

    /// Whether the object will be inserted at the next save.
    open var isInserted: Bool { flags.contains(.inserted) && !flags.contains(.deleted) }
    /// Whether the object was changed since it was fetched or saved.
    open var isUpdated: Bool { flags.contains(.updated) && !flags.contains(.deleted) }
    /// Whether the object will be deleted at the next save.
    open var isDeleted: Bool { flags.contains(.deleted) && !flags.contains(.detached) }
    /// Whether the object has no values yet.
    open var isFault: Bool { flags.contains(.fault) && table != nil }
    /// Whether the object is new, changed or deleted.
    open var hasChanges: Bool {
        !flags.isDisjoint(with: [.inserted, .updated, .deleted]) && !flags.contains(.detached)
    }
    /// 0 if the values are there; another value if the object is a fault, about to become one, or awaking with fetched
    /// values.
    open var faultingState: Int { isFault || flags.contains(.suppressesChangeTracking) ? 1 : 0 }

    /// Whether the object has changes that a store would keep: transient properties and values set to what they were
    /// don't count.
    open var hasPersistentChangedValues: Bool {
        if !flags.isDisjoint(with: [.inserted, .deleted]) { return hasChanges }
        guard flags.contains(.updated) else { return false }
        return layout.properties.contains { !$0.isTransient && isChanged($0) }
    }

    // MARK: Life cycle, for overriding

    /// Called once in the object's life, when it is inserted for the first time; the default values are there.
    open func awakeFromInsert() {}
    /// Called each time the object's values arrive from the store.
    ///
    /// What it sets makes neither the object nor the context dirty, and inverses of relationships don't follow.
    open func awakeFromFetch() {}
    /// Called when the object's values are set from a snapshot: undo, refresh, rollback.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
    /// Called before the object is inserted, updated or deleted in its store; may change objects.
    ///
    /// It is called again for each object that was changed since, so set a value only if it differs; a save that
    /// doesn't settle within 1000 rounds stops the program.
    open func willSave() {}
    /// Called after the object was saved. What it changes is left for the next save. `isDeleted` tells a deleted
    /// object.
    open func didSave() {}
    /// Called before the object is marked for deletion, by `delete(_:)` or a delete rule.
    open func prepareForDeletion() {}
    /// Called before the object becomes a fault; the values are still there.
    open func willTurnIntoFault() {}
    /// Called after the object has become a fault.
    open func didTurnIntoFault() {}

    // MARK: Access notices

    /// Call before a custom getter reads a primitive value; fires a fault. A nil key means any.
    open func willAccessValue(forKey key: String?) {
        if let key, let slot = layout.slot(named: key), slot.cell >= 0 {
            fireFaultIfNeeded(slot.cell)
        } else {
            fireFaultIfNeeded()
        }
    }
    /// Call after a custom getter has read a primitive value.
    open func didAccessValue(forKey key: String?) {}
    /// Call before a custom setter changes a primitive value; the object counts as changed from now on.
    ///
    /// A key that is no property of the entity counts only if `contextShouldIgnoreUnmodeledPropertyChanges` is false.
    open func willChangeValue(forKey key: String) {
        if layout.position(of: key) == nil && Self.contextShouldIgnoreUnmodeledPropertyChanges { return }
        prepareForWriting()
    }
    /// Call after a custom setter has changed a primitive value.
    open func didChangeValue(forKey key: String) {}

    /// Call before a custom accessor changes the content of a to-many relationship; the object counts as changed from
    /// now on.
    ///
    /// - Parameters:
    ///   - inKey: the relationship.
    ///   - inMutationKind: how the content is changed.
    ///   - inObjects: the objects that are added, removed, kept or set.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        willChangeValue(forKey: inKey)
    }
    /// Call after a custom accessor has changed the content of a to-many relationship, with the same arguments as
    /// before.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        didChangeValue(forKey: inKey)
    }

    /// Whether `willChangeValue(forKey:)` with a key that is no property of the entity leaves the object unchanged.
    /// True unless overridden.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: Key-value coding, overridable

    /// The value of a property: numbers as `NSNumber`, to-many relationships as `NSSet` or `NSOrderedSet`.
    ///
    /// Stops the program for a key that the entity doesn't have, unless `value(forUndefinedKey:)` is overridden.
    open func value(forKey key: String) -> Any? {
        guard let position = layout.position(of: key) else { return unmodelledValue(forKey: key) }
        let location = layout.cellLocations[position]
        switch location.kind {
        case .integer16, .integer32, .integer64:
            fireFaultIfNeeded(location.cell)
            return cells.isPresent(location.cell) ? NumberObjects.integer(cells.integer(location.cell)) : nil
        case .string:
            fireFaultIfNeeded(location.cell)
            return cells.string(location.cell).pointee
        default:
            return propertyValue(at: position)
        }
    }

    /// Sets the value of a property and keeps inverse relationships in step.
    ///
    /// Stops the program for an unknown key, a value of a wrong type, and an object of another context.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let position = layout.position(of: key) else {
            if !layout.isRecording { setValue(value, forUndefinedKey: key) }
            return
        }
        let location = layout.cellLocations[position]
        if location.kind == .integer64, let value, type(of: value) == Int64.self {
            prepareForWriting(location.cell)
            cells.setInteger(value as! Int64, at: location.cell)
            return
        }
        setPropertyValue(value, at: position)
    }

    /// Called by `value(forKey:)` for a key that is no property of the entity; stops the program unless overridden.
    open func value(forUndefinedKey key: String) -> Any? { unknownKey(key) }

    /// Called by `setValue(_:forKey:)` for a key that is no property of the entity; stops the program unless
    /// overridden.
    open func setValue(_ value: Any?, forUndefinedKey key: String) { unknownKey(key) }

    /// The values of several properties; nil values are `NSNull`.
    open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        var result: [String: Any] = [:]
        for key in keys { result[key] = value(forKey: key) ?? NSNull() }
        return result
    }

    /// Sets several properties; `NSNull` stands for nil.
    open func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    // MARK: Validation, overridable

    /// Checks a value before it may be set; an override may replace the value, or throw.
    ///
    /// - Throws: the error of the first rule that the value breaks, in `NSCocoaErrorDomain` with a code of the 1550
    ///   family.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        guard let slot = layout.slot(named: key) else { return }
        try ObjectValidation.validateOffered(value.pointee, slot: slot, object: self)
    }

    /// Checks the object before it is inserted; an override calls super.
    open func validateForInsert() throws { try ObjectValidation.validateAll(self) }
    /// Checks the object before its changes are saved; an override calls super.
    open func validateForUpdate() throws { try ObjectValidation.validateAll(self) }
    /// Checks the object before it is deleted; an override calls super.
    open func validateForDelete() throws { try ObjectValidation.validateDeletion(self) }

    // MARK: Description

    open override var description: String {
        let state = isFault ? "<fault>" : "{\n\(describedValues())}"
        return
            """
            <\(type(of: self))> (entity: \(layout.name); id: \(objectID.uriRepresentation().absoluteString); data: \
            \(state))
            """
    }

    /// Managed objects are identical or different; their values don't count. Not to be overridden.
    public final override func isEqual(_ object: Any?) -> Bool { (object as AnyObject?) === self }
    public final override var hash: Int {
        // The address: sets hash it anyway.
        Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4
    }

    /// The entity that a known model has for this class.
    ///
    /// Stops the program if no model in use has exactly one such entity.
    open class func entity() -> NSEntityDescription { KnownModels.entity(for: self) }

    /// A fetch request for this class's entity.
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest<any NSFetchRequestResult>(entityName: entity().name ?? "")
    }
}

// Objects stay on their context's queue: pass their IDs.
@available(*, unavailable)
extension NSManagedObject: @unchecked Sendable {}

/// Why `awake(fromSnapshotEvents:)` is called.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// The events as bits.
    public let rawValue: UInt
    /// Events out of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// An insertion was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// A deletion was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// A change was undone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// The object was refreshed, its unsaved changes kept.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A merge policy has settled a conflict.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
