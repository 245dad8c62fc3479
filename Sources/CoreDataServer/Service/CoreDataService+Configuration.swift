// SPDX-License-Identifier: Apache-2.0

#if Server
    extension CoreDataService {
        /// Limits and times of a service.
        ///
        /// **Extension.**
        public struct Configuration: Sendable {
            /// How many calls run at the same time, at least 1; nil for no limit. Further calls are suspended, and hold
            /// no thread.
            ///
            /// About twice the number of a store's connections is enough: more calls would only wait for a connection.
            public var concurrencyLimit: Int?
            /// How many calls may wait, for the stores to open or for running calls to end. Further calls throw
            /// ``CoreDataServiceError/overloaded(waiting:)`` at once.
            public var waitingLimit = 10_000
            /// How long the service tries to open the stores while a server doesn't answer, or the stores are locked.
            /// Zero for one attempt.
            public var openingLimit = Duration.seconds(300)
            /// The time between the first two attempts to open a store. It doubles after each attempt, up to
            /// ``greatestOpeningInterval``. A random part of up to a half is subtracted from each interval.
            public var openingInterval = Duration.milliseconds(100)
            /// The longest time between two attempts to open a store.
            public var greatestOpeningInterval = Duration.seconds(10)
            /// How long a shutdown waits for running work. Then the stores are removed from the coordinator: saves of
            /// work that still runs throw, and its fetches find nothing.
            public var drainingLimit = Duration.seconds(30)
            /// The time between two measurements of connections and statements.
            public var measuringInterval = Duration.seconds(1)

            /// The default limits and times.
            public init() {}
        }
    }
#endif
