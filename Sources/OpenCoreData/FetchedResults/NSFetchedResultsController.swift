// SPDX-License-Identifier: Apache-2.0

/// Manages the results of a fetch request: in order, in sections, and up to date with the context.
///
/// ```swift
/// final class SongList: NSObject, NSFetchedResultsControllerDelegate {
///     private let songs: NSFetchedResultsController<Song>
///
///     init(_ context: NSManagedObjectContext) throws {
///         let request = NSFetchRequest<Song>(entityName: "Song")
///         request.sortDescriptors = ["genre", "title"].map { NSSortDescriptor(key: $0, ascending: true) }
///         songs = NSFetchedResultsController(
///             fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "genre", cacheName: nil)
///         super.init()
///         songs.delegate = self
///         try songs.performFetch()
///     }
///
///     func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
///         print(songs.fetchedObjects?.map(\.title) ?? [])
///     }
/// }
/// ```
///
/// Without a delegate the controller returns the results as they were fetched. With a delegate it observes the
/// context's `NSManagedObjectContextObjectsDidChange` notifications. Inserted, updated, refreshed and deleted objects
/// are tested against the predicate and sorted into the results in memory, without a SQL statement. Rows of refreshed
/// objects are read with one statement. A request with a limit or an offset is fetched again when an object of its
/// entity changes.
///
/// A predicate, sort key or section name can read values of related objects. Changes of these related objects are not
/// observed: change the object itself, too. Changes of results that are IDs or dictionaries are not observed at all.
///
/// After a change of the request call ``performFetch()`` again. Use a controller on its context's queue only.
nonisolated open class NSFetchedResultsController<ResultType>: NSObject {
    final let results: FetchedResults
    private final let typedRequest: NSFetchRequest<ResultType>
    /// Whether only delegates get this controller, while the application has created another controller.
    private final let isTypeErased: Bool
    /// The results as `ResultType`, and the serial of the content that they were made from.
    private final var typedResults: (serial: Int, objects: [ResultType])?
    /// The controller that delegates get, if it is another object than this one.
    final var typeErasedController: NSFetchedResultsController<any NSFetchRequestResult>?

    /// Creates a controller. It has no results before ``performFetch()``.
    ///
    /// Stops the program if the request's sort descriptors are nil. An empty array gives the order in which the objects
    /// were saved.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Song>(entityName: "Song")
    /// request.sortDescriptors = [
    ///     NSSortDescriptor(key: "artist.name", ascending: true), NSSortDescriptor(key: "title", ascending: true),
    /// ]
    /// let controller = NSFetchedResultsController(
    ///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "artist.name", cacheName: nil)
    /// try controller.performFetch()
    /// ```
    ///
    /// - Parameters:
    ///   - fetchRequest: the request. Its first sort descriptor must sort by section.
    ///   - context: the context that fetches, and whose changes are observed.
    ///   - sectionNameKeyPath: a key path, as for `value(forKeyPath:)`, whose values divide the objects into sections;
    ///     nil for one section without a name.
    ///   - name: the name of a cache file that stores the sections between runs of the program; nil for no file. With a
    ///     cache the section name of each object need not be read. The cache is used while the stores' files are
    ///     unchanged, the request is the same, and the context has no unsaved changes. Controllers with different
    ///     requests need caches of different names.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?,
        cacheName name: String?
    ) {
        if fetchRequest.sortDescriptors == nil { FetchedResults.stopForMissingSortDescriptors(fetchRequest) }
        typedRequest = fetchRequest
        isTypeErased = false
        results = FetchedResults(
            request: fetchRequest, context: context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
        super.init()
        results.owner = self
    }

    /// Creates the controller that a delegate gets: the same results under another result type.
    init(results: FetchedResults) {
        self.results = results
        isTypeErased = true
        typedRequest = NSFetchRequest<ResultType>(
            fetchDescription: results.request.fetchDescriptionStorage ?? FetchDescription())
        super.init()
    }

    // MARK: Configuration

    /// The request. Changes of it take effect with the next ``performFetch()``.
    open var fetchRequest: NSFetchRequest<ResultType> { typedRequest }
    /// The context that the objects belong to.
    open var managedObjectContext: NSManagedObjectContext { results.context }
    /// The key path whose values divide the objects into sections.
    open var sectionNameKeyPath: String? {
        if let overridingController { return overridingController.sectionNameKeyPath }
        return results.sectionName?.keyPath
    }
    /// The name of the cache file that stores the sections.
    open var cacheName: String? {
        if let overridingController { return overridingController.cacheName }
        return results.cacheName
    }

    /// Called when the results change. The reference is weak.
    ///
    /// While the delegate is nil, changes are not observed: set it before ``performFetch()``.
    ///
    /// ```swift
    /// final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    ///     func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    ///         print(controller.fetchedObjects?.count ?? 0, "songs")
    ///     }
    /// }
    /// let follower = Follower()
    /// songs.delegate = follower
    /// try songs.performFetch()
    /// ```
    open var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { results.delegate }
        set { results.delegate = newValue }
    }

    // MARK: Fetching

    /// Executes the fetch request and replaces the results. Does not call the delegate.
    ///
    /// ```swift
    /// songs.fetchRequest.predicate = NSPredicate(format: "genre == %@", "Jazz")
    /// do {
    ///     try songs.performFetch()
    /// } catch {
    ///     print("The songs can't be fetched: \(error.localizedDescription)")
    /// }
    /// ```
    ///
    /// The context first processes its pending changes. The delegate learns of these as changes of the old results.
    /// Then the fetch runs one statement, for example
    ///
    /// ```sql
    /// SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZGENRE, t0.ZTITLE FROM ZSONG t0
    /// WHERE t0.ZGENRE = ? ORDER BY t0.ZGENRE, t0.ZTITLE, t0.Z_PK
    /// ```
    ///
    /// With a section name key path the section name of each object is read, unless a valid cache contains the
    /// sections. Call it on the context's queue.
    ///
    /// - Throws: the errors of `NSManagedObjectContext.fetch(_:)`, and `NSCoreDataError` (134060) if the objects of a
    ///   section are not adjacent. The controller then retains its previous results.
    open func performFetch() throws {
        if let overridingController { return try overridingController.performFetch() }
        if let type = ResultType.self as? NSManagedObject.Type { ManagedObjectClasses.register(type) }
        try results.performFetch()
        _ = currentResults
    }

    /// The results in order; nil before ``performFetch()``.
    open var fetchedObjects: [ResultType]? {
        if let overridingController { return overridingController.untypedFetchedObjects.map(typed) }
        return currentResults
    }

    private final var currentResults: [ResultType]? {
        guard let content = results.content else { return nil }
        if let typedResults, typedResults.serial == results.serial { return typedResults.objects }
        guard
            let objects = content.values.isEmpty
                ? FetchedArray.objects(content.objects, haveOneClass: false, as: ResultType.self)
                : content.values as? [ResultType]
        else {
            stopForWrongType((0..<content.count).map(content.element))
        }
        typedResults = (results.serial, objects)
        return objects
    }

    private final func typed(_ objects: [Any]) -> [ResultType] {
        guard let objects = objects as? [ResultType] else { stopForWrongType(objects) }
        return objects
    }

    private final func stopForWrongType(_ objects: [Any]) -> Never {
        let other = objects.first { !($0 is ResultType) }
        programmingError(
            """
            An NSFetchedResultsController for entity '\(results.fetchedRequest.entityName ?? "")' has fetched \
            \(other.map { "\(type(of: $0))" } ?? "other results"), not \(ResultType.self).
            """,
            remedy: """
                Make its request for the type that its resultType and the entity's class give; register the class \
                if the model names it without its module.
                """
        )
    }

    /// The result at an index path of two indexes, section and row.
    ///
    /// Stops the program if there is none, and before ``performFetch()``.
    ///
    /// ```swift
    /// let song = songs.object(at: IndexPath(item: 0, section: 0))
    /// ```
    ///
    /// - Parameter indexPath: the index path of a result.
    open func object(at indexPath: IndexPath) -> ResultType {
        let element = overridingController?.untypedObject(at: indexPath) ?? results.element(at: indexPath)
        guard let object = element as? ResultType else { stopForWrongType([element]) }
        return object
    }

    /// The index path of a result; nil if the object is not among the results.
    ///
    /// - Parameter object: a result.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        if let overridingController { return overridingController.indexPath(forUntypedObject: object) }
        return results.indexPath(of: object)
    }

    // MARK: Sections

    /// The sections in order; nil before ``performFetch()``. Without a section name key path there is one section, even
    /// without objects.
    ///
    /// ```swift
    /// for section in songs.sections ?? [] { print(section.name, section.numberOfObjects) }
    /// ```
    open var sections: [any NSFetchedResultsSectionInfo]? {
        if let overridingController { return overridingController.sections }
        return results.sections
    }

    /// The titles of the section index: one for each section whose title differs from the title of the section before.
    ///
    /// ```swift
    /// try songs.performFetch()
    /// print(songs.sectionIndexTitles.joined(separator: " "))  // A B E P
    /// ```
    open var sectionIndexTitles: [String] {
        overridingController?.sectionIndexTitles ?? results.indexTitles.map(\.title)
    }

    /// The title of a section in the section index: the delegate's title, by default the first letter of the name, as a
    /// capital.
    ///
    /// - Parameter sectionName: the name of a section.
    /// - Returns: nil if the section has no title.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        if let overridingController { return overridingController.sectionIndexTitle(forSectionName: sectionName) }
        guard let delegate = results.delegate else {
            return FetchedResults.defaultIndexTitle(forSectionName: sectionName)
        }
        return delegate.controller(delegateArgument, sectionIndexTitleForSectionName: sectionName)
    }

    /// The section for a title of the section index: the first section with that title.
    ///
    /// Stops the program if the index has another title at this position.
    /// - Parameters:
    ///   - title: the title.
    ///   - sectionIndex: the position of the title in ``sectionIndexTitles``.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        if let overridingController {
            return overridingController.section(forSectionIndexTitle: title, at: sectionIndex)
        }
        let titles = results.indexTitles
        guard titles.indices.contains(sectionIndex), titles[sectionIndex].title == title else {
            programmingError(
                "Index title at \(sectionIndex) is not equal to '\(title)'.",
                remedy: """
                    The titles are: \(titles.map(\.title).joined(separator: ", ")); override this method together \
                    with sectionIndexTitles.
                    """
            )
        }
        return titles[sectionIndex].section
    }

    /// For a controller that only delegates get: the application's controller, if a subclass of it may override
    /// methods. Nil for all other controllers.
    private final var overridingController: (any FetchedResultsOwner)? {
        guard isTypeErased, let owner = results.owner, owner.isSubclassed else { return nil }
        return owner
    }

    // MARK: Cache

    /// Deletes the cache file of a name, or the cache files of all names that the program has used.
    ///
    /// ```swift
    /// // The request changes: the cache has the sections of the former request.
    /// NSFetchedResultsController<Song>.deleteCache(withName: "songs")
    /// songs.fetchRequest.predicate = NSPredicate(format: "duration > 600")
    /// try songs.performFetch()
    /// ```
    ///
    /// - Parameter name: the `cacheName` of controllers; nil for all.
    open class func deleteCache(withName name: String?) { SectionCacheFile.delete(name) }

    // MARK: Identity

    /// Whether both are the same controller, possibly under different result types.
    open override func isEqual(_ object: Any?) -> Bool { (object as? any FetchedResultsOwner)?.results === results }
    open override var hash: Int { ObjectIdentifier(results).hashValue }
}
