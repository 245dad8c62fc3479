// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Imports rows in batches, each of which is saved as one transaction.
final class Importer {
    private let store: ReadOnlyStore
    private let reader: ImportReader
    private let preparation: RowPreparation
    private let keyAttributes: [NSAttributeDescription]?
    private let batchSize: Int
    /// Whether nothing is saved.
    private let isRehearsal: Bool
    /// In a rehearsal, the keys of the rows that would insert objects: later rows with these keys would find the
    /// objects.
    private var rehearsedKeys: Set<ImportKey> = []
    private(set) var report: ImportReport
    private let progress: (ImportReport) -> Void

    init(
        store: ReadOnlyStore, reader: ImportReader, preparation: RowPreparation,
        keyAttributes: [NSAttributeDescription]?, batchSize: Int, isRehearsal: Bool, report: ImportReport,
        progress: @escaping (ImportReport) -> Void
    ) {
        self.store = store
        self.reader = reader
        self.preparation = preparation
        self.keyAttributes = keyAttributes
        self.batchSize = batchSize
        self.isRehearsal = isRehearsal
        self.report = report
        self.progress = progress
    }

    /// Reads all rows. An error leaves the batches before it saved.
    func run() throws {
        var rows: [PreparedRow] = []
        while let row = try reader.next() {
            report.rowCount += 1
            do {
                rows.append(try preparation.prepare(row))
            } catch let mistake as ImportMistake {
                report.refuse(row.line, mistake.text)
            }
            if rows.count == batchSize {
                try save(rows)
                rows.removeAll(keepingCapacity: true)
            }
            if report.rowCount % 1_000 == 0 { progress(report) }
        }
        try save(rows)
        progress(report)
    }

    private func save(_ rows: [PreparedRow]) throws {
        if rows.isEmpty { return }
        try store.context.performSynchronously {
            defer { store.context.reset() }
            try saveAccepted(rows)
        }
    }

    /// Saves the rows that aren't refused. The refused rows are found first; then the remaining rows begin anew.
    private func saveAccepted(_ rows: [PreparedRow]) throws {
        var rest = rows
        while !rest.isEmpty {
            let batch = ImportBatch(
                context: store.context, keyAttributes: keyAttributes, checksConstraints: isRehearsal)
            let outcomes = try batch.apply(rest)
            var accepted: [PreparedRow] = []
            for (row, outcome) in zip(rest, outcomes) {
                if case .refused(let reason) = outcome {
                    report.refuse(row.line, reason)
                } else {
                    accepted.append(row)
                }
            }
            if accepted.count < rest.count {
                store.context.reset()
                rest = accepted
                continue
            }
            return try finish(batch, rest, outcomes)
        }
    }

    private func finish(_ batch: ImportBatch, _ rows: [PreparedRow], _ outcomes: [ImportBatch.Outcome]) throws {
        if isRehearsal { return count(outcomes, rows, batch, new: &rehearsedKeys) }
        do {
            try store.context.save()
        } catch let error as NSError {
            store.context.reset()
            guard Self.concernsRows(error) else { throw error }
            guard rows.count > 1 else { return report.refuse(rows[0].line, ImportBatch.reason(error)) }
            // One row is to blame. Each other row can be saved alone.
            for row in rows {
                try saveAccepted([row])
                store.context.reset()
            }
            return
        }
        var keys: Set<ImportKey> = []
        count(outcomes, rows, batch, new: &keys)
    }

    /// Counts the outcomes. Of several rows for one new object the first row inserts it, and the later rows change it.
    ///
    /// - Parameter keys: the keys of the rows that have inserted objects.
    private func count(
        _ outcomes: [ImportBatch.Outcome], _ rows: [PreparedRow], _ batch: ImportBatch, new keys: inout Set<ImportKey>
    ) {
        for (row, outcome) in zip(rows, outcomes) {
            if case .inserted = outcome, let key = batch.identity(of: row), !keys.insert(key).inserted {
                report.count(.updated)
            } else {
                report.count(outcome)
            }
        }
    }

    /// Whether an error of a save is the fault of its rows, not of the store or the disk.
    private static func concernsRows(_ error: NSError) -> Bool {
        guard error.domain == NSCocoaErrorDomain else { return false }
        return [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError].contains(error.code)
            || (NSManagedObjectValidationError..<1_700).contains(error.code)
    }
}
