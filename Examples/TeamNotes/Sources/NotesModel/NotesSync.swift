#if canImport(CoreDataSync)
    import CoreData
    import CoreDataSync
    import Observation

    /// Keeps the notes of this device in sync with the server, and says how far it is.
    @MainActor
    @Observable
    public final class NotesSync {
        public private(set) var status = SyncEngine.Status()
        /// The changes that the server has refused.
        public private(set) var problems: [SyncProblem] = []
        public private(set) var errorMessage: String?

        @ObservationIgnored private let engine: SyncEngine

        /// - Parameters:
        ///   - container: has its stores loaded.
        ///   - server: the URL of `coredata-serve`.
        ///   - token: the user's token.
        public init(_ container: NSPersistentContainer, server: URL, token: String) throws {
            engine = try SyncEngine(container, server: server) { token }
        }

        /// Syncs until the task is cancelled. The notes that the device has before it syncs for the first time go to
        /// the server.
        public func run() async {
            let events = engine.events
            do {
                try await engine.startOrUpload()
                problems = try await engine.problems()
            } catch {
                errorMessage = error.localizedDescription
            }
            for await event in events {
                switch event {
                case .status(let status):
                    self.status = status
                    errorMessage = status.phase == .failed ? status.failure : nil
                case .problems: problems = (try? await engine.problems()) ?? []
                default: break
                }
            }
            await engine.stop()
        }

        /// Exchanges changes now, as when the user pulls the list down.
        public func refresh() async {
            do {
                try await engine.syncNow()
                errorMessage = nil
            } catch {
                errorMessage = error.localizedDescription
            }
        }

        /// Gives up a change that the server has refused.
        public func drop(_ problem: SyncProblem) async {
            do {
                try await engine.drop(problem)
                problems = try await engine.problems()
            } catch {
                errorMessage = error.localizedDescription
            }
        }
    }

    extension SyncEngine {
        /// Starts. The notes that the device has before it syncs for the first time go to the server.
        public func startOrUpload() async throws {
            do {
                try await start()
            } catch SyncEngineError.needsFirstStart {
                try await begin(.upload)
                try await start()
            }
        }
    }
#endif
