import OpenCoreData

/// Objects as one JSON array of objects, nothing left out: bytes in Base64, dates in ISO 8601, objects at the
/// other end of a relationship by their URIs. `objectID` and `entity` come with the properties' names.
final class JSONFormatter: ObjectFormatter {
    private let print: (String) throws -> Void
    private let encoder = JSONEncoder()
    private var previous: String?

    init(print: @escaping (String) throws -> Void) {
        self.print = print
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    }

    func add(_ record: ObjectRecord) throws {
        var values = Dictionary(record.cells.map { ($0.name, JSONCell(value: $0.value)) }, uniquingKeysWith: { first, _ in first })
        values["objectID"] = JSONCell(value: .text(record.reference.uri))
        values["entity"] = JSONCell(value: .text(record.entityName))
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
