// SPDX-License-Identifier: Apache-2.0

#if Server
    import Dispatch

    extension CoreDataService {
        /// Opens the stores of the container's descriptions, each again while its server doesn't answer.
        ///
        /// - Throws: the error of the last attempt; `CancellationError`.
        func openStores() async throws {
            let end = ContinuousClock.now + configuration.openingLimit
            var rest = await attempt(first: true, container.persistentStoreDescriptions)
            var interval = configuration.openingInterval
            var attempts = 1
            while let failed = rest.first {
                guard let failure = rest.first(where: { !OpeningFailure.mayPass($0.error) }) ?? timeout(failed, end)
                else {
                    CoreDataLog.warning(
                        "The store can't be opened yet (attempt \(attempts)): \(failed.error.localizedDescription)")
                    try await Task.sleep(for: interval * Double.random(in: 0.5...1))
                    interval = min(interval * 2, configuration.greatestOpeningInterval)
                    attempts += 1
                    rest = await attempt(first: false, rest.map(\.description))
                    continue
                }
                throw failure.error
            }
            try Task.checkCancellation()
            for store in container.persistentStoreCoordinator.persistentStores {
                (store as? any MeasuredStore)?.beginMeasuring()
            }
            metrics.observeWaits(of: container)
        }

        private func timeout(_ failure: OpeningFailure, _ end: ContinuousClock.Instant) -> OpeningFailure? {
            ContinuousClock.now < end ? nil : failure
        }

        /// Opens stores on a thread that may wait.
        private func attempt(
            first: Bool, _ descriptions: [NSPersistentStoreDescription]
        ) async -> [OpeningFailure] {
            let opening = StoreOpening(descriptions)
            let container = container
            return await withCheckedContinuation { continuation in
                opening.whenDone { continuation.resume(returning: $0) }
                DispatchQueue.global().async { opening.start(in: container, first: first) }
            }
        }

        /// Removes the stores from the coordinator, which sends notices and closes connections.
        func closeStores() async {
            let coordinator = container.persistentStoreCoordinator
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    for store in coordinator.persistentStores {
                        do {
                            try coordinator.remove(store)
                        } catch {
                            CoreDataLog.error("A store can't be closed: \(error.localizedDescription)")
                        }
                    }
                    continuation.resume()
                }
            }
            observer.end(coordinator)
        }

        /// Waits until no work runs, or for the draining limit.
        func drain() async {
            let limit = Task.isCancelled ? .zero : configuration.drainingLimit
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await self.gate.waitForEnd() }
                group.addTask { try? await Task.sleep(for: limit) }
                await group.next()
                group.cancelAll()
            }
            let running = gate.running
            guard running > 0 else { return }
            CoreDataLog.warning("The stores are closed while \(running) calls run: they have taken more than \(limit).")
        }
    }
#endif
