// SPDX-License-Identifier: Apache-2.0

/// One execution of an asynchronous fetch: reads the stores on the coordinator's queue for fetches, then makes the
/// results on the context's queue.
///
/// Sendable, since it is used on one of the queues at a time. It holds no lock while it waits for a queue.
final class AsynchronousFetch<ResultType>: @unchecked Sendable {
    private let result: NSAsynchronousFetchResult<ResultType>
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let request: NSFetchRequest<ResultType>
    private let plan: FetchPlan
    private let fetch: ObjectFetch
    private let control: FetchControl
    private let changes = ChangesDuringFetch()
    private let report: FetchProgress?

    /// The results that were read from the stores.
    private enum StoreResults {
        case objects(StoreFetchResult)
        case values([ResultType])
        /// Nothing: the context fetches by itself. Either unsaved changes concern a result that doesn't consist of
        /// objects, or a custom store must be asked.
        case none
    }

    /// - Throws: what ``FetchPlan`` throws for a request that doesn't fit the model.
    init(_ result: NSAsynchronousFetchResult<ResultType>, context: NSManagedObjectContext) throws {
        self.result = result
        self.context = context
        coordinator = try context.requireCoordinator()
        context.resolveEntity(of: result.fetchRequest.fetchRequest)
        // The request may be changed and used again while this one runs.
        request = NSFetchRequest<ResultType>(copying: result.fetchRequest.fetchRequest)
        if let affectedStores = result.fetchRequest.affectedStores { request.affectedStores = affectedStores }
        var plan = try context.fetchPlan(request.fetchDescription, affectedStores: request.affectedStores)
        let report = FetchProgress(estimate: result.fetchRequest.estimatedResultCount, context: context)
        let control = FetchControl { report?.report($0) }
        plan.query.control = control
        self.plan = plan
        self.report = report
        self.control = control
        fetch = ObjectFetch(plan, overlay: context.pendingOverlay(of: plan), coordinator: coordinator)
    }

    func start() {
        context.reading.begin(changes)
        result.begin(report?.progress) { [control] in control.cancel() }
        report?.onCancel { [control] in control.cancel() }
        coordinator.queue.async { [self] in
            let results = UncheckedSendableBox(Result { try readStores() })
            context.perform { [self] in finish(results.value) }
        }
    }

    // MARK: On the coordinator's queue

    private func readStores() throws -> StoreResults {
        if control.isCancelled { throw control.cancelledError }
        // A custom store is called on the context's queue.
        if coordinator.isContextBound(plan.scope) { return .none }
        switch plan.description.resultType {
        case .managedObjectResultType:
            return .objects(try fetch.execute(in: coordinator))
        case .dictionaryResultType:
            return .values(
                try coordinator.swiftDictionaries(plan, as: ResultType.self)
                    ?? context.typed(try coordinator.dictionaries(plan), request))
        case .managedObjectIDResultType where !fetch.isCombinedByContext:
            let ids = try coordinator.objectIDs(plan.query, in: plan.scope)
            return .values(context.typed(ids, request))
        case .countResultType where !fetch.isCombinedByContext:
            let count = try coordinator.count(plan.query, in: plan.scope)
            return .values(context.typed([NSNumber(value: count)], request))
        default:
            return .none
        }
    }

    // MARK: On the context's queue

    private func finish(_ storeResults: Result<StoreResults, any Error>) {
        context.reading.end(changes)
        do {
            let results = try results(try storeResults.get())
            report?.finish(count: results.count)
            result.finalResult = results
        } catch {
            report?.finish(count: nil)
            result.setOperationError(error)
        }
        result.fetchRequest.completionBlock?(result)
    }

    /// Checks the `Progress`, too: a cancelled `Progress` calls its handler some time later.
    private func checkCancelled() throws {
        if control.isCancelled || report?.progress.isCancelled == true { throw control.cancelledError }
    }

    private func results(_ storeResults: StoreResults) throws -> [ResultType] {
        try checkCancelled()
        // The context may have moved to another query generation while the stores were read.
        guard plan.scope.generation === context.pinnedGeneration else { return try context.fetchTyped(request) }
        let overlay = context.pendingOverlay(of: plan)
        switch storeResults {
        case .objects(let result):
            // Registered objects must not get rows that are older than what the context has saved or merged.
            guard fetch.isSufficient(for: overlay), !changes.mayBeNewer(than: result) else {
                return try context.fetchTyped(request)
            }
            if let type = ResultType.self as? NSManagedObject.Type { ManagedObjectClasses.register(type) }
            return context.typed(try context.objects(plan, result: result, overlay: overlay), request)
        case .values(let values):
            return overlay.isNeeded && plan.description.resultType != .dictionaryResultType
                ? try context.fetchTyped(request) : values
        case .none:
            return try context.fetchTyped(request)
        }
    }
}

/// Reports to a `Progress` how many rows a fetch has read.
private final class FetchProgress: @unchecked Sendable {
    let progress: Progress
    private let context: NSManagedObjectContext
    private let step: Int
    /// Used on the fetch's queue alone.
    private var reportedCount = 0

    /// Fails if there is no current progress.
    ///
    /// - Parameter context: the context on whose queue the progress is changed, since `Progress` on Linux isn't
    ///   thread-safe.
    init?(estimate: Int, context: NSManagedObjectContext) {
        guard let parent = Progress.current() else { return nil }
        progress = Progress(parent: parent, userInfo: nil)
        progress.totalUnitCount = estimate > 0 ? Int64(estimate) : -1
        self.context = context
        step = max(estimate / 100, 256)
    }

    func onCancel(_ body: @escaping @Sendable () -> Void) { progress.cancellationHandler = body }

    func report(_ count: Int) {
        guard count - reportedCount >= step else { return }
        reportedCount = count
        context.scheduleOnQueue { [self] _ in set(count) }
    }

    private func set(_ count: Int) {
        // A fetch that finds more rows than estimated isn't finished.
        if progress.totalUnitCount > 0 { progress.totalUnitCount = max(progress.totalUnitCount, Int64(count) + 1) }
        progress.completedUnitCount = Int64(count)
    }

    /// - Parameter count: the number of results; nil if there are none because of an error.
    func finish(count: Int?) {
        progress.cancellationHandler = nil
        guard let count else { return }
        progress.totalUnitCount = Int64(max(count, 1))
        progress.completedUnitCount = progress.totalUnitCount
    }
}
