// SPDX-License-Identifier: Apache-2.0

#if Server
    import CoreMetrics
    import ServiceLifecycle
    import Tracing

    /// A persistent container as a service of a server: it opens the stores, runs work, and closes the stores when the
    /// server shuts down.
    ///
    /// **Extension.** The service needs the trait `Server` of the package.
    ///
    /// ```swift
    /// let database = CoreDataService(container)
    /// let server = Application(router: router)
    /// try await ServiceGroup(
    ///     services: [database, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
    /// ).run()
    /// ```
    ///
    /// `run()` opens the stores of the container's descriptions. While a database server doesn't answer, the service
    /// tries again. At a graceful shutdown the service refuses further work, waits for running work, and removes the
    /// stores from the coordinator: PostgreSQL stores send the notices of their last commits and close their
    /// connections. A service group ends its services in reverse order. So list the services that use the database
    /// after this one: they end before it.
    ///
    /// Work is a call of ``perform(_:)``, ``saveRetryingConflicts(attempts:_:)`` or ``withWork(_:)``. The service
    /// doesn't wait for contexts that a program makes with the container itself.
    ///
    /// The service gives swift-metrics the metrics in <doc:Servers>, and swift-distributed-tracing a span for each
    /// request and each save. It may be used on any task.
    public final class CoreDataService: Service, Sendable {
        /// The container, whose stores are open while the service runs.
        public let container: NSPersistentContainer
        /// The limits and times with which the service was made.
        public let configuration: Configuration
        let gate: WorkGate
        let metrics: ServiceMetrics
        let observer: ServiceObserver

        /// Makes the service of a container whose stores aren't open.
        ///
        /// - Parameters:
        ///   - container: the container. Its descriptions name the stores.
        ///   - configuration: limits and times.
        ///   - metrics: the factory of the metrics; by default the factory with which the program was bootstrapped.
        ///   - tracer: the tracer that makes the spans; nil for the tracer with which the program was bootstrapped.
        public init(
            _ container: NSPersistentContainer, configuration: Configuration = Configuration(),
            metrics: any MetricsFactory = MetricsSystem.factory, tracer: (any Tracer)? = nil
        ) {
            precondition(
                configuration.concurrencyLimit.map { $0 > 0 } ?? true,
                "The concurrencyLimit of a CoreDataService must be at least 1: no call could ever run.")
            self.container = container
            self.configuration = configuration
            gate = WorkGate(
                limit: configuration.concurrencyLimit ?? Int.max, waitingLimit: configuration.waitingLimit)
            self.metrics = ServiceMetrics(metrics)
            observer = ServiceObserver(metrics: self.metrics, tracer: tracer)
        }

        /// Opens the stores, and closes them after the graceful shutdown of the service group.
        ///
        /// Call it once. If the task is cancelled, the stores are closed without waiting for running work.
        ///
        /// - Throws: the error of a store that can't be opened within ``Configuration/openingLimit``;
        ///   ``CoreDataServiceError/alreadyRun``.
        public func run() async throws {
            try gate.begin()
            do {
                try observer.begin(container.persistentStoreCoordinator)
            } catch {
                gate.close(.closed(.alreadyRun))
                throw error
            }
            do {
                try await cancelWhenGracefulShutdown { try await self.openStores() }
            } catch {
                let isShutdown = error is CancellationError
                gate.close(.closed(isShutdown ? .shuttingDown : notOpened(error)))
                await closeStores()
                if isShutdown { return }
                throw error
            }
            gate.open()
            await runUntilShutdown()
            gate.close(.draining)
            await drain()
            metrics.record(self)
            gate.close(.closed(.shuttingDown))
            await closeStores()
        }

        /// Logs why the stores can't be opened: the service group may end with the error of a service that has waited.
        private func notOpened(_ error: any Error) -> CoreDataServiceError {
            let reason = error.localizedDescription
            CoreDataLog.error("The stores of the service can't be opened. \(reason)")
            return .notOpened(reason: reason)
        }

        /// Measures the connections until the service is to end.
        private func runUntilShutdown() async {
            try? await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await gracefulShutdown() }
                group.addTask {
                    while true {
                        self.metrics.record(self)
                        try await Task.sleep(for: self.configuration.measuringInterval)
                    }
                }
                _ = try await group.next()
                group.cancelAll()
            }
        }

        /// Whether the stores are open and work may begin: for the probe of a load balancer.
        public var isReady: Bool { if case .open = gate.phase { true } else { false } }

        /// How many calls run.
        public var runningWork: Int { gate.running }

        /// Waits until the stores are open. The call doesn't count as work, nor as a waiting call.
        ///
        /// - Throws: ``CoreDataServiceError`` if the stores could not be opened, if they are closed again, or if the
        ///   caller's service shuts down before they are open; `CancellationError`.
        public func waitUntilReady() async throws { try await gate.waitForOpening() }
    }
#endif
