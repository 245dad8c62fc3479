// SPDX-License-Identifier: Apache-2.0

#if Server
    /// Why a ``CoreDataService`` refuses work.
    ///
    /// **Extension.**
    public enum CoreDataServiceError: Error, Hashable, LocalizedError, CustomStringConvertible {
        /// The service shuts down, or has ended. A server answers 503.
        case shuttingDown
        /// The service could not open its stores. The log contains the reason, and `run()` has thrown the error.
        case notOpened(reason: String)
        /// `run()` was called a second time.
        case alreadyRun
        /// Too many calls wait: see ``CoreDataService/Configuration/waitingLimit``. A server answers 503.
        case overloaded(waiting: Int)

        /// The reason, in a sentence.
        public var description: String {
            switch self {
            case .shuttingDown: "The service of the persistent container is shutting down: it begins no further work."
            case .notOpened(let reason):
                "The service of the persistent container could not open its stores. \(reason)"
            case .alreadyRun: "A service of a persistent container runs once. Make another one."
            case .overloaded(let waiting):
                "The service of the persistent container is busy: \(waiting) calls wait already. Try again later."
            }
        }

        /// The ``description``.
        public var errorDescription: String? { description }
    }
#endif
