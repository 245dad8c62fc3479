// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Rows as blocks with a line for each value. Values are not cut.
final class VerticalFormatter: RecordFormatter {
    private let columns: [String]
    private let noun: String
    private let print: (String) throws -> Void
    private let nameWidth: Int
    private var count = 0

    init(columns: [String], noun: String, print: @escaping (String) throws -> Void) {
        self.columns = columns
        self.noun = noun
        self.print = print
        nameWidth = columns.map { TerminalText.width(of: TerminalText.visible($0)) }.max() ?? 0
    }

    func add(_ record: OutputRecord) throws {
        count += 1
        let texts = Dictionary(record.cells.map { ($0.name, $0.value.text) }, uniquingKeysWith: { first, _ in first })
        for name in columns {
            let padding = String(repeating: " ", count: nameWidth - TerminalText.width(of: TerminalText.visible(name)))
            let text = String((texts[name] ?? "").map { $0.isNewline ? "⏎" : $0 })
            try print(text.isEmpty ? "\(name):" : "\(name): \(padding)\(text)")
        }
        try print("")
    }

    func finish() throws { try print(Wording.count(count, noun)) }
}
