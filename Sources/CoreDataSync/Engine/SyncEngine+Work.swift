// SPDX-License-Identifier: Apache-2.0

import CoreData

extension SyncEngine {
    /// A part of an exchange, at its beginning and at its end.
    package struct Work: Sendable {
        /// The kinds of parts.
        package enum Kind: Sendable { case receiving, sending }

        package let id = UUID()
        package let kind: Kind
        package let start = Date()
        package internal(set) var end: Date?
        package internal(set) var error: (any Error)?
    }

    /// The report of a part of an exchange. A part that moves nothing and doesn't fail has none.
    final class WorkReport: @unchecked Sendable {
        // Sendable: one exchange uses it, on the engine's actor.
        private let kind: Work.Kind
        private let report: @Sendable (Work) -> Void
        private var work: Work?

        init(_ kind: Work.Kind, _ report: @escaping @Sendable (Work) -> Void) {
            self.kind = kind
            self.report = report
        }

        /// Reports the beginning, once.
        func begin() {
            guard work == nil else { return }
            let new = Work(kind: kind)
            work = new
            report(new)
        }

        func end(_ error: (any Error)?) {
            if let error, !(error is CancellationError) { begin() }
            guard var ended = work else { return }
            (ended.end, ended.error) = (Date(), error)
            report(ended)
        }
    }

    /// Runs a part of an exchange with its report, which begins with the first change that moves, or with an error.
    func reporting<Result: Sendable>(
        _ kind: Work.Kind, _ body: (WorkReport) async throws -> Result
    ) async throws -> Result {
        let report = WorkReport(kind, configuration.report)
        do {
            let result = try await body(report)
            report.end(nil)
            return result
        } catch {
            report.end(error)
            throw error
        }
    }
}
