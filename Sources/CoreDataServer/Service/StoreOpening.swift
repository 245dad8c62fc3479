// SPDX-License-Identifier: Apache-2.0

#if Server
    import Synchronization

    /// A store that could not be opened.
    struct OpeningFailure: Sendable {
        let description: NSPersistentStoreDescription
        let error: any Error

        /// The SQLSTATEs of a server that starts, stops or has no free connection.
        private static let states: Set<String> = ["57P01", "57P02", "57P03", "53300"]

        /// Whether the error may go away: the server can't be reached, or has no place, or the file is locked.
        static func mayPass(_ error: any Error) -> Bool {
            let error = error as NSError
            guard error.domain == NSCocoaErrorDomain else { return false }
            if error.code == NSPersistentStoreTimeoutError { return true }
            guard let state = error.userInfo[serverStateErrorKey] as? String else { return false }
            return state.hasPrefix("08") || states.contains(state)
        }
    }

    /// One attempt to open some stores. The descriptions may be opened on other threads.
    final class StoreOpening: Sendable {
        private struct State {
            var missing: Int
            var failures: [OpeningFailure] = []
            var completion: (@Sendable ([OpeningFailure]) -> Void)?
        }

        private let state: Locked<State>
        private let descriptions: [NSPersistentStoreDescription]

        init(_ descriptions: [NSPersistentStoreDescription]) {
            self.descriptions = descriptions
            state = Locked(State(missing: descriptions.count))
        }

        func whenDone(_ completion: @escaping @Sendable ([OpeningFailure]) -> Void) {
            state.withLock { $0.completion = completion }
        }

        /// Opens the stores. The first call opens all stores as the container does, later calls open the stores that
        /// are still missing.
        func start(in container: NSPersistentContainer, first: Bool) {
            guard !descriptions.isEmpty else { return finish() }
            if first {
                container.loadPersistentStores { self.didOpen($0, $1) }
            } else {
                for description in descriptions {
                    container.persistentStoreCoordinator.addPersistentStore(with: description) { self.didOpen($0, $1) }
                }
            }
        }

        private func didOpen(_ description: NSPersistentStoreDescription, _ error: (any Error)?) {
            let isLast = state.withLock { state in
                if let error { state.failures.append(OpeningFailure(description: description, error: error)) }
                state.missing -= 1
                return state.missing == 0
            }
            if isLast { finish() }
        }

        private func finish() {
            let (completion, failures) = state.withLock { state in
                defer { state.completion = nil }
                return (state.completion, state.failures)
            }
            completion?(failures)
        }
    }
#endif
