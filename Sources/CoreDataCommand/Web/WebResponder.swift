// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Pages as a function from requests to answers.
protocol PageSource: Sendable {
    var security: WebSecurity { get }
    /// How long the answer to a request may take.
    func pace(of request: WebRequest) -> AnswerPace
    func response(to request: WebRequest) -> WebResponse
}

/// Makes the answers on separate threads, since a store may take long to answer.
final class WebResponder: Sendable {
    let pages: any PageSource
    private let quick = WorkerThreads(count: 4)
    private let searches = WorkerThreads(count: 4)
    private let counts = WorkerThreads(count: 2)

    init(pages: any PageSource) { self.pages = pages }

    func response(to request: WebRequest) async -> WebResponse {
        let threads =
            switch pages.pace(of: request) {
            case .page: quick
            case .search: searches
            case .count: counts
            }
        return await threads.perform { [pages] in pages.response(to: request) }
    }

    /// The next part of a body that is made while it is sent.
    func part(_ next: @escaping @Sendable () throws -> Data?) async throws -> Data? {
        try await counts.perform { Result { try next() } }.get()
    }
}

/// Threads that run blocks, one after the other. Dispatch and Swift concurrency have one thread for each processor: as
/// many searches would leave no thread for the connections.
private final class WorkerThreads: @unchecked Sendable {
    private let condition = NSCondition()
    private var blocks: [@Sendable () -> Void] = []

    /// - Parameter count: how many blocks run at once. The threads run until the process ends.
    init(count: Int) {
        for _ in 0..<count {
            let thread = Thread { while true { self.next()() } }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    private func next() -> @Sendable () -> Void {
        condition.withLock {
            while blocks.isEmpty { condition.wait() }
            return blocks.removeFirst()
        }
    }

    func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            condition.withLock {
                blocks.append { continuation.resume(returning: work()) }
                condition.broadcast()
            }
        }
    }
}
