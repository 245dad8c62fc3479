// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The result of an import.
struct ImportReport {
    struct Refusal: Encodable {
        let line: Int
        let reason: String
    }

    /// The name of the file, for messages.
    let file: String
    let isRehearsal: Bool
    var rowCount = 0
    private(set) var insertedCount = 0
    private(set) var updatedCount = 0
    private(set) var unchangedCount = 0
    private(set) var refusedCount = 0
    /// The first refused rows.
    private(set) var refusals: [Refusal] = []

    /// The number of refused rows that are printed, so that a wrong file fills neither the memory nor the terminal.
    static let maximumRefusals = 100

    mutating func count(_ outcome: ImportBatch.Outcome) {
        switch outcome {
        case .inserted: insertedCount += 1
        case .updated: updatedCount += 1
        case .unchanged: unchangedCount += 1
        case .refused: refusedCount += 1
        }
    }

    mutating func refuse(_ line: Int, _ reason: String) {
        refusedCount += 1
        if refusals.count < Self.maximumRefusals { refusals.append(Refusal(line: line, reason: reason)) }
    }

    /// The refused rows, a line each.
    var refusalLines: [String] {
        var lines = refusals.sorted { $0.line < $1.line }.map { refusal in
            "\(file):\(refusal.line): refused: \(refusal.reason)\(refusal.reason.hasSuffix(")") ? "" : ".")"
        }
        if refusedCount > refusals.count {
            lines.append("\(Wording.count(refusedCount - refusals.count, "further row")) refused.")
        }
        return lines
    }

    var summary: String {
        let counts = [
            (insertedCount, "inserted"), (updatedCount, "updated"), (unchangedCount, "unchanged"),
            (refusedCount, "refused"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let done = ([Wording.count(rowCount, "row")] + [counts.joined(separator: ", ")].filter { !$0.isEmpty })
            .joined(separator: ": ")
        return isRehearsal ? "\(done). Nothing was saved, since this is a dry run." : "\(done)."
    }
}

extension ImportReport: Encodable {
    private enum Key: String, CodingKey {
        case file, dryRun, rows, inserted, updated, unchanged, refused, refusals
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(file, forKey: .file)
        try container.encode(isRehearsal, forKey: .dryRun)
        try container.encode(rowCount, forKey: .rows)
        try container.encode(insertedCount, forKey: .inserted)
        try container.encode(updatedCount, forKey: .updated)
        try container.encode(unchangedCount, forKey: .unchanged)
        try container.encode(refusedCount, forKey: .refused)
        try container.encode(refusals.sorted { $0.line < $1.line }, forKey: .refusals)
    }
}
