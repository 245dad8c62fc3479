// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The results of a fetch. They follow the changes of the observer's context, of other contexts and of other processes.
///
/// ```swift
/// let observer = try ResultsObserver(
///     filterBy: #Predicate<Recipe> { $0.servings > 2 }, sortBy: [SortDescriptor(\.title)],
///     modelContainer: container)
/// withObservationTracking { show(observer.results) } onChange: { … }
/// ```
///
/// An observer belongs to the actor that has made it: use the observer and its context only there. On the main actor
/// the observer has the container's main context. The actor merges the saves of other contexts and processes. An
/// observer that is made outside of an actor follows only its own context.
public final class ResultsObserver<Element, SectionTitle>: Observable
where Element: PersistentModel, SectionTitle: Hashable {
    /// The context of the results.
    public let modelContext: ModelContext

    private let registrar = ObservationRegistrar()
    private let title: ((String) -> SectionTitle)?
    private let sectionKeyPath: PartialKeyPath<Element>?
    private let sectionName: String?
    private var descriptor: FetchDescriptor<Element>
    private var controller: NSFetchedResultsController<ModelObject>?
    private var follower: ContextFollower?
    private lazy var relay = ResultsRelay()
    private var models: [Element] = []
    private var isChanging = false
    /// Called after each change of the results.
    var didChange: (() -> Void)?

    init(
        _ descriptor: FetchDescriptor<Element>, _ context: ModelContext, _ actor: (any Actor)?,
        sectionBy: PartialKeyPath<Element>?, title: ((String) -> SectionTitle)?
    ) throws {
        modelContext = context
        self.descriptor = descriptor
        self.title = title
        sectionKeyPath = sectionBy
        sectionName = try sectionBy.map { keyPath in
            guard let name = ModelKeyPaths.name(of: keyPath) else {
                throw SwiftDataError(
                    .unsupportedKeyPath, "\(keyPath) leads to no stored property of \(Element.self).")
            }
            return name
        }
        relay.willChange = { [weak self] in self?.beginChange() }
        relay.didChange = { [weak self] in self?.endChange() }
        // The follower's position in the history is before the fetch, so that it merges what other contexts save during
        // the fetch.
        follower = ContextFollower(context, on: actor, didLoseTrack: { [weak self] in self?.fetchAgain() })
        try fetch()
    }

    // MARK: Results

    /// The models, in order.
    public var results: FetchResultsCollection<Element> {
        registrar.access(self, keyPath: \.results)
        let models = models
        return FetchResultsCollection(count: models.count) { models[$0] }
    }

    /// The models in sections; nil for an observer without sections.
    public var sections: SectionedResults<Element, SectionTitle>? {
        registrar.access(self, keyPath: \.sections)
        guard let title, let sections = controller?.sections else { return nil }
        var start = 0
        return SectionedResults(
            sections.map { section in
                defer { start += section.numberOfObjects }
                return ResultsSection(
                    title: title(section.name),
                    elements: models[start..<min(start + section.numberOfObjects, models.count)])
            })
    }

    /// The error of the last fetch after a change of ``filterBy`` or ``sortBy``; nil if it was successful.
    ///
    /// **Extension.** After an error the results stay as they were before the change.
    public private(set) var fetchError: (any Error)?

    /// The model at a section and a position in it; nil if there is no such position.
    ///
    /// - Parameter indexPath: the number of the section, 0 without sections, and the position.
    public func element(at indexPath: IndexPath) -> Element? {
        registrar.access(self, keyPath: \.results)
        guard indexPath.count == 2, let sections = controller?.sections, sections.indices.contains(indexPath[0]),
            (0..<sections[indexPath[0]].numberOfObjects).contains(indexPath[1])
        else { return nil }
        return controller?.object(at: indexPath).model(as: Element.self)
    }

    /// The section and the position of a model; nil if the model isn't among the results.
    ///
    /// - Parameter element: the model.
    public func indexPath(for element: Element) -> IndexPath? {
        registrar.access(self, keyPath: \.results)
        return controller?.indexPath(forObject: element.storage.object)
    }

    // MARK: The fetch

    /// The description of the fetch.
    public var fetchDescriptor: FetchDescriptor<Element> {
        registrar.access(self, keyPath: \.fetchDescriptor)
        return descriptor
    }

    /// The condition of the models; nil for all. Setting it fetches again.
    public var filterBy: Predicate<Element>? {
        get { fetchDescriptor.predicate }
        set { change(\.filterBy) { $0.predicate = newValue } }
    }

    /// The order of the models. Setting it fetches again.
    public var sortBy: [SortDescriptor<Element>] {
        get { fetchDescriptor.sortBy }
        set { change(\.sortBy) { $0.sortBy = newValue } }
    }

    /// The property that divides the models into sections; nil without sections.
    public var sectionBy: PartialKeyPath<Element>? { sectionKeyPath }

    private func change<Value>(
        _ keyPath: KeyPath<ResultsObserver, Value>, _ change: (inout FetchDescriptor<Element>) -> Void
    ) {
        registrar.withMutation(of: self, keyPath: \.fetchDescriptor) {
            registrar.withMutation(of: self, keyPath: keyPath) { change(&descriptor) }
        }
        fetchAgain()
    }

    private func fetchAgain() {
        beginChange()
        do {
            try fetch()
            fetchError = nil
        } catch {
            fetchError = error
        }
        endChange()
    }

    private func fetch() throws {
        let request = try ModelFetch(descriptor, in: modelContext).request()
        var order = request.sortDescriptors ?? []
        // A section consists of neighbouring models.
        if let sectionName, order.first?.key != sectionName {
            order.insert(NSSortDescriptor(key: sectionName, ascending: true), at: 0)
        }
        request.sortDescriptors = order
        let new = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: modelContext.managed, sectionNameKeyPath: sectionName,
            cacheName: nil)
        new.delegate = relay
        modelContext.managed.mergeCollectedSaves()
        try FetchErrors.translated { try new.performFetch() }
        controller?.delegate = nil
        controller = new
        models = Self.models(of: new)
    }

    private static func models(of controller: NSFetchedResultsController<ModelObject>) -> [Element] {
        (controller.fetchedObjects ?? []).compactMap { $0.model(as: Element.self) }
    }

    // MARK: Changes

    private func beginChange() {
        guard !isChanging else { return }
        isChanging = true
        registrar.willSet(self, keyPath: \.results)
        registrar.willSet(self, keyPath: \.sections)
    }

    private func endChange() {
        guard isChanging else { return }
        isChanging = false
        if let controller { models = Self.models(of: controller) }
        registrar.didSet(self, keyPath: \.results)
        registrar.didSet(self, keyPath: \.sections)
        didChange?()
    }
}

extension ResultsObserver: CustomDebugStringConvertible {
    /// The observer with the number of its results.
    public var debugDescription: String {
        "ResultsObserver<\(Element.self)> - results: \(models.count), context: \(modelContext.debugDescription)"
    }
}

/// The delegate of an observer's controller.
private final class ResultsRelay: NSObject, NSFetchedResultsControllerDelegate {
    var willChange: () -> Void = {}
    var didChange: () -> Void = {}

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        willChange()
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        didChange()
    }
}
