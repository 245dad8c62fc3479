// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// All objects of a table as a file, page by page, so that large stores need little memory.
struct TableExport {
    let response: WebResponse

    init(entity name: String, format: String, query: FormValues, store: BrowserStore) throws {
        guard let format = OutputFormat(rawValue: format), format != .table else { throw WebFault.notFound }
        // Faults are found before the first part is sent.
        let columns = try store.read { reader in
            let table = try TableQuery(name, query, reader: reader)
            if let key = try table.longSortKey() {
                throw WebFault(
                    422,
                    """
                    Saving so many objects sorted by ‘\(key)’, which no index begins with, would take very long. Save \
                    them without an order.
                    """)
            }
            return ObjectRecords.columns(of: table.entity)
        }
        let text = PartText()
        let formatter = format.formatter(columns: columns, noun: "object") { text.pending += $0 + "\n" }
        let state = State(text: text, formatter: formatter)
        response = WebResponse(
            attachment: "\(name).\(format.rawValue)",
            type: format == .csv ? "text/csv; charset=utf-8" : "application/json"
        ) {
            try state.next { last in
                try store.read { reader in
                    let query = try TableQuery(name, query, reader: reader)
                    let objects = try query.objects(
                        after: last.flatMap { reader.store.objectID($0) },
                        limit: query.order.keys.isEmpty ? 1_000 : 10_000)
                    var records = ObjectRecords()
                    for object in objects { try state.formatter.add(records.record(of: object)) }
                    return objects.last.map { ObjectIDText($0.objectID).short }
                }
            }
        }
    }

    private final class PartText {
        var pending = ""
    }

    /// The parts that are still to be sent. They are asked for one after the other.
    private final class State: @unchecked Sendable {
        let text: PartText
        let formatter: any RecordFormatter
        private var last: String?
        private var isFinished = false

        init(text: PartText, formatter: any RecordFormatter) {
            self.text = text
            self.formatter = formatter
        }

        func next(_ read: (String?) throws -> String?) throws -> Data? {
            if isFinished { return nil }
            repeat {
                last = try read(last)
                if last == nil {
                    try formatter.finish()
                    isFinished = true
                }
            } while text.pending.isEmpty && !isFinished
            defer { text.pending = "" }
            return Data(text.pending.utf8)
        }
    }
}
