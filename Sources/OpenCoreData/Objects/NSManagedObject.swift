// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An object of an entity: the base class of all objects that a context manages.
///
/// Values are read and written by key (``value(forKey:)``, ``setValue(_:forKey:)``) or through the accessors of a
/// subclass that the model names. The properties of such a subclass are `@NSManaged` (the package's plugin supplies
/// their accessors) or use ``ManagedProperty``.
///
/// ```swift
/// final class Song: NSManagedObject {
///     private static let titleProperty = ManagedProperty<String?>("title")
///     var title: String? {
///         get { self[Song.titleProperty] }
///         set { self[Song.titleProperty] = newValue }
///     }
/// }
///
/// func rename(_ song: Song, in context: NSManagedObjectContext) throws {
///     song.title = "Dancing Queen"    // The object and its context have changes now.
///     try context.save()              // UPDATE ZSONG SET Z_OPT = ?, ZTITLE = ? WHERE Z_PK = ? AND Z_OPT = ?
/// }
/// ```
///
/// A context has at most one object for each row of a store. An object may be a *fault*: it has an identity and no
/// values. The first access to a value fires the fault; that takes the row from the coordinator's row cache, or runs
/// one `SELECT`.
///
/// - Note: An object belongs to one context and is used on that context's queue alone (`perform(_:)`). Only
///   ``objectID`` and ``managedObjectContext`` may be read on any thread. Pass object IDs between queues, never
///   objects.
///
/// A subclass that overrides the designated initializer writes `required override`, which also compiles on Apple's
/// platforms.
nonisolated open class NSManagedObject: NSObject, NSFetchRequestResult {
    struct Flags: OptionSet {
        let rawValue: UInt32
        /// The object has no values: they are fetched, or made, at the first access.
        static let fault = Flags(rawValue: 1)
        static let inserted = Flags(rawValue: 2)
        static let updated = Flags(rawValue: 4)
        static let deleted = Flags(rawValue: 8)
        /// The cells are the object's own memory.
        static let ownsCells = Flags(rawValue: 16)
        /// Listed for the next change notification.
        static let pending = Flags(rawValue: 32)
        /// Delete propagation has visited the object's relationships.
        static let propagated = Flags(rawValue: 64)
        /// Changes are not tracked: the object awakes with fetched values, or turns into a fault.
        static let suppressesChangeTracking = Flags(rawValue: 128)
        /// The object has left its context: its deletion was saved, or the context was reset.
        static let detached = Flags(rawValue: 256)
        /// A change notification has announced the insertion.
        static let announced = Flags(rawValue: 512)
        /// Inserted again under its old ID: another context or process has deleted the row.
        static let replacing = Flags(rawValue: 1024)
        /// Each access checks the queue: see `ConcurrencyDebug`. Set for the object's whole life.
        static let checksConcurrency = Flags(rawValue: 2048)
        /// The maker of the object keeps its model, until other code keeps a reference to the object.
        static let modelIsKept = Flags(rawValue: 4096)
        /// `awakeFromFetch()` isn't called: it is under way, or has made the object a fault again.
        static let awaking = Flags(rawValue: 1 << 13)
        /// `willTurnIntoFault()` or `didTurnIntoFault()` is under way: neither is called.
        static let turningIntoFault = Flags(rawValue: 1 << 14)
        /// A loop that looks for repeated objects has met the object. The loop removes the flag at its end.
        static let counted = Flags(rawValue: 1 << 15)
        /// The object has, or had, observers.
        static let observed = Flags(rawValue: 1 << 16)
    }

    /// The layout of the object's entity. The layout needs the model. The object's identity table retains the model; an
    /// object without context retains it by its ID (see `keepModel()`).
    package final let layout: EntityLayout
    /// The layout's number, at hand for typed access.
    final let layoutNumber: UInt32
    // The stored properties below are used on the context's queue alone, and no access to one contains another access
    // to the same one. Without exclusivity checks each access is a plain load or store: these are the hottest words
    // of the framework.
    @exclusivity(unchecked) final var flags: Flags
    /// Position in the context's list of inserted, updated or deleted objects.
    @exclusivity(unchecked) final var changeIndex: Int32 = -1
    /// The position in the identity table's list of unindexed objects, -1 once the table has it by key. Guarded by the
    /// table's lock.
    @exclusivity(unchecked) final var unindexedPosition: Int32 = -1
    /// The values; shared with the row unless the object owns them. Valid unless the object is a fault.
    @exclusivity(unchecked) final var cells: Cells
    /// The committed values, kept alive by `buffer`; nil for new objects and for faults without data.
    @exclusivity(unchecked) final var row: Row?
    @exclusivity(unchecked) final var buffer: RowBuffer?
    /// The table in which the object is registered; nil for an object without context. Changed by `setIdentity` once
    /// other threads may know the object.
    @exclusivity(unchecked) final var table: IdentityTable?
    /// 0 before the object has a key, negative while the key is temporary. Changed as `table` is.
    @exclusivity(unchecked) final var primaryKey: Int64 = 0
    /// Destination objects and relationship contents, allocated at the first access to a relationship.
    @exclusivity(unchecked) final var links: UnsafeMutablePointer<AnyObject?>?
    /// A retained reference to the object ID, and a mark of detached objects: see `NSManagedObject+Identity.swift`.
    final let storedObjectID = Atomic<UInt>(0)

    /// Makes an object of an entity and inserts it into a context.
    ///
    /// The object gets the default values of its attributes and a temporary ID, then ``awakeFromInsert()`` is called.
    /// No SQL runs before the context is saved. Stops the program for an abstract entity, and for an entity that
    /// belongs to no model.
    ///
    /// ```swift
    /// func makeAlbum(in context: NSManagedObjectContext) -> NSManagedObject {
    ///     let entity = NSEntityDescription.entity(forEntityName: "Album", in: context)!
    ///     return NSManagedObject(entity: entity, insertInto: context)
    /// }
    /// ```
    ///
    /// Call it on the context's queue; without a context, on any thread.
    ///
    /// - Parameters:
    ///   - entity: an entity of the context's model, not abstract.
    ///   - context: the context to insert into. Nil makes an object without context; a context inserts it later by
    ///     `insert(_:)`.
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        // Stored last: the reference moves, and is not counted again.
        let layout = entity.entityLayout
        layoutNumber = layout.number
        flags = layout.initialFlags
        cells = layout.defaultCells
        self.layout = layout
        super.init()
        if let context { context.insert(self) }
    }

    /// Makes an object without a context, of the entity that ``entity()`` returns.
    ///
    /// The initializer exists because `NSObject` has it on Apple's platforms, where the object has no entity and can't
    /// be used. An error is logged: use ``init(context:)``.
    public convenience override init() {
        CoreDataLog.error(
            """
            Failed to call designated initializer on NSManagedObject class '\(Self.description())': use init(context:).
            """)
        self.init(entity: Self.entity(), insertInto: nil)
    }

    /// Makes an object of the entity that the context's model has for this class, and inserts it into the context.
    ///
    /// ```swift
    /// final class Album: NSManagedObject {}
    ///
    /// func makeAlbum(in context: NSManagedObjectContext) -> Album {
    ///     let album = Album(context: context)
    ///     album.setValue("Arrival", forKey: "title")
    ///     return album
    /// }
    /// ```
    ///
    /// No SQL runs before the context is saved. Stops the program if no entity of the model, or more than one, names
    /// the class. Call it on the context's queue.
    ///
    /// - Parameter context: the context to insert into.
    public required convenience init(context: NSManagedObjectContext) {
        self.init(entity: context.entityDescription(for: Self.self), insertInto: context)
    }

    deinit {
        // This object keeps the table until the deinit is over.
        table.unretained?._withUnsafeGuaranteedRef { table in
            table.unregister(self)
            if flags.contains(.observed) { table.handle.observers.finishObject(ObjectIdentifier(self)) }
        }
        if flags.contains(.ownsCells) {
            layout.destroy(cells)
            cells.deallocate()
        }
        if let links { LinkRelease.release(links, count: layout.linkCount) }
        releaseObjectID()
    }

    // MARK: Identity

    /// The object's entity.
    open var entity: NSEntityDescription { layout.entity }

    /// The context that the object belongs to; nil once the context is deallocated or the object's deletion is saved.
    ///
    /// May be read on any thread.
    open var managedObjectContext: NSManagedObjectContext? { currentContext() }

    /// The object's ID: temporary until the object is saved or `obtainPermanentIDs(for:)` is called.
    ///
    /// May be read on any thread.
    open var objectID: NSManagedObjectID {
        if let id = knownObjectID, !id.isTemporary { return id }
        return currentObjectID()
    }

    /// The context, also for an object that has left it. Used on the context's queue.
    final var context: NSManagedObjectContext? { table?.handle.context }

    // MARK: State

    /// Whether the object will be inserted at the next save.
    open var isInserted: Bool { flags.contains(.inserted) && !flags.contains(.deleted) }
    /// Whether the object was changed since it was fetched or saved.
    ///
    /// ```swift
    /// func mark(_ song: Song) {
    ///     song.title = "La Foule"
    ///     print(song.isUpdated)  // true until the next save
    /// }
    /// ```
    open var isUpdated: Bool { flags.contains(.updated) && !flags.contains(.deleted) }
    /// Whether the object will be deleted at the next save.
    open var isDeleted: Bool { flags.contains(.deleted) && !flags.contains(.detached) }
    /// Whether the object has no values yet.
    open var isFault: Bool { flags.contains(.fault) && table != nil }
    /// Whether the object is new, changed or deleted.
    ///
    /// ```swift
    /// let changed = context.registeredObjects.filter(\.hasChanges)
    /// print(changed.count, "objects to save")
    /// ```
    open var hasChanges: Bool {
        !flags.isDisjoint(with: [.inserted, .updated, .deleted]) && !flags.contains(.detached)
    }
    /// 0 if the object has its values; another value if it is a fault, turns into one, or awakes with fetched values.
    open var faultingState: Int { isFault || flags.contains(.suppressesChangeTracking) ? 1 : 0 }

    /// Whether a save would write changes of the object: neither changes of transient properties nor values that were
    /// set to an equal value count.
    open var hasPersistentChangedValues: Bool {
        if !flags.isDisjoint(with: [.inserted, .deleted]) { return hasChanges }
        guard flags.contains(.updated) else { return false }
        return layout.properties.contains { !$0.isTransient && isChanged($0) }
    }

    // MARK: Changes

    /// The persistent properties that differ from the committed snapshot, with their current values.
    ///
    /// ```swift
    /// func logChanges(of song: NSManagedObject) {
    ///     for (name, value) in song.changedValues() { print(name, "is now", value) }
    /// }
    /// ```
    ///
    /// Fires no fault and runs no SQL. Call it on the context's queue.
    ///
    /// - Returns: the values by property name, with `NSNull` for nil; `NSSet` or `NSOrderedSet` for to-many
    ///   relationships. For a new object the properties that differ from their default values. Empty for an object
    ///   without unsaved changes.
    open func changedValues() -> [String: Any] { uncommittedValues() }

    /// The values of the committed snapshot: persistent properties as they were at the last fetch or save.
    ///
    /// Fires a fault. Stops the program for an unknown key.
    ///
    /// ```swift
    /// func oldTitle(of song: Song) -> String? {
    ///     song.committedValues(forKeys: ["title"])["title"] as? String
    /// }
    /// ```
    ///
    /// - Parameter keys: the properties; transient properties are left out. Nil means all persistent properties.
    /// - Returns: the values by property name, with `NSNull` for nil. Empty for an object that was never saved.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { committedSnapshotValues(keys) }

    /// The persistent properties that were changed since the last `NSManagedObjectContextObjectsDidChange`, with the
    /// values that they had before.
    ///
    /// While the notification is posted, the result contains the changes that it announces.
    ///
    /// - Returns: the values by property name, with `NSNull` for nil; `NSSet` or `NSOrderedSet` for to-many
    ///   relationships. For an object that is new in the event, its initial values.
    open func changedValuesForCurrentEvent() -> [String: Any] { eventValues() }

    // MARK: Relationship faults

    /// Whether the destination or the contents of a relationship are not loaded yet.
    ///
    /// Fires no fault. Stops the program for a key that is no relationship.
    ///
    /// - Parameter key: the relationship.
    open func hasFault(forRelationshipNamed key: String) -> Bool { isRelationshipFault(key) }

    /// The IDs of the objects of a relationship, unsaved changes included, in order if the relationship is ordered.
    ///
    /// No objects are fetched or made. If the relationship is a to-many fault, the store reads only the keys (one
    /// `SELECT`). Stops the program for a key that is no relationship.
    ///
    /// ```swift
    /// func songCount(of artist: Artist) -> Int {
    ///     artist.objectIDs(forRelationshipNamed: "songs").count  // reads no row of a song
    /// }
    /// ```
    ///
    /// - Parameter key: the relationship.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { relatedObjectIDs(key) }

    // MARK: Life cycle, for overriding

    /// Called once in the object's life, when it is inserted for the first time; it has its default values already.
    ///
    /// ```swift
    /// class Note: NSManagedObject {
    ///     override func awakeFromInsert() {
    ///         super.awakeFromInsert()
    ///         setPrimitiveValue(Date(), forKey: "created")
    ///     }
    /// }
    /// ```
    open func awakeFromInsert() {}
    /// Called each time the object gets values from the store.
    ///
    /// A value that an override sets marks neither the object nor the context as changed, and inverses are not
    /// maintained.
    ///
    /// ```swift
    /// class Note: NSManagedObject {
    ///     var wordCount = 0
    ///
    ///     override func awakeFromFetch() {
    ///         super.awakeFromFetch()
    ///         wordCount = (value(forKey: "text") as? String ?? "").split(separator: " ").count
    ///     }
    /// }
    /// ```
    open func awakeFromFetch() {}
    /// Called when the object's values are set from a snapshot: undo, refresh, rollback.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
    /// Called before the object is inserted, updated or deleted in its store; an override may change objects.
    ///
    /// It is called again for each object that was changed during the calls. Set a value only if it differs: after 1000
    /// rounds with new changes the program stops.
    ///
    /// ```swift
    /// class Note: NSManagedObject {
    ///     override func willSave() {
    ///         super.willSave()
    ///         setPrimitiveValue(Date(), forKey: "saved")
    ///     }
    /// }
    /// ```
    open func willSave() {}
    /// Called after the object was saved; `isDeleted` is true if its deletion was saved. Changes that an override makes
    /// are saved by the next save.
    ///
    /// ```swift
    /// final class Download: NSManagedObject {
    ///     override func didSave() {
    ///         super.didSave()
    ///         guard isDeleted, let path = value(forKey: "path") as? String else { return }
    ///         try? FileManager.default.removeItem(atPath: path)
    ///     }
    /// }
    /// ```
    open func didSave() {}
    /// Called before the object is marked for deletion, by `delete(_:)` or a delete rule.
    ///
    /// ```swift
    /// class Note: NSManagedObject {
    ///     override func prepareForDeletion() {
    ///         super.prepareForDeletion()
    ///         print("Deleted:", value(forKey: "title") ?? "")
    ///     }
    /// }
    /// ```
    open func prepareForDeletion() {}
    /// Called before the object becomes a fault, while it still has its values.
    open func willTurnIntoFault() {}
    /// Called after the object has become a fault.
    open func didTurnIntoFault() {}

    // MARK: Access and change notices

    /// Call before a custom getter reads a primitive value; fires a fault.
    ///
    /// ```swift
    /// final class Place: NSManagedObject {
    ///     var point: Point {
    ///         willAccessValue(forKey: "x")
    ///         defer { didAccessValue(forKey: "x") }
    ///         let x = primitiveValue(forKey: "x") as? Double ?? 0
    ///         return Point(x: x, y: primitiveValue(forKey: "y") as? Double ?? 0)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter key: the property; nil means any.
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
    ///
    /// ```swift
    /// final class Player: NSManagedObject {
    ///     var score: Int {
    ///         get { value(forKey: "score") as? Int ?? 0 }
    ///         set {
    ///             willChangeValue(forKey: "score")
    ///             defer { didChangeValue(forKey: "score") }
    ///             setPrimitiveValue(max(0, newValue), forKey: "score")
    ///         }
    ///     }
    /// }
    /// ```
    open func willChangeValue(forKey key: String) {
        if layout.position(of: key) == nil && Self.contextShouldIgnoreUnmodeledPropertyChanges { return }
        prepareForWriting()
    }
    /// Call after a custom setter has changed a primitive value.
    open func didChangeValue(forKey key: String) {}

    /// Call before a custom accessor changes the contents of a to-many relationship; the object counts as changed from
    /// now on.
    ///
    /// - Parameters:
    ///   - inKey: the relationship.
    ///   - inMutationKind: how the contents are changed.
    ///   - inObjects: the objects that are added, removed, kept or set.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        willChangeValue(forKey: inKey)
    }
    /// Call after a custom accessor has changed the contents of a to-many relationship, with the arguments of the call
    /// before the change.
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

    /// The value of a property.
    ///
    /// ```swift
    /// func describe(_ song: NSManagedObject) -> String {
    ///     let title = song.value(forKey: "title") as? String ?? "untitled"
    ///     let tags = song.value(forKey: "tags") as! NSSet
    ///     return "\(title), \(tags.count) tags"
    /// }
    /// ```
    ///
    /// Fires a fault: one `SELECT` if no context has the row yet. A to-many relationship is loaded at its first
    /// access: one `SELECT`. Call it on the context's queue.
    ///
    /// A handwritten `@objc` property of the class takes precedence over the model's property, as in Apple's key-value
    /// coding. The build plugin registers it, or the program by ``register(_:of:get:set:isExposed:keyPath:)``.
    ///
    /// - Parameter key: an attribute, a relationship or a fetched property. For another key
    ///   ``value(forUndefinedKey:)`` is called, which stops the program unless it is overridden.
    /// - Returns: numbers as `NSNumber`, to-many relationships as `NSSet` or `NSOrderedSet`, fetched properties as
    ///   arrays, the other values as the types of their attributes.
    open func value(forKey key: String) -> Any? {
        guard let position = layout.position(of: key) else { return unmodeledValue(forKey: key) }
        if layout.hasAccessors.load(ordering: .relaxed), let accessor = accessor(forKey: key) {
            return accessor.get(self)
        }
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

    /// Sets the value of a property, and maintains the inverse of a relationship.
    ///
    /// ```swift
    /// func move(_ song: NSManagedObject, to album: NSManagedObject) {
    ///     song.setValue(3, forKey: "track")
    ///     song.setValue(album, forKey: "album")       // The album's "songs" contain the song now.
    /// }
    /// ```
    ///
    /// The object and its context have changes from now on; the next save writes them. Fires a fault. The value is
    /// validated when the context is saved. Stops the program for a value of a wrong type, for an object of another
    /// context, and, unless ``setValue(_:forUndefinedKey:)`` is overridden, for an unknown key. Call it on the
    /// context's queue.
    ///
    /// - Parameters:
    ///   - value: the value; a set, ordered set or array of objects for a to-many relationship. Nil and `NSNull` mean
    ///     no value, or no objects.
    ///   - key: an attribute or a relationship.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let position = layout.position(of: key) else {
            if !layout.isRecording { setUnmodeledValue(value, forKey: key) }
            return
        }
        if layout.hasAccessors.load(ordering: .relaxed), setByAccessor(value, forKey: key) { return }
        let location = layout.cellLocations[position]
        if location.kind == .integer64, let value, type(of: value) == Int64.self {
            prepareForWriting(location.cell)
            cells.setInteger(value as! Int64, at: location.cell)
            return
        }
        setPropertyValue(value, at: position)
    }

    /// Called by `value(forKey:)` for a key that is no property of the entity; stops the program unless overridden.
    ///
    /// A property of the class that is registered under the key, by the build plugin or by
    /// ``register(_:of:get:set:isExposed:keyPath:)``, is read without this call.
    open func value(forUndefinedKey key: String) -> Any? { unknownKey(key) }

    /// Called by `setValue(_:forKey:)` for a key that is no property of the entity; stops the program unless
    /// overridden. A registered property is set without this call.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        unknownKey(key, "setValue:forUndefinedKey:")
    }

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

    // MARK: Primitive values

    /// The value of a property without access notices, for custom getters.
    ///
    /// ```swift
    /// final class Person: NSManagedObject {
    ///     var name: String {
    ///         willAccessValue(forKey: "name")
    ///         defer { didAccessValue(forKey: "name") }
    ///         return primitiveValue(forKey: "name") as? String ?? "unknown"
    ///     }
    /// }
    /// ```
    ///
    /// Stops the program for a key that is no property. Call it on the context's queue.
    ///
    /// - Parameter key: the property.
    /// - Returns: what ``value(forKey:)`` returns. The set of a to-many relationship can't be changed; use
    ///   ``mutableSetValue(forKey:)`` or ``mutableOrderedSetValue(forKey:)``.
    open func primitiveValue(forKey key: String) -> Any? { storedValue(forKey: key) }

    /// Sets an attribute without change notices: the object is not marked as changed.
    ///
    /// Custom setters call it between ``willChangeValue(forKey:)`` and ``didChangeValue(forKey:)``. A relationship is
    /// set as by ``setValue(_:forKey:)``, and its inverse is maintained. Stops the program for a key that is no
    /// property, and for a value of a wrong type. Call it on the context's queue.
    ///
    /// ```swift
    /// func touch(_ song: Song) {
    ///     song.willChangeValue(forKey: "played")
    ///     song.setPrimitiveValue(Date(), forKey: "played")
    ///     song.didChangeValue(forKey: "played")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the property.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { storeValue(value, forKey: key) }

    // MARK: Validation, overridable

    /// Checks a value before it may be set; an override may replace the value, or throw.
    ///
    /// ```swift
    /// func check(_ title: String, for song: Song) throws {
    ///     var value: AnyObject? = title as NSString
    ///     try song.validateValue(&value, forKey: "title")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - value: the value to check.
    ///   - key: the property. A key that is no property is not checked.
    /// - Throws: the error of the first rule that the value breaks, in `NSCocoaErrorDomain`, with a code between 1550
    ///   and 1680.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        if let slot = layout.slot(named: key) {
            try ObjectValidation.validateUntyped(value.pointee, slot: slot, object: self)
        }
        try RegisteredMembers.validation(key, of: type(of: self))?(self, value)
    }

    /// Checks a new object before it is saved. An override calls super.
    ///
    /// A save calls it on the context's queue for each inserted object, before any SQL runs. An override that finds a
    /// further error throws it, or adds it to the errors of super:
    ///
    /// ```swift
    /// final class Booking: NSManagedObject {
    ///     override func validateForInsert() throws {
    ///         try super.validateForInsert()
    ///         let start = value(forKey: "start") as! Date
    ///         let end = value(forKey: "end") as! Date
    ///         guard start < end else { throw CocoaError(.validationInvalidDate) }
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: the error of the rule that a value breaks, in `NSCocoaErrorDomain`, with a code between 1550 and 1680.
    ///   Several broken rules give one `NSValidationMultipleErrorsError` (1560) with the errors in
    ///   `NSDetailedErrorsKey`. The save throws it, and nothing is saved.
    open func validateForInsert() throws { try ObjectValidation.validateAll(self) }

    /// Checks a changed object before it is saved. An override calls super.
    ///
    /// A save calls it on the context's queue for each updated object, as ``validateForInsert()`` for a new one.
    ///
    /// ```swift
    /// final class Trip: NSManagedObject {
    ///     override func validateForUpdate() throws {
    ///         try super.validateForUpdate()
    ///         let start = value(forKey: "start") as? Date ?? .distantPast
    ///         guard let end = value(forKey: "end") as? Date, end < start else { return }
    ///         let text = "A trip ends after its start."
    ///         throw CocoaError(.managedObjectValidation, userInfo: [NSLocalizedDescriptionKey: text])
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: as ``validateForInsert()``.
    open func validateForUpdate() throws { try ObjectValidation.validateAll(self) }

    /// Checks a deleted object before its deletion is saved. An override calls super.
    ///
    /// A save calls it on the context's queue for each deleted object, after delete propagation.
    ///
    /// ```swift
    /// final class Account: NSManagedObject {
    ///     override func validateForDelete() throws {
    ///         try super.validateForDelete()
    ///         guard let balance = value(forKey: "balance") as? Decimal, balance != 0 else { return }
    ///         let text = "The account isn't empty."
    ///         throw CocoaError(.managedObjectValidation, userInfo: [NSLocalizedDescriptionKey: text])
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: `NSValidationRelationshipDeniedDeleteError` (1600) in `NSCocoaErrorDomain` if a relationship with the
    ///   deletion rule Deny still has objects.
    open func validateForDelete() throws { try ObjectValidation.validateDeletion(self) }

    // MARK: Description

    open override var description: String {
        let state = isFault ? "<fault>" : "{\n\(valuesDescription())}"
        return
            """
            <\(type(of: self))> (entity: \(layout.name); id: \(objectID.uriRepresentation().absoluteString); data: \
            \(state))
            """
    }

    /// Whether the objects are identical: values are not compared. Not to be overridden.
    public final override func isEqual(_ object: Any?) -> Bool {
        guard let object else { return false }
        guard Swift.type(of: object) == Swift.type(of: self) else { return (object as AnyObject) === self }
        // The comparison of the types has shown that the `Any` has an object: then it begins with the reference. Sets
        // compare their members often, and a cast takes longer than the rest of the comparison.
        return withUnsafeBytes(of: object) { $0.load(as: UnsafeRawPointer.self) }
            == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }
    public final override var hash: Int {
        // The address is enough: sets mix its bits.
        Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4
    }

    /// The name of the class: the name in `@objc(Name)`, or the module and the class.
    open class func description() -> String { ManagedObjectClasses.objectiveCName(of: self) }

    /// The keys whose values a key depends on; the default is none.
    ///
    /// The method exists so that classes that override it compile. The framework does not call it, because it has no
    /// key-value observing.
    ///
    /// - Parameter key: the key.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    /// The entity that the newest model in use has for this class.
    ///
    /// A model is in use while a coordinator, container or context keeps it. May be called on any thread. If no model
    /// in use has such an entity, an error is logged, and the result is an entity without a name.
    open class func entity() -> NSEntityDescription { KnownModels.entity(for: self) }

    /// A fetch request for the objects of this class's entity.
    ///
    /// ```swift
    /// final class Song: NSManagedObject {}
    ///
    /// func longSongs(in context: NSManagedObjectContext) throws -> [Song] {
    ///     let request: NSFetchRequest<any NSFetchRequestResult> = Song.fetchRequest()
    ///     request.predicate = NSPredicate(format: "duration > %d", 300)
    ///     return try context.fetch(request) as? [Song] ?? []
    /// }
    /// ```
    ///
    /// May be called on any thread; runs no SQL. Without an entity for the class (see ``entity()``) the request has the
    /// class's name, and the context that fetches with it stops the program.
    ///
    /// If a subclass has a method of the same name that returns a typed request, as Xcode generates it, the compiler
    /// prefers that method.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest<any NSFetchRequestResult>(entityName: entity().name ?? String(describing: self))
    }
}
