// SPDX-License-Identifier: Apache-2.0

#if Server
    extension CoreDataService {
        /// Limits and times of a service.
        ///
        /// **Extension.**
        public struct Configuration: Sendable {
            /// How much work runs at the same time, at least 1; nil for no limit. Further calls are suspended, and hold
            /// no thread.
            ///
            /// More calls than a store has connections only wait elsewhere: about twice their number is enough.
            public var concurrencyLimit: Int?
            /// How many calls wait at most, for the stores to open or for others to end. Further ones throw
            /// ``CoreDataServiceError/overloaded(waiting:)`` at once.
            public var waitingLimit = 10_000
            /// How long opening is repeated while a server doesn't answer, or its stores are locked. Zero for one
            /// attempt.
            public var openingLimit = Duration.seconds(300)
            /// The time between the first two attempts to open a store. It doubles, up to
            /// ``greatestOpeningInterval``, and each is shortened by a random part of up to a half.
            public var openingInterval = Duration.milliseconds(100)
            /// The longest time between two attempts to open a store.
            public var greatestOpeningInterval = Duration.seconds(10)
            /// How long a shutdown waits for running work. For what runs longer the coordinator has no stores any more:
            /// its saves throw, and its fetches find nothing.
            public var drainingLimit = Duration.seconds(30)
            /// The time between two measurements of connections and statements.
            public var measuringInterval = Duration.seconds(1)

            /// The default limits and times.
            public init() {}
        }
    }
#endif
