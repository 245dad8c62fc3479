#if Server
    import CoreDataTestSupport
    import ServiceLifecycleTestKit
    import Synchronization
    import TestSupport
    import Testing

    @testable import CoreDataServer

    /// The life of a service.
    @Suite("The service of a container", .timeLimit(.minutes(TestRun.hangMinutes)))
    struct CoreDataServiceTests {
        @Test("Work that comes early waits until the stores are open", arguments: StoreKind.allCases)
        func waiting(kind: StoreKind) async throws {
            let test = try TestService(kind)
            expectFalse(test.service.isReady)
            let early = Task {
                try await test.service.perform { context in
                    context.make("Team", "early")
                    try context.save()
                    return try context.names("Team")
                }
            }
            try await test.run { _ in
                let names = try await early.value
                #expect(names == ["early"])
                expectTrue(test.service.isReady)
                #expect(test.service.container.persistentStoreCoordinator.persistentStores.count == 1)
            }
            expectFalse(test.service.isReady)
            expectEmpty(test.service.container.persistentStoreCoordinator.persistentStores)
            await #expect(throws: CoreDataServiceError.shuttingDown) { try await test.service.perform { _ in } }
        }

        @Test("A shutdown waits for the work that runs, and refuses further work meanwhile")
        func draining() async throws {
            let test = try TestService()
            let service = test.service
            let (begun, mayEnd) = (Event(), Event())
            try await test.run { shutDown in
                async let slow = service.withWork {
                    begun.happen()
                    await mayEnd.wait()
                    let context = service.container.newBackgroundContext()
                    try await context.perform {
                        context.make("Team", "late")
                        try context.save()
                    }
                }
                await begun.wait()
                shutDown()
                // The shutdown reaches the service on another task.
                while service.isReady { await Task.yield() }
                await #expect(throws: CoreDataServiceError.shuttingDown) { try await service.perform { _ in } }
                #expect(service.runningWork == 1)
                mayEnd.happen()
                try await slow
            }
            #expect(service.runningWork == 0)
        }

        @Test("A shutdown ends after the draining limit, and what still runs can't save")
        func drainingLimit() async throws {
            let test = try TestService { $0.drainingLimit = .milliseconds(20) }
            let service = test.service
            let (begun, ended) = (Event(), Event())
            let slow = Task {
                try await service.withWork {
                    let context = service.container.newBackgroundContext()
                    begun.happen()
                    await ended.wait()
                    try await context.perform {
                        context.make("Team", "late")
                        try context.save()
                    }
                }
            }
            try await test.run { _ in await begun.wait() }
            ended.happen()
            await #expect(throws: NSError.self) { try await slow.value }
        }

        @Test("A cancelled service closes its stores")
        func cancellation() async throws {
            let test = try TestService()
            let running = Task { try await test.service.run() }
            try await test.service.waitUntilReady()
            running.cancel()
            try await running.value
            expectEmpty(test.service.container.persistentStoreCoordinator.persistentStores)
        }

        @Test("A service runs once")
        func twice() async throws {
            let test = try TestService()
            try await test.run { _ in
                try await test.service.waitUntilReady()
                await #expect(throws: CoreDataServiceError.alreadyRun) { try await test.service.run() }
            }
            await #expect(throws: CoreDataServiceError.alreadyRun) { try await test.service.run() }
        }

        @Test("A graceful shutdown ends the wait for stores that don't open, and no wait for running work")
        func shutdownBeforeOpening() async throws {
            let gate = WorkGate(limit: 1, waitingLimit: 10)
            try await testGracefulShutdown { trigger in
                let entering = Task { try await gate.enter() }
                let opening = Task { try await gate.waitForOpening() }
                while gate.waiting == 0 { await Task.yield() }
                trigger.triggerGracefulShutdown()
                await #expect(throws: CoreDataServiceError.shuttingDown) { try await entering.value }
                await #expect(throws: CoreDataServiceError.shuttingDown) { try await opening.value }
                // Tasks that come later don't wait either.
                await #expect(throws: CoreDataServiceError.shuttingDown) { try await gate.enter() }
                gate.open()
                try await gate.enter()
                async let next: Void = gate.enter()
                while gate.waiting == 0 { await Task.yield() }
                gate.leave()
                try await next
            }
        }

        @Test("Waiting for the stores takes no place of the work")
        func waitingForStores() async throws {
            let test = try TestService {
                $0.concurrencyLimit = 1
                $0.waitingLimit = 0
            }
            let service = test.service
            try await test.run { _ in
                // The only place for a call that waits isn't needed.
                try await service.waitUntilReady()
                try await service.withWork { try await service.waitUntilReady() }
            }
        }

        // MARK: Opening

        @Test("A store that can't be opened ends the service with its error, and work that waits with another one")
        func failure() async throws {
            let container = NSPersistentContainer(name: "Teams", managedObjectModel: TeamModel.make())
            let folder = try TemporaryFolder()
            try Data().write(to: folder.file("file"))
            container.persistentStoreDescriptions = [
                NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null")),
                NSPersistentStoreDescription(url: folder.file("file/store.sqlite")),
            ]
            let service = CoreDataService(container)
            let early = Task { try await service.perform { _ in } }
            let error = await #expect(throws: NSError.self) { try await service.run() }
            #expect(error?.domain == NSCocoaErrorDomain)
            let reason = await #expect(throws: CoreDataServiceError.self) { try await early.value }
            let message = try requireValue(error?.localizedDescription)
            #expect(reason?.description.contains(message) == true)
            expectEmpty(container.persistentStoreCoordinator.persistentStores)
        }

        /// A container whose file is locked by another connection during the first attempt to open it.
        private final class LockedContainer: NSPersistentContainer, @unchecked Sendable {
            let failures = Mutex(0)

            override func loadPersistentStores(
                completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
            ) {
                guard let url = persistentStoreDescriptions.first?.url else { return }
                do {
                    let model = managedObjectModel
                    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                    let store = try coordinator.addPersistentStore(
                        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
                        options: [NSSQLitePragmasOption: ["locking_mode": "EXCLUSIVE", "journal_mode": "DELETE"]])
                    let context = NSManagedObjectContext(.privateQueue)
                    context.persistentStoreCoordinator = coordinator
                    try context.performAndWait {
                        context.make("Team", "first")
                        try context.save()
                    }
                    super.loadPersistentStores { description, error in
                        if error != nil { self.failures.withLock { $0 += 1 } }
                        block(description, error)
                    }
                    try coordinator.remove(store)
                } catch {
                    Issue.record(error)
                }
            }
        }

        @Test("Opening is repeated while the store is locked")
        func repeatedOpening() async throws {
            let test = try TestService(
                .sqlite, container: LockedContainer(name: "Teams", managedObjectModel: TeamModel.make()),
                options: [NSPersistentStoreTimeoutOption: 0.01]
            ) { $0.openingInterval = .milliseconds(1) }
            try await test.run { _ in
                let names = try await test.service.perform { try $0.names("Team") }
                #expect(names == ["first"])
            }
            let container = try requireValue(test.service.container as? LockedContainer)
            #expect(container.failures.withLock { $0 } == 1)
        }

        @Test("After the opening limit the last error is thrown")
        func openingLimit() async throws {
            let test = try TestService(
                .sqlite, container: LockedContainer(name: "Teams", managedObjectModel: TeamModel.make()),
                options: [NSPersistentStoreTimeoutOption: 0.01]
            ) { $0.openingLimit = .zero }
            let error = await #expect(throws: NSError.self) { try await test.service.run() }
            #expect(error?.code == NSPersistentStoreTimeoutError)
        }

        @Test("Errors that may pass are those of a server that can't be reached, starts, stops or is full")
        func transientErrors() {
            let error = { (code: Int, state: String?) in
                CoreDataErrors.error(code, "d", reason: "r", userInfo: state.map { ["NSPostgreSQLState": $0] } ?? [:])
            }
            for state in ["08001", "08006", "57P03", "57P01", "53300"] {
                expectTrue(OpeningFailure.mayPass(error(NSPersistentStoreOpenError, state)), "\(state)")
            }
            expectTrue(OpeningFailure.mayPass(error(NSPersistentStoreTimeoutError, nil)))
            for state in ["28P01", "3D000", "42501", nil] {
                expectFalse(OpeningFailure.mayPass(error(NSPersistentStoreOpenError, state)))
            }
            expectFalse(OpeningFailure.mayPass(CancellationError()))
        }

        // MARK: Limits

        /// Counts the work that runs at the same time.
        private final class Load: Sendable {
            private let state = Mutex((running: 0, greatest: 0, done: 0))

            var counts: (running: Int, greatest: Int, done: Int) { state.withLock { $0 } }

            func begin() {
                state.withLock {
                    $0.running += 1
                    $0.greatest = max($0.greatest, $0.running)
                }
            }

            func end() {
                state.withLock {
                    $0.running -= 1
                    $0.done += 1
                }
            }
        }

        @Test("No more work runs than the limit, and all of it runs")
        func concurrencyLimit() async throws {
            let test = try TestService { $0.concurrencyLimit = 2 }
            let load = Load()
            try await test.run { _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<50 {
                        group.addTask {
                            try await test.service.perform { context in
                                load.begin()
                                _ = try context.all("Team")
                                load.end()
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(load.counts.greatest <= 2)
            #expect(load.counts.done == 50)
        }

        @Test("Calls beyond the waiting limit are refused at once; a cancelled call leaves its place")
        func waitingLimit() async throws {
            let test = try TestService {
                $0.concurrencyLimit = 1
                $0.waitingLimit = 1
            }
            let service = test.service
            let (begun, mayEnd) = (Event(), Event())
            try await test.run { _ in
                async let first: Void = service.withWork {
                    begun.happen()
                    await mayEnd.wait()
                }
                await begun.wait()
                let second = Task { try await service.perform { _ in } }
                while service.gate.waiting == 0 { await Task.yield() }
                await #expect(throws: CoreDataServiceError.overloaded(waiting: 1)) {
                    try await service.perform { _ in }
                }
                second.cancel()
                await #expect(throws: CancellationError.self) { try await second.value }
                #expect(service.gate.waiting == 0)
                mayEnd.happen()
                try await first
                try await service.perform { _ in }
            }
        }

        @Test("A call of a task that is cancelled already doesn't begin")
        func cancelledBefore() async throws {
            let test = try TestService()
            try await test.run { _ in
                try await test.service.waitUntilReady()
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await test.service.withWork {}
                }
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(test.service.runningWork == 0)
            }
        }
    }
#endif
