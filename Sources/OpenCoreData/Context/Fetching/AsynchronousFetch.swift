/// One execution of an asynchronous fetch: asks the stores on the coordinator's queue for it, then makes the results on
/// the context's.
///
/// Handed from queue to queue, and used on one at a time, hence Sendable. Holds no store's lock while it waits for a
/// queue.
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

    /// What the stores say.
    private enum Answer {
        case objects(StoreAnswer)
        case values([ResultType])
        /// The context's changes bear on a result that isn't made of objects: the context asks the stores itself.
        case none
    }

    /// - Throws: what is wrong with the request.
    init(_ result: NSAsynchronousFetchResult<ResultType>, context: NSManagedObjectContext) throws {
        self.result = result
        self.context = context
        coordinator = try context.requireCoordinator()
        // The request may be changed and used again while this one runs.
        request = NSFetchRequest<ResultType>(fetchDescription: result.fetchRequest.fetchRequest.fetchDescription)
        request.affectedStores = result.fetchRequest.affectedStores ?? result.fetchRequest.fetchRequest.affectedStores
        var plan = try FetchPlan(request.fetchDescription, context: context, affectedStores: request.affectedStores)
        let report = FetchProgress(estimate: result.fetchRequest.estimatedResultCount, context: context)
        let control = FetchControl { report?.note($0) }
        plan.query.control = control
        self.plan = plan
        self.report = report
        self.control = control
        fetch = ObjectFetch(plan, overlay: PendingOverlay(plan, context: context))
    }

    func start() {
        context.changesDuringFetches.append(changes)
        result.begin(report?.progress) { [control] in control.cancel() }
        report?.onCancel { [control] in control.cancel() }
        coordinator.fetchingQueue.async { [self] in
            let answer = UncheckedBox(Result { try ask() })
            context.perform { [self] in finish(answer.value) }
        }
    }

    // MARK: On the coordinator's queue

    private func ask() throws -> Answer {
        if control.isCancelled { throw FetchControl.cancelledError }
        switch plan.description.resultType {
        case .managedObjectResultType:
            return .objects(try fetch.answer(coordinator))
        case .dictionaryResultType:
            return .values(
                try coordinator.swiftDictionaries(plan, as: ResultType.self)
                    ?? context.typed(try coordinator.dictionaries(plan), request))
        case .managedObjectIDResultType where !fetch.isArranged:
            let ids = try fetch.stores.flatMap {
                NSManagedObjectID.list(
                    try coordinator.references(plan.query, of: $0), store: $0, model: plan.query.layout.model)
            }
            return .values(context.typed(ids, request))
        case .countResultType where !fetch.isArranged:
            let count = try fetch.stores.reduce(0) { $0 + (try coordinator.count(plan.query, of: $1)) }
            return .values(context.typed([NSNumber(value: count)], request))
        default:
            return .none
        }
    }

    // MARK: On the context's queue

    private func finish(_ answer: Result<Answer, any Error>) {
        context.changesDuringFetches.removeAll { $0 === changes }
        do {
            let results = try results(try answer.get())
            report?.finish(count: results.count)
            result.finalResult = results
        } catch {
            report?.finish(count: nil)
            result.setOperationError(error)
        }
        result.fetchRequest.completionBlock?(result)
    }

    /// A cancelled `Progress` says so at once, but calls its handler some time later.
    private func checkCancelled() throws {
        if control.isCancelled || report?.progress.isCancelled == true { throw FetchControl.cancelledError }
    }

    private func results(_ answer: Answer) throws -> [ResultType] {
        try checkCancelled()
        // The context may have moved to another query generation, or changed, meanwhile.
        guard plan.generation === context.pinnedGeneration else { return try context.fetchTyped(request) }
        let overlay = PendingOverlay(plan, context: context)
        switch answer {
        case .objects(let answer):
            // Registered objects must not get rows that are older than what the context has saved or merged.
            guard fetch.suffices(for: overlay), !changes.mayOutdate(answer) else {
                return try context.fetchTyped(request)
            }
            if let type = ResultType.self as? NSManagedObject.Type { ManagedObjectClasses.register(type) }
            return context.typed(try context.objects(plan, answer: answer, overlay: overlay), request)
        case .values(let values):
            return overlay.isNeeded && plan.description.resultType != .dictionaryResultType
                ? try context.fetchTyped(request) : values
        case .none:
            return try context.fetchTyped(request)
        }
    }
}

/// Tells a `Progress` how far a fetch is.
private final class FetchProgress: @unchecked Sendable {
    let progress: Progress
    private let context: NSManagedObjectContext
    private let step: Int
    /// Touched on the fetch's queue alone.
    private var told = 0

    /// Nil if there is no current progress.
    ///
    /// - Parameter context: on whose queue the progress is changed, since Linux's is not made for many threads.
    init?(estimate: Int, context: NSManagedObjectContext) {
        guard let parent = Progress.current() else { return nil }
        progress = Progress(parent: parent, userInfo: nil)
        progress.totalUnitCount = estimate > 0 ? Int64(estimate) : -1
        self.context = context
        step = max(estimate / 100, 256)
    }

    func onCancel(_ body: @escaping @Sendable () -> Void) { progress.cancellationHandler = body }

    func note(_ count: Int) {
        guard count - told >= step else { return }
        told = count
        context.schedule { [self] _ in set(count) }
    }

    private func set(_ count: Int) {
        // A fetch that finds more than was estimated isn't done.
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
