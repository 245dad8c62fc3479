/// What stands behind a controller, whatever its result type: the content, and who is told of its changes.
///
/// Used on the context's queue alone.
final class FetchedResults {
    /// The fetch request. Its result type matters to the controller only.
    let request: NSPersistentStoreRequest
    let context: NSManagedObjectContext
    let sectionName: SectionName?
    let cacheName: String?
    /// The controller that the program has made, which may be of a subclass.
    weak var owner: (any FetchedResultsOwner)?
    /// Nil until the first fetch. Each new content has another serial.
    private(set) var content: FetchedContent?
    private(set) var serial = 0
    /// How changed objects are judged; nil for results that are no objects, which are not followed.
    var selection: FetchedSelection?
    /// The request as it was fetched: a later change of it counts from the next fetch on.
    var fetched = FetchDescription()
    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet { if delegate !== oldValue { mayTakeDifference = true } }
    }
    /// False once the delegate has shown that it has no method of its own for differences.
    private(set) var mayTakeDifference = true
    private var sectionInfos: (serial: Int, infos: [FetchedSectionInfo])?
    private var positions: (serial: Int, byObject: [ObjectIdentifier: Int])?
    private var observer: (any NSObjectProtocol)?

    init(
        request: NSPersistentStoreRequest, context: NSManagedObjectContext, sectionNameKeyPath: String?,
        cacheName: String?
    ) {
        self.request = request
        self.context = context
        sectionName = sectionNameKeyPath.map(SectionName.init)
        self.cacheName = cacheName
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    func show(_ content: FetchedContent) {
        self.content = content
        serial += 1
    }

    func delegateTakesNoDifference() { mayTakeDifference = false }

    /// Begins to follow the context.
    func observe() {
        guard observer == nil else { return }
        // The notification comes on the context's queue, where the results are used.
        let results = UncheckedBox(WeakResults(results: self))
        observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) {
            results.value.results?.contextDidChange($0)
        }
    }

    private final class WeakResults {
        weak var results: FetchedResults?
        init(results: FetchedResults) { self.results = results }
    }

    // MARK: Sections

    var sections: [FetchedSectionInfo]? {
        guard let content else { return nil }
        if let sectionInfos, sectionInfos.serial == serial { return sectionInfos.infos }
        let infos = content.sections.map { FetchedSectionInfo($0, content: content, results: self) }
        sectionInfos = (serial, infos)
        return infos
    }

    func indexTitle(forSectionName name: String) -> String? {
        if let owner { return owner.sectionIndexTitle(forSectionName: name) }
        return Self.initial(of: name)
    }

    static func initial(of name: String) -> String? { name.first.map { String($0).capitalized } }

    /// The titles of the index, and the first section of each: neighbours of one title share it.
    var indexTitles: [(title: String, section: Int)] {
        var titles: [(title: String, section: Int)] = []
        for (index, section) in (sections ?? []).enumerated() {
            guard let title = section.indexTitle, title != titles.last?.title else { continue }
            titles.append((title, index))
        }
        return titles
    }

    // MARK: Objects

    func element(at indexPath: IndexPath) -> Any {
        guard let content else {
            programmingError("An NSFetchedResultsController has no objects yet.", remedy: "Call performFetch() first.")
        }
        let section = indexPath.section
        let row = indexPath.row
        guard content.sections.indices.contains(section) else {
            programmingError(
                """
                No section at index \(section): the NSFetchedResultsController for entity \
                '\(fetched.entityName ?? "")' has \(content.sections.count).
                """,
                remedy: "Ask its sections.")
        }
        let range = content.sections[section].range
        guard row >= 0, row < range.count else {
            programmingError(
                """
                No object at index \(row) in section at index \(section): the section \
                '\(content.sections[section].name)' has \(range.count).
                """,
                remedy: "Ask the section's numberOfObjects.")
        }
        return content.element(at: range.lowerBound + row)
    }

    func indexPath(of result: Any) -> IndexPath? {
        guard let content else { return nil }
        guard let object = result as? NSManagedObject else {
            return content.values.firstIndex { Values.equal($0, result) }.map(content.indexPath)
        }
        if positions?.serial != serial {
            var byObject = [ObjectIdentifier: Int](minimumCapacity: content.objects.count)
            for (position, object) in content.objects.enumerated() { byObject[ObjectIdentifier(object)] = position }
            positions = (serial, byObject)
        }
        return positions?.byObject[ObjectIdentifier(object)].map(content.indexPath)
    }
}

/// A controller as its results see it.
protocol FetchedResultsOwner: AnyObject {
    var results: FetchedResults { get }
    /// The controller as delegates see it.
    var delegated: NSFetchedResultsController<any NSFetchRequestResult> { get }
    var sectionIndexTitles: [String] { get }
    func sectionIndexTitle(forSectionName sectionName: String) -> String?
    func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int
}
