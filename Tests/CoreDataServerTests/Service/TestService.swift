#if Server
    import CoreDataServer
    import CoreDataTestSupport
    import CoreMetrics
    import InMemoryTracing
    import MetricsTestKit
    import ServiceLifecycle
    import ServiceLifecycleTestKit
    import Synchronization
    import TestSupport

    /// A service on a fresh store, with its metrics and spans.
    final class TestService: Sendable {
        let folder: TemporaryFolder
        let kind: StoreKind
        let metrics = TestMetrics()
        let tracer = InMemoryTracer()
        let service: CoreDataService

        init(
            _ kind: StoreKind = .tables,
            container: NSPersistentContainer = NSPersistentContainer(
                name: "Teams", managedObjectModel: TeamModel.make()),
            options: [String: NSNumber] = [:], configure: (inout CoreDataService.Configuration) -> Void = { _ in }
        ) throws {
            self.kind = kind
            folder = try TemporaryFolder()
            let description = NSPersistentStoreDescription(url: kind.url("store.sqlite", in: folder))
            description.type = kind.type
            for (key, value) in options { description.setOption(value, forKey: key) }
            container.persistentStoreDescriptions = [description]
            var configuration = CoreDataService.Configuration()
            configuration.measuringInterval = .milliseconds(5)
            configure(&configuration)
            service = CoreDataService(container, configuration: configuration, metrics: metrics, tracer: tracer)
        }

        /// Runs the service while a body runs, and shuts it down gracefully.
        func run(_ body: (_ shutDown: @escaping @Sendable () -> Void) async throws -> Void) async throws {
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await self.service.run() }
                    do {
                        try await body { trigger.triggerGracefulShutdown() }
                    } catch {
                        group.cancelAll()
                        throw error
                    }
                    trigger.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Something that happens once, and that tasks wait for.
    final class Event: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream<Void>.makeStream() }

        func happen() { continuation.finish() }

        func wait() async { for await _ in stream {} }
    }
#endif
