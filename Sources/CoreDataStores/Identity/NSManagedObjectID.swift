// SPDX-License-Identifier: Apache-2.0

/// The identifier of a managed object: it names a row of a store, in any context, in any process.
///
/// An object that was never saved has a temporary ID; its first save gives it a permanent one. IDs are equal if they
/// name the same object. An ID never changes.
///
/// IDs cross threads and contexts, which objects don't:
///
/// ```swift
/// func rename(_ song: NSManagedObject, in container: NSPersistentContainer) async throws {
///     let id = song.objectID
///     try await container.performBackgroundTask { context in
///         let song = try context.existingObject(with: id)
///         song.setValue("Chiquitita", forKey: "title")
///         try context.save()
///     }
/// }
/// ```
///
/// May be used on any thread.
nonisolated open class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    /// The layout of the object's entity, which the model owns. Not as a reference: each read would count one.
    @usableFromInline package let unretainedLayout: Unmanaged<EntityLayout>
    @usableFromInline package let storeIdentity: StoreIdentity?
    /// The primary key, negative for a temporary ID.
    @usableFromInline package let key: Int64
    /// Keeps the layout; nil if the identity of the store does.
    @usableFromInline let model: NSManagedObjectModel?
    /// The ID that this one has replaced; kept for threads that have just loaded a reference to it.
    @usableFromInline let replacedID: NSManagedObjectID?

    @inlinable package init(
        layout: EntityLayout, store: StoreIdentity?, key: Int64, replacing replacedID: NSManagedObjectID? = nil
    ) {
        unretainedLayout = Unmanaged.passUnretained(layout)
        self.storeIdentity = store
        self.key = key
        self.replacedID = replacedID
        model = store?.keeps(layout.model) == true ? nil : layout.model.managedObjectModel
        super.init()
    }

    /// Makes one of many IDs. The caller looks up their common parts once.
    ///
    /// - Parameter model: the model that the ID keeps; nil if the identity of the store does.
    private init(
        _ layout: Unmanaged<EntityLayout>, _ store: __owned StoreIdentity, key: Int64,
        keeping model: __owned NSManagedObjectModel?
    ) {
        unretainedLayout = layout
        storeIdentity = store
        self.key = key
        self.model = model
        replacedID = nil
        super.init()
    }

    /// The IDs of some references.
    ///
    /// - Parameters:
    ///   - model: the layouts of the references.
    ///   - store: the store of the objects.
    package static func ids(
        of references: [ObjectReference], model: ModelLayout, store: StoreIdentity
    ) -> [NSManagedObjectID] {
        guard var number = references.first?.layout else { return [] }
        var layout = Unmanaged.passUnretained(model[number])
        let kept = store.keeps(model) ? nil : model.managedObjectModel
        var stores = CountedReferences(store, count: references.count)
        return [NSManagedObjectID](unsafeUninitializedCapacity: references.count) { ids, count in
            for reference in references {
                // The references come in runs of one entity.
                if reference.layout != number {
                    number = reference.layout
                    layout = Unmanaged.passUnretained(model[number])
                }
                let id = NSManagedObjectID(layout, stores.take(), key: reference.key, keeping: kept)
                ids.initializeElement(at: count, to: id)
                count += 1
            }
        }
    }

    @inlinable @inline(__always)
    package final var layout: EntityLayout { unretainedLayout._withUnsafeGuaranteedRef { $0 } }

    /// The entity of the object.
    open var entity: NSEntityDescription { layout.entity }

    /// Whether the ID is temporary: the object was not saved yet.
    open var isTemporaryID: Bool { isTemporary }

    @inlinable @inline(__always) package final var isTemporary: Bool { key < 0 }

    /// The ID as a URI, to be stored outside the database: `x-coredata://STORE-UUID/Entity/pKEY`. In a custom store,
    /// KEY is the description of the reference object.
    ///
    /// ```swift
    /// func remember(_ song: NSManagedObject) {
    ///     UserDefaults.standard.set(song.objectID.uriRepresentation(), forKey: "lastSong")
    /// }
    ///
    /// func rememberedSong(in context: NSManagedObjectContext) throws -> NSManagedObject? {
    ///     guard let uri = UserDefaults.standard.url(forKey: "lastSong"),
    ///         let coordinator = context.persistentStoreCoordinator,
    ///         let id = coordinator.managedObjectID(forURIRepresentation: uri)
    ///     else { return nil }
    ///     return try context.existingObject(with: id)
    /// }
    /// ```
    ///
    /// May be called on any thread; runs no SQL. Stops the program if the entity's name can't stand in a URI.
    ///
    /// - Returns: the URI. The URI of a temporary ID, `x-coredata:///Entity/t…`, is valid in this process only, and
    ///   only until the object is saved.
    open func uriRepresentation() -> URL {
        let name = ObjectURI.escaped(layout.name)
        let text =
            isTemporary
            ? "x-coredata:///\(name)/t\(TemporaryKeys.process)\(key.magnitude)"
            : "x-coredata://\(storeIdentity?.uuid ?? "")/\(name)/p\(reference)"
        guard let url = URL(string: text) else {
            programmingError(
                "The entity name '\(layout.name)' can't stand in a URI.",
                remedy: "Name entities with letters, digits and underscores.")
        }
        return url
    }

    /// The last part of the URI of a permanent ID: the key, or the text of the reference object.
    private var reference: String {
        guard let text = storeIdentity?.references?.text(of: key) else { return "\(key)" }
        return text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_", ".", "~"])) ?? text
    }

    /// The ID itself: it never changes.
    ///
    /// - Parameter zone: not used.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var hash: Int { Int(truncatingIfNeeded: key) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        if self === other { return true }
        guard key == other.key else { return false }
        if isTemporary { return true }
        // The model may be another copy.
        return (unretainedLayout.toOpaque() == other.unretainedLayout.toOpaque() || layout.name == other.layout.name)
            && (storeIdentity === other.storeIdentity || storeIdentity?.uuid == other.storeIdentity?.uuid)
    }

    open override var description: String { "<\(uriRepresentation().absoluteString)>" }
}
