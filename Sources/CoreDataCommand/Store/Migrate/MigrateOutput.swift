// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The output of a migration: line by line, or as one JSON object at its end.
final class MigrateOutput {
    enum Status: String, Encodable {
        case upToDate, planned, migrated
    }

    private struct Document: Encodable {
        let store: String
        let status: Status
        /// The steps of the way, in words.
        let steps: [String]
        let losses: [LossReport.Entry]
        /// The lines that a terminal would show.
        let messages: [String]
    }

    var steps: [String] = []
    var losses: [LossReport.Entry] = []
    private let store: String
    private let format: TextFormat
    private var messages: [String] = []

    init(store: String, format: TextFormat) {
        self.store = store
        self.format = format
    }

    func line(_ text: String) throws {
        switch format {
        case .text: try StandardStreams.outputText(text)
        case .json: messages.append(text)
        }
    }

    func finish(_ status: Status) throws {
        guard format == .json else { return }
        try StandardStreams.output(
            JSONText.of(Document(store: store, status: status, steps: steps, losses: losses, messages: messages)))
    }
}
