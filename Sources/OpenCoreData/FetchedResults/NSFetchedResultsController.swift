/// Shows the results of a fetch request in order and in sections, and tells a delegate how they change with the
/// context.
///
/// ```swift
/// let request = NSFetchRequest<Song>(entityName: "Song")
/// request.sortDescriptors = [NSSortDescriptor(key: "genre", ascending: true), NSSortDescriptor(key: "title", ascending: true)]
/// let songs = NSFetchedResultsController(
///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "genre", cacheName: nil)
/// songs.delegate = self
/// try songs.performFetch()
/// let first = songs.object(at: IndexPath(row: 0, section: 0))
/// ```
///
/// Without a delegate the controller gives the results as they were fetched. With one it follows the context's
/// `NSManagedObjectContextObjectsDidChange` notifications: objects that were inserted, changed, refreshed or deleted
/// are tested against the predicate and put into their places in memory, without a statement. Changes of other objects,
/// that a predicate, sort key or section name reaches by a relationship, are not followed: change the object itself
/// too. Results that are IDs or dictionaries are not followed at all. A request with a limit or an offset is fetched
/// anew when an object of its entity changes.
///
/// After a change of the request call `performFetch()` again. A controller is used on its context's queue.
open class NSFetchedResultsController<ResultType>: NSObject {
    final let results: FetchedResults
    private final let typedRequest: NSFetchRequest<ResultType>
    private final var typedObjects: (serial: Int, objects: [ResultType])?
    final var erased: NSFetchedResultsController<any NSFetchRequestResult>?

    /// Makes a controller; it has no objects before `performFetch()`.
    ///
    /// Stops the program if the request has no sort descriptors.
    /// - Parameters:
    ///   - fetchRequest: what to show. The first sort descriptor must give the order of the sections.
    ///   - context: the context to fetch in, and to follow.
    ///   - sectionNameKeyPath: a key path, as for `value(forKeyPath:)`, whose values divide the objects into sections;
    ///     nil for one section without a name.
    ///   - name: the name of a cache file that keeps the sections from one run of the program to the next; nil for
    ///     none. It is used while the stores' files are unchanged, the request is the same and the context has no
    ///     unsaved changes; it spares reading the section name of every object. Controllers with different requests
    ///     have caches of different names.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?,
        cacheName name: String?
    ) {
        if fetchRequest.sortDescriptors?.isEmpty != false { FetchedResults.refuseUnsorted(fetchRequest) }
        typedRequest = fetchRequest
        results = FetchedResults(
            request: fetchRequest, context: context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
        super.init()
        results.owner = self
    }

    /// The controller of some results under another result type: what delegates get.
    init(results: FetchedResults) {
        self.results = results
        typedRequest = NSFetchRequest<ResultType>(
            fetchDescription: results.request.fetchDescriptionStorage ?? FetchDescription())
        super.init()
    }

    // MARK: Configuration

    /// The request. Its changes count from the next `performFetch()` on.
    public final var fetchRequest: NSFetchRequest<ResultType> { typedRequest }
    /// The context that the objects belong to.
    public final var managedObjectContext: NSManagedObjectContext { results.context }
    /// The key path by whose values objects are divided into sections.
    public final var sectionNameKeyPath: String? { results.sectionName?.keyPath }
    /// The name of the file that keeps the sections.
    public final var cacheName: String? { results.cacheName }

    /// Who is told of changes; held weakly. While it is nil, changes are not followed: set it before `performFetch()`.
    public final var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { results.delegate }
        set { results.delegate = newValue }
    }

    // MARK: Fetching

    /// Fetches, in place of what there was; the delegate is not told.
    ///
    /// - Throws: what the fetch throws, and `NSCoreDataError` (134060) if the objects of a section don't follow each
    ///   other; the controller then keeps what it had.
    public final func performFetch() throws {
        if let type = ResultType.self as? NSManagedObject.Type { ManagedObjectClasses.register(type) }
        try results.performFetch()
        _ = fetchedObjects
    }

    /// The results in order; nil before `performFetch()`.
    public final var fetchedObjects: [ResultType]? {
        guard let content = results.content else { return nil }
        if let typedObjects, typedObjects.serial == results.serial { return typedObjects.objects }
        guard
            let objects = content.values.isEmpty
                ? FetchedArray.objects(content.objects, as: ResultType.self) : content.values as? [ResultType]
        else {
            wrongType(content)
        }
        typedObjects = (results.serial, objects)
        return objects
    }

    private func wrongType(_ content: FetchedContent) -> Never {
        let other = (0..<content.count).map(content.element).first { !($0 is ResultType) }
        programmingError(
            """
            An NSFetchedResultsController for entity '\(results.fetched.entityName ?? "")' has fetched \
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
    /// Stops the program if there is none, and before `performFetch()`.
    public final func object(at indexPath: IndexPath) -> ResultType {
        guard let object = results.element(at: indexPath) as? ResultType else { wrongType(results.content!) }
        return object
    }

    /// Where a result is; nil if it is none.
    public final func indexPath(forObject object: ResultType) -> IndexPath? { results.indexPath(of: object) }

    // MARK: Sections

    /// The sections in order; nil before `performFetch()`. Without a section name key path there is one, even if there
    /// are no objects.
    public final var sections: [any NSFetchedResultsSectionInfo]? { results.sections }

    /// The titles of the index of sections: that of each section, where it differs from the one before.
    open var sectionIndexTitles: [String] { original?.sectionIndexTitles ?? results.indexTitles.map(\.title) }

    /// The title of a section in the index: what the delegate says, by default the first letter of the name, as a
    /// capital.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        if let original { return original.sectionIndexTitle(forSectionName: sectionName) }
        guard let delegate = results.delegate else { return FetchedResults.initial(of: sectionName) }
        return delegate.controller(delegated, sectionIndexTitleForSectionName: sectionName)
    }

    /// The section that a title of the index leads to: the first of those that share it.
    ///
    /// Stops the program if the index has not this title there.
    /// - Parameters:
    ///   - title: the title.
    ///   - sectionIndex: its position in `sectionIndexTitles`.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        if let original { return original.section(forSectionIndexTitle: title, at: sectionIndex) }
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

    /// The program's own controller, if this one is what its delegate gets: subclasses override methods there.
    private final var original: (any FetchedResultsOwner)? { results.owner.flatMap { $0 === self ? nil : $0 } }

    // MARK: Cache

    /// Deletes the file that keeps the sections under a name; nil deletes those of all names that the program has used.
    ///
    /// - Parameter name: what controllers were given as `cacheName`.
    public final class func deleteCache(withName name: String?) { SectionCacheFile.delete(name) }

    // MARK: Identity

    /// Whether both are the same controller, be it under another result type.
    open override func isEqual(_ object: Any?) -> Bool { (object as? any FetchedResultsOwner)?.results === results }
    open override var hash: Int { ObjectIdentifier(results).hashValue }
}
