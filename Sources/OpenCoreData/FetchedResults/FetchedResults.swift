// SPDX-License-Identifier: Apache-2.0

/// The state of a controller without its result type: the request, the content, and the delegate.
///
/// Several typed controllers can share one instance (see ``NSFetchedResultsController``). Used on the context's queue
/// only.
final class FetchedResults {
    /// The fetch request. Its result type matters to the controller only.
    let request: NSPersistentStoreRequest
    let context: NSManagedObjectContext
    let sectionName: SectionName?
    let cacheName: String?
    /// The controller that the application created, possibly of a subclass.
    weak var owner: (any FetchedResultsOwner)?
    /// Nil until the first fetch.
    private(set) var content: FetchedContent?
    /// Increases with each new content. Caches that are derived from the content store the serial.
    private(set) var serial = 0
    /// Tests and compares changed objects. Nil for results that are no objects: their changes are not observed.
    var criteria: FetchedResultsCriteria?
    /// The request at the time of the last fetch. A later change of the request has no effect before the next fetch.
    var fetchedRequest = FetchDescription()
    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet { if delegate !== oldValue { delegateMayImplementDifference = true } }
    }
    /// Whether the delegate may implement `controller(_:didChangeContentWith:)`. False after the protocol's default
    /// implementation was called.
    private(set) var delegateMayImplementDifference = true
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

    func setContent(_ content: FetchedContent) {
        self.content = content
        serial += 1
    }

    func recordMissingDifferenceMethod() { delegateMayImplementDifference = false }

    /// Starts observing the context's change notifications.
    func observeContext() {
        guard observer == nil else { return }
        // The notification is posted on the context's queue, where the results are used.
        let results = UncheckedSendableBox(WeakResults(results: self))
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
        return Self.defaultIndexTitle(forSectionName: name)
    }

    /// The first letter of a section name, as a capital.
    static func defaultIndexTitle(forSectionName name: String) -> String? { name.first.map { String($0).capitalized } }

    /// The titles of the section index, each with its first section. Adjacent sections with one title share an entry.
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
                '\(fetchedRequest.entityName ?? "")' has \(Wording.count(content.sections.count, "section")).
                """,
                remedy: "Check the count of the controller's sections.")
        }
        let range = content.sections[section].range
        guard row >= 0, row < range.count else {
            programmingError(
                """
                No object at index \(row) in section at index \(section): the section \
                '\(content.sections[section].name)' has \(Wording.count(range.count, "object")).
                """,
                remedy: "Check the section's numberOfObjects.")
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
