// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension ModelContainer {
    /// **Extension.** The results of a fetch as a sequence: first the present results, then new results after each
    /// change by any context or process.
    ///
    /// ```swift
    /// for try await recipes in container.results(of: FetchDescriptor<Recipe>()) { print(recipes.map(\.title)) }
    /// ```
    ///
    /// A task that is slower than the changes gets only the newest results. The sequence ends when its task is
    /// cancelled.
    ///
    /// - Parameter descriptor: which models, in which order.
    /// - Returns: the results as snapshots, which may be used on any thread. The sequence throws as
    ///   ``ModelContext/fetch(_:)``.
    public func results<Model: PersistentModel>(of descriptor: FetchDescriptor<Model>)
        -> AsyncThrowingStream<[ModelSnapshot<Model>], any Error>
    {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                let follower = ResultsFollower(self)
                do {
                    try await follower.begin(descriptor) { continuation.yield($0) }
                } catch {
                    return continuation.finish(throwing: error)
                }
                // The task retains the follower until it is cancelled.
                let (endless, source) = AsyncStream.makeStream(of: Never.self)
                for await _ in endless {}
                withExtendedLifetime((follower, source)) {}
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// The observer of a sequence of results, with a separate context.
private actor ResultsFollower: ModelActor {
    nonisolated let modelContainer: ModelContainer
    nonisolated let modelExecutor: any ModelExecutor
    private var observer: AnyObject?

    init(_ container: ModelContainer) {
        modelContainer = container
        modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
    }

    func begin<Model: PersistentModel>(
        _ descriptor: FetchDescriptor<Model>, _ yield: @escaping @Sendable ([ModelSnapshot<Model>]) -> Void
    ) throws {
        let observer = try ResultsObserver<Model, Never>(fetchDescriptor: descriptor, modelContext: modelContext)
        observer.didChange = { [weak observer] in
            if let observer { yield(observer.results.map { ModelSnapshot($0) }) }
        }
        self.observer = observer
        yield(observer.results.map { ModelSnapshot($0) })
    }
}
