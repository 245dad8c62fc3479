// SPDX-License-Identifier: Apache-2.0

/// A request for the events of a container. Here there are none, since nothing is mirrored.
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
    open class func fetchEvents(after date: Date) -> Self { Self() }

    /// Makes a request for the events after one of them.
    ///
    /// - Parameter event: the event; nil for all events.
    open class func fetchEvents(after event: NSPersistentCloudKitContainer.Event?) -> Self { Self() }

    /// Makes a request for the events that a fetch request selects.
    ///
    /// - Parameter fetchRequest: a request of ``fetchForEvents()``.
    open class func fetchEvents(matchingFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
        Self()
    }

    /// Makes a fetch request for ``fetchEvents(matchingFetch:)``, whose predicate and sort descriptors use the names of
    /// the properties of events.
    open class func fetchForEvents() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest<any NSFetchRequestResult>(entityName: "NSPersistentCloudKitContainerEvent")
    }

    /// The kind of result: `.events` unless set.
    open var resultType: NSPersistentCloudKitContainerEventResult.ResultType = .events

    /// The kind of the request: `.fetchRequestType`, as no kind stands for requests of events.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Swift.type(of: self).init()
        copy.resultType = resultType
        copy.affectedStoresStorage = affectedStoresStorage
        return copy
    }
}

extension NSPersistentCloudKitContainerEventRequest: ContextRequest {
    func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        _ = try context.requireCoordinator()
        return NSPersistentCloudKitContainerEventResult(resultType)
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

    init(_ type: ResultType) {
        typeStorage = type
        super.init()
    }

    /// The result, in the form that ``resultType`` says: an empty array, or zero.
    open var result: Any? {
        switch typeStorage {
        case .events: [NSPersistentCloudKitContainer.Event]()
        case .countEvents: NSNumber(value: 0)
        }
    }

    /// The result type of the request.
    open var resultType: ResultType { typeStorage }
}
