import OpenCoreData

/// Rows as one JSON array of objects, nothing left out: bytes in Base64, dates in ISO 8601, objects at the
/// other end of a relationship by their URIs. Objects have `objectID` and `entity` too.
final class JSONFormatter: RecordFormatter {
    private let print: (String) throws -> Void
    private let encoder = JSONEncoder()
    private var previous: String?

    init(print: @escaping (String) throws -> Void) {
        self.print = print
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    }

    func add(_ record: OutputRecord) throws {
        let cells = (record.details + record.cells).map { ($0.name, JSONCell(value: $0.value)) }
        let values = Dictionary(cells, uniquingKeysWith: { first, _ in first })
        let line = String(decoding: try encoder.encode(values), as: UTF8.self)
        // A line is printed when it is known whether a comma follows.
        try print(previous.map { "  \($0)," } ?? "[")
        previous = line
    }

    func finish() throws {
        guard let previous else {
            try print("[]")
            return
        }
        try print("  \(previous)")
        try print("]")
    }
}
