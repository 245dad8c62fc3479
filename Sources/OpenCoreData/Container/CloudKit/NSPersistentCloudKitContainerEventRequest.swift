// SPDX-License-Identifier: Apache-2.0

/// A request for the events of the stores of a context's coordinator: the newest 1,000 since the stores were loaded.
/// There are none if no server is registered for a container of CloudKit.
///
/// ```swift
/// let request = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: Date.distantPast)
/// let result = try context.execute(request) as? NSPersistentCloudKitContainerEventResult
/// let events = result?.result as? [NSPersistentCloudKitContainer.Event] ?? []
/// ```
nonisolated open class NSPersistentCloudKitContainerEventRequest: NSPersistentStoreRequest {
    /// Makes a request for all events.
    public required override init() { super.init() }

    /// Makes a request for the events that began after a date.
    ///
    /// - Parameter date: the date.
    open class func fetchEvents(after date: Date) -> Self { make(.date(date)) }

    /// Makes a request for the events after one of them.
    ///
    /// - Parameter event: the event; nil for all events.
    open class func fetchEvents(after event: NSPersistentCloudKitContainer.Event?) -> Self {
        make(event.map { .event($0) } ?? .all)
    }

    /// Makes a request for the events that a fetch request selects.
    ///
    /// - Parameter fetchRequest: a request of ``fetchForEvents()``.
    open class func fetchEvents(matchingFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
        make(.request(fetchRequest))
    }

    private class func make(_ selection: Selection) -> Self {
        let request = Self()
        request.selection = selection
        return request
    }

    /// Makes a fetch request for ``fetchEvents(matchingFetch:)``, whose predicate and sort descriptors use the names of
    /// the properties of events.
    open class func fetchForEvents() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest<any NSFetchRequestResult>(entityName: "NSPersistentCloudKitContainerEvent")
    }

    /// The events that a request is for.
    fileprivate enum Selection {
        case all
        case date(Date)
        case event(NSPersistentCloudKitContainer.Event)
        case request(NSFetchRequest<any NSFetchRequestResult>)
    }

    fileprivate var selection = Selection.all

    /// The kind of result: `.events` unless set.
    open var resultType: NSPersistentCloudKitContainerEventResult.ResultType = .events

    /// The kind of the request: `.fetchRequestType`, as no kind stands for requests of events.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Swift.type(of: self).init()
        copy.resultType = resultType
        copy.selection = selection
        copy.affectedStoresStorage = affectedStoresStorage
        return copy
    }
}

extension NSPersistentCloudKitContainerEventRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let recent = try context.requireCoordinator().cloudKitEvents.all
        var events = recent.compactMap { $0 as? NSPersistentCloudKitContainer.Event }
        if let stores = affectedStores {
            events.removeAll { event in !stores.contains { $0.identifier == event.storeIdentifier } }
        }
        return NSPersistentCloudKitContainerEventResult(resultType, selected(from: events))
    }

    private func selected(
        from events: [NSPersistentCloudKitContainer.Event]
    ) -> [NSPersistentCloudKitContainer.Event] {
        switch selection {
        case .all: events
        case .date(let date): events.filter { $0.startDate > date }
        case .event(let last):
            Array(
                events.lastIndex { $0.identifier == last.identifier }.map { events[($0 + 1)...] }
                    ?? events.filter { $0.startDate > last.startDate }[...])
        case .request(let request): Self.selected(from: events, by: request)
        }
    }

    private static func selected(
        from events: [NSPersistentCloudKitContainer.Event], by request: NSFetchRequest<any NSFetchRequestResult>
    ) -> [NSPersistentCloudKitContainer.Event] {
        var found = events.map { (event: $0, values: values(of: $0)) }
        if let predicate = request.predicate { found.removeAll { !predicate.evaluate(with: $0.values) } }
        let descriptors = request.sortDescriptors ?? []
        let sorted = found.enumerated().sorted { one, other in
            for descriptor in descriptors {
                let order = descriptor.compare(one.element.values, to: other.element.values)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return one.offset < other.offset
        }
        let rest = sorted.map(\.element.event).dropFirst(request.fetchOffset)
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }

    /// The values of an event for predicates and sort descriptors.
    private static func values(of event: NSPersistentCloudKitContainer.Event) -> [String: Any] {
        var values: [String: Any] = [
            "identifier": event.identifier, "storeIdentifier": event.storeIdentifier, "type": event.type.rawValue,
            "startDate": event.startDate, "succeeded": event.succeeded,
        ]
        values["endDate"] = event.endDate
        return values
    }
}

/// The result of an `NSPersistentCloudKitContainerEventRequest`. Immutable: any thread may use it.
///
/// ## Topics
///
/// ### The kind of result
///
/// - ``ResultType-swift.enum``
nonisolated open class NSPersistentCloudKitContainerEventResult: NSPersistentStoreResult, @unchecked Sendable {
    /// The kinds of results.
    public enum ResultType: Int, Sendable {
        /// The events: an array of `NSPersistentCloudKitContainer.Event`.
        case events = 0
        /// The number of events: an `NSNumber`.
        case countEvents = 1
    }

    private let typeStorage: ResultType
    private let events: [NSPersistentCloudKitContainer.Event]

    init(_ type: ResultType, _ events: [NSPersistentCloudKitContainer.Event]) {
        typeStorage = type
        self.events = events
        super.init()
    }

    /// The result, in the form that ``resultType`` says: an array of events, or their number.
    open var result: Any? {
        switch typeStorage {
        case .events: events
        case .countEvents: NSNumber(value: events.count)
        }
    }

    /// The result type of the request.
    open var resultType: ResultType { typeStorage }
}
