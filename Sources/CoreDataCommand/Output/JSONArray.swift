// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Values as one JSON array or as JSON lines, printed one after the other.
final class JSONArray {
    private let isLines: Bool
    private let print: (String) throws -> Void
    private var previous: String?

    /// - Parameter isLines: whether each value is written as one line, without an array around the values.
    init(isLines: Bool, print: @escaping (String) throws -> Void) {
        self.isLines = isLines
        self.print = print
    }

    func add(_ value: some Encodable) throws { try add(text: JSONText.line(of: value)) }

    /// - Parameter text: a value in one line.
    func add(text: String) throws {
        if isLines { return try print(text) }
        // A line is printed when the next one is added, since a comma may follow it.
        try print(previous.map { "  \($0)," } ?? "[")
        previous = text
    }

    func finish() throws {
        if isLines { return }
        guard let previous else { return try print("[]") }
        try print("  \(previous)")
        try print("]")
    }
}
